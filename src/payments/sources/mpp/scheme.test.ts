import assert from 'node:assert/strict'
import { createHmac } from 'node:crypto'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { Challenge, Credential, PaymentRequest, Receipt } from 'mppx'
import { UpstreamError } from '../../../kernel/errors.ts'
import { parseUsd } from '../../../kernel/money.ts'
import type { RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import { type RequestHeaders, type Hex, type Payment, PaymentRefused, type PaymentProblem } from '../../scheme.ts'
import {
  challengeOf,
  createTestScheme,
  credentialFor,
  disconnect,
  headersOf,
  KEY,
  memoOf,
  neverAborted,
  OFFER,
  PAYER,
  paymentFor,
  REALM,
  RECIPIENT,
  SECRET,
  signTransfer,
} from './mpp.fixture.ts'
import { createMpp, TEMPO_USDC } from './scheme.ts'

/** For `assert.throws` and `assert.rejects`. */
const refused = (problem: PaymentProblem, words: RegExp) => (error: unknown) => {
  assert.ok(error instanceof PaymentRefused, String(error))
  assert.match(error.message, words)
  assert.equal(error.problem, problem)
  return true
}

suite('a challenge of MPP', () => {
  test('is one that mppx believes, and only with our secret', () => {
    const { scheme } = createTestScheme()
    const challenge = challengeOf(scheme)
    assert.equal(Challenge.verify(challenge, { secretKey: SECRET }), true)
    assert.equal(Challenge.verify(challenge, { secretKey: `${SECRET}!` }), false)
    assert.deepEqual(challenge.request, {
      amount: '50000',
      currency: TEMPO_USDC,
      methodDetails: { chainId: 4217, supportedModes: ['pull'] },
      recipient: RECIPIENT,
    })
    assert.equal(challenge.expires, '2026-11-15T12:05:00.000Z')
    assert.equal(challenge.description, OFFER.description)
  })

  test('is written and sealed byte for byte as the scheme has it', () => {
    const { scheme } = createTestScheme()
    const { headers, members } = scheme.challenge(OFFER, 'because')
    const request =
      'eyJhbW91bnQiOiI1MDAwMCIsImN1cnJlbmN5IjoiMHgyMEMwMDAwMDAwMDAwMDAwMDAwMDAwMDBiOTUzN2QxMWM2MEU4YjUwIiwibWV0aG9kRGV0YWlscyI6eyJjaGFpbklkIjo0MjE3LCJzdXBwb3J0ZWRNb2RlcyI6WyJwdWxsIl19LCJyZWNpcGllbnQiOiIweDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwMDAwQTExY0UifQ'
    const opaque = 'eyJub25jZSI6Im9BQ0gtX2RIbkxodDAiLCJzY29wZSI6ImludGVsIn0'
    const sealed = `api.example|tempo|charge|${request}|2026-11-15T12:05:00.000Z||${opaque}`
    const id = createHmac('sha256', SECRET).update(sealed).digest('base64url')
    assert.deepEqual(headers, [
      'WWW-Authenticate',
      `Payment id="${id}", realm="api.example", method="tempo", intent="charge", request="${request}", description="Everything about a domain", expires="2026-11-15T12:05:00.000Z", opaque="${opaque}"`,
    ])
    assert.equal(members, `"challengeId":"${id}"`)
    assert.equal(id, '7dms73wte7V0Oie9Ky4vg-EbnCKPBHrpQym3t9aezCc')
    assert.equal(PaymentRequest.serialize(PaymentRequest.deserialize(request)), request)
  })

  test('is never the same twice, also not in the same millisecond', () => {
    const { scheme } = createTestScheme()
    const ids = Array.from({ length: 100 }, () => challengeOf(scheme).id)
    assert.equal(new Set(ids).size, 100)
  })

  test('survives any description', () => {
    const { scheme } = createTestScheme()
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (description) => {
        const { headers } = scheme.challenge({ ...OFFER, description }, undefined)
        assert.match(headers[1]!, /^[\x20-\xFF]*$/)
        const challenge = Challenge.deserialize(headers[1]!)
        assert.equal(challenge.description ?? '', description.replaceAll(/[\r\n]+/g, ' '))
        assert.equal(Challenge.verify(challenge, { secretKey: SECRET }), true)
      }),
    )
  })
})

suite('reading a payment of MPP', () => {
  test('takes what a client signed, and names it by what it is', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    assert.equal(payment.payer, PAYER)
    assert.match(payment.key, /^mpp:[0-9a-f]{64}$/)
    assert.equal(payment.expiresAt, Math.floor(world.clock.now() / 1000) + 25)
    const again = world.scheme.restore(payment.stored)
    const facts = ({ key, payer, proof, stored, expiresAt }: Payment) => ({ key, payer, proof, stored, expiresAt })
    assert.deepEqual(facts(again), facts(payment))
    assert.deepEqual(world.requests, [], 'nobody was asked')
  })

  test('leaves other ways of authentication alone', () => {
    const { scheme } = createTestScheme()
    const others: RequestHeaders[] = [{}, { authorization: 'Bearer abc' }, { authorization: 'Payments abc' }]
    for (const headers of others) assert.equal(scheme.parse(headers, OFFER), undefined)
  })

  test('refuses what is no credential, in words', () => {
    const { scheme } = createTestScheme()
    const write = (value: unknown) => `Payment ${Buffer.from(JSON.stringify(value)).toString('base64url')}`
    const rows: [string, RegExp][] = [
      ['Payment', /not base64url/],
      ['Payment a=b', /not base64url/],
      ['Payment YWJj', /not JSON/],
      [`Payment ${Buffer.from([0x22, 0xff, 0x22]).toString('base64url')}`, /not JSON/],
      [`Payment ${'A'.repeat(8200)}`, /too large/],
      ['Payment YWJj, Payment YWJj', /one payment/],
      [write([]), /lacks/],
      [write({}), /lacks/],
      [write({ challenge: {}, payload: {} }), /repeat the challenge/],
    ]
    for (const [authorization, words] of rows) {
      assert.throws(() => scheme.parse({ authorization }, OFFER), refused('malformed-credential', words))
    }
  })

  test('refuses a challenge that is not ours or was touched', async () => {
    const world = createTestScheme()
    const foreign = createTestScheme({ secrets: ['another secret of another server, long enough'] })
    const elsewhere = createTestScheme({ realm: 'other.example' })
    const credential = await credentialFor(world)
    const { challenge } = credential
    const touched = [
      { ...challenge, id: `${challenge.id.slice(0, -1)}${challenge.id.endsWith('A') ? 'B' : 'A'}` },
      { ...challenge, realm: 'other.example' },
      { ...challenge, method: 'stripe' },
      { ...challenge, intent: 'session' },
      { ...challenge, expires: '2026-11-16T12:05:00.000Z' },
      { ...challenge, request: { ...challenge.request, amount: '1' } },
      { ...challenge, opaque: Buffer.from('{"scope":"intel"}').toString('base64url') },
      { ...challenge, digest: 'sha-256=abc' },
      challengeOf(foreign.scheme),
      challengeOf(elsewhere.scheme),
    ]
    for (const each of touched) {
      const headers = headersOf({ ...credential, challenge: each })
      assert.throws(() => world.scheme.parse(headers, OFFER), refused('invalid-challenge', /not one of ours/))
    }
  })

  test('refuses the challenge of another offer: no other price, no other endpoint', async () => {
    const world = createTestScheme()
    const quick = { ...OFFER, scope: 'valuation', price: parseUsd('0.02') }
    const full = { ...quick, price: parseUsd('0.08') }
    const headers = headersOf(await credentialFor(world, { offer: quick }))
    assert.ok(world.scheme.parse(headers, quick))
    for (const offer of [full, { ...quick, scope: 'intel' }]) {
      assert.throws(() => world.scheme.parse(headers, offer), refused('invalid-challenge', /another offer/))
    }
  })

  test('believes challenges of the secret before, and forgets those of the one before that', async () => {
    const old = createTestScheme({ secrets: ['the old secret that was in use until yesterday'] })
    const headers = headersOf(await credentialFor(old))
    const rotated = createTestScheme({ secrets: [SECRET, 'the old secret that was in use until yesterday'] })
    assert.ok(rotated.scheme.parse(headers, OFFER))
    assert.throws(
      () => createTestScheme().scheme.parse(headers, OFFER),
      refused('invalid-challenge', /not one of ours/),
    )
  })

  test('refuses payments that are pushed or proven instead of signed', async () => {
    const world = createTestScheme()
    const credential = await credentialFor(world)
    const hash = { type: 'hash', hash: `0x${'11'.repeat(32)}` }
    const proof = { type: 'proof', signature: `0x${'11'.repeat(65)}` }
    const read = (payload: unknown) => () => world.scheme.parse(headersOf({ ...credential, payload }), OFFER)
    assert.throws(read(hash), refused('verification-failed', /leave the sending to us/))
    assert.throws(read(proof), refused('verification-failed', /no payment/))
    assert.throws(read({ type: 'transaction', signature: '0x76zz' }), refused('malformed-credential', /hexadecimal/))
    assert.throws(
      read({ type: 'transaction', signature: `0x76${'00'.repeat(1100)}` }),
      refused('malformed-credential', /too large/),
    )
  })

  test('refuses a payer who names nobody, or a chain that is not ours', async () => {
    const world = createTestScheme()
    const credential = await credentialFor(world)
    for (const source of [undefined, 'me', `did:pkh:eip155:1:${PAYER}`]) {
      const headers = headersOf({ ...credential, source })
      assert.throws(() => world.scheme.parse(headers, OFFER), refused('malformed-credential', /source/))
    }
  })

  const call = (over: object) => ({ calls: [{ to: TEMPO_USDC, data: '0x', ...over }] })
  const rows: [string, Parameters<typeof credentialFor>[1], PaymentProblem, RegExp][] = [
    ['too little', { amount: 49_999n }, 'payment-insufficient', /too little/],
    ['too much', { amount: 50_001n }, 'verification-failed', /too much/],
    ['to somebody else', { recipient: PAYER }, 'verification-failed', /somebody else/],
    ['in another token', { token: `0x20c0${'0'.repeat(36)}` }, 'verification-failed', /another token/],
    ['on another chain', { fields: { chainId: 42_431 } }, 'verification-failed', /another chain/],
    ['with no memo of ours', { memo: `0x${'00'.repeat(32)}` }, 'invalid-challenge', /memo/],
    ["with another server's memo", { memo: memoOf('other.example', 'x') }, 'invalid-challenge', /memo/],
    ["with another challenge's memo", { memo: memoOf(REALM, 'x') }, 'invalid-challenge', /memo/],
    ['by something that is no transfer', { fields: call({}) }, 'verification-failed', /not a transfer/],
    [
      'with two calls',
      { fields: { calls: [...call({}).calls, ...call({}).calls] } },
      'verification-failed',
      /more than/,
    ],
    ['with ether', { fields: call({ value: 1n }) }, 'verification-failed', /not a transfer/],
    ['with a nonce in sequence', { fields: { nonceKey: 0n, nonce: 7 } }, 'verification-failed', /nonce/],
    ['in a lane of nonces', { fields: { nonceKey: 5n } }, 'verification-failed', /nonce/],
    ['without an end', { fields: { validBefore: undefined } }, 'verification-failed', /does not expire/],
    ['with a sponsor to come', { fields: { feePayerSignature: null } }, 'verification-failed', /somebody else/],
    [
      'with a sponsor',
      { fields: { feePayerSignature: { r: `0x${'1'.repeat(64)}`, s: `0x${'1'.repeat(64)}`, yParity: 0 } } },
      'verification-failed',
      /somebody else/,
    ],
    [
      'with an access list',
      { fields: { accessList: [{ address: PAYER, storageKeys: [] }] } },
      'verification-failed',
      /access list/,
    ],
  ]
  for (const [what, draft, problem, words] of rows) {
    test(`refuses a transaction ${what}`, async () => {
      const world = createTestScheme()
      const headers = headersOf(await credentialFor(world, draft))
      assert.throws(() => world.scheme.parse(headers, OFFER), refused(problem, words))
      assert.deepEqual(world.requests, [])
    })
  }

  test('takes a fee token of the payer’s choice: that is not our money', async () => {
    assert.ok(await paymentFor(createTestScheme(), { fields: { feeToken: `0x20c0${'0'.repeat(36)}` } }))
  })

  test('refuses transactions of other kinds and such that go on after their end', async () => {
    const world = createTestScheme()
    const credential = await credentialFor(world)
    const raw = credential.payload.signature
    const rows: Hex[] = [
      raw.replace('0x76', '0x78') as Hex,
      raw.replace('0x76', '0x02') as Hex,
      `${raw}00`,
      raw.slice(0, -2) as Hex,
      raw.replace(/^0x76f9/, '0x76fa00') as Hex,
      '0x76',
      '0x76c0',
      `0x76${'c1'.repeat(1000)}`,
    ]
    for (const signature of rows) {
      const headers = headersOf({ ...credential, payload: { type: 'transaction', signature } })
      assert.throws(() => world.scheme.parse(headers, OFFER), refused('malformed-credential', /transaction/i))
    }
  })

  test('gives one key to one payment, however its signature is written', async () => {
    const world = createTestScheme()
    const credential = await credentialFor(world)
    const raw = credential.payload.signature
    const read = (signature: string) =>
      world.scheme.parse(headersOf({ ...credential, payload: { type: 'transaction', signature } }), OFFER)!
    const payment = read(raw)
    const parity = raw.endsWith('1b') ? '00' : '01'
    const variants = [raw.toUpperCase().replace('0X', '0x'), `${raw.slice(0, -2)}${parity}`]
    for (const variant of variants) {
      assert.equal(read(variant).key, payment.key)
      assert.equal(read(variant).stored, payment.stored, 'and it is sent in one spelling')
      assert.equal(read(variant).proof, payment.proof)
    }
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const s = BigInt(`0x${raw.slice(-66, -2)}`)
    const mirrored = `${raw.slice(0, -66)}${(order - s).toString(16).padStart(64, '0')}${raw.endsWith('1b') ? '1c' : '1b'}`
    assert.throws(() => read(mirrored), refused('malformed-credential', /not canonical/))
    const other = await paymentFor(world)
    assert.notEqual(other.key, payment.key)
  })

  test('never does anything but read, refuse or look away, whatever comes', async () => {
    const world = createTestScheme()
    const credential = await credentialFor(world)
    const good = Credential.serialize(credential).slice('Payment '.length)
    const raw = credential.payload.signature
    const try_ = (authorization: string) => {
      try {
        return world.scheme.parse({ authorization }, OFFER)
      } catch (error) {
        assert.ok(error instanceof PaymentRefused, String(error))
        assert.ok(!error.message.includes(raw.slice(2, 40)), 'a payment is not repeated')
        return undefined
      }
    }
    const bytes = Buffer.from(good, 'base64url')
    const original = world.scheme.parse(headersOf(credential), OFFER)!
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json(), fc.base64String()), (text) => {
        try_(`Payment ${text}`)
        try_(`Payment ${Buffer.from(text).toString('base64url')}`)
      }),
    )
    fc.assert(
      fc.property(fc.nat(bytes.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const touched = Buffer.from(bytes)
        touched[at] = touched[at]! ^ change
        try_(`Payment ${touched.toString('base64url')}`)
      }),
      { numRuns: 300 },
    )
    fc.assert(
      fc.property(fc.nat((raw.length - 2) / 2 - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const touched = Buffer.from(raw.slice(2), 'hex')
        touched[at] = touched[at]! ^ change
        const payload = { type: 'transaction', signature: `0x${touched.toString('hex')}` }
        const payment = try_(Credential.serialize({ ...credential, payload }))
        // What can still be read is signed by somebody else now, and that shows when it is checked.
        if (payment) assert.notEqual(payment.proof, original.proof)
      }),
      { numRuns: 300 },
    )
  })
})

suite('checking a payment of MPP', () => {
  test('asks once, and changes nothing', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    await payment.verify(neverAborted())
    await payment.verify(neverAborted())
    assert.deepEqual(world.requests, [
      ['eth_getTransactionReceipt', 'eth_call', 'eth_call'],
      ['eth_getTransactionReceipt', 'eth_call', 'eth_call'],
    ])
    assert.equal(world.chain.balanceOf(RECIPIENT), 0n)
  })

  test('refuses a signature of somebody else, asking nobody', async () => {
    const world = createTestScheme()
    const credential = await credentialFor(world, { key: `0x${'43'.repeat(32)}` })
    const headers = headersOf({ ...credential, source: `did:pkh:eip155:4217:${PAYER}` })
    const payment = world.scheme.parse(headers, OFFER)!
    await assert.rejects(payment.verify(neverAborted()), refused('verification-failed', /not signed by the payer/))
    assert.deepEqual(world.requests, [])
  })

  test('refuses what has expired, expires too soon, lives too long or is not valid yet, asking nobody', async () => {
    const world = createTestScheme()
    const now = Math.floor(world.clock.now() / 1000)
    const rows: [Record<string, number>, PaymentProblem, RegExp][] = [
      [{ validBefore: now }, 'payment-expired', /has expired/],
      [{ validBefore: now + 5 }, 'payment-expired', /too soon/],
      [{ validBefore: now + 61 }, 'verification-failed', /too long/],
      [{ validAfter: now + 5 }, 'verification-failed', /not valid yet/],
    ]
    for (const [fields, problem, words] of rows) {
      const payment = await paymentFor(world, { fields })
      await assert.rejects(payment.verify(neverAborted()), refused(problem, words))
    }
    assert.deepEqual(world.requests, [])
  })

  test('refuses a challenge that has expired though the transaction has not', async () => {
    const world = createTestScheme()
    const challenge = challengeOf(world.scheme)
    world.clock.advance(5 * 60_000)
    const signature = await signTransfer(world.clock.now(), { challengeId: challenge.id })
    const source = `did:pkh:eip155:4217:${PAYER}`
    const headers = headersOf({ challenge, payload: { type: 'transaction', signature }, source })
    const payment = world.scheme.parse(headers, OFFER)!
    await assert.rejects(payment.verify(neverAborted()), refused('payment-expired', /has expired/))
  })

  test('can still be read when it has expired: its answer may be waiting', async () => {
    const world = createTestScheme()
    const headers = headersOf(await credentialFor(world))
    const before = world.scheme.parse(headers, OFFER)!
    world.clock.advance(10 * 60_000)
    assert.equal(world.scheme.parse(headers, OFFER)!.key, before.key)
  })

  test('refuses a payer who has too little', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world, { key: `0x${'43'.repeat(32)}` })
    await assert.rejects(payment.verify(neverAborted()), refused('payment-insufficient', /too little money/))
  })

  test('refuses what is on the chain already: it was used, or sent by somebody else', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    await payment.settle(neverAborted())
    await assert.rejects(payment.verify(neverAborted()), refused('invalid-challenge', /sent before/))
  })

  test('says what the token says', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    const rows: [Hex, RegExp][] = [
      ['0xab35696f', /paused/],
      ['0x', /would fail/],
      ['0xdeadbeef', /would fail/],
    ]
    for (const [data, words] of rows) {
      world.intercept(async ({ method, params }, ask) => {
        const isTrial = method === 'eth_call' && 'calls' in (params[0] as object)
        return isTrial ? { ok: false, code: 3, message: 'execution reverted', data } : ask()
      })
      await assert.rejects(payment.verify(neverAborted()), refused('verification-failed', words))
    }
  })

  test('is not refused for the troubles of a node', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    world.intercept(disconnect)
    await assert.rejects(payment.verify(neverAborted()), UpstreamError)
    world.intercept(async () => ({ ok: false, code: -32_603, message: 'internal error' }))
    await assert.rejects(payment.verify(neverAborted()), UpstreamError)
    world.intercept(async () => ({ ok: true, result: 'nonsense' }))
    await assert.rejects(payment.verify(neverAborted()), UpstreamError)
  })
})

suite('settling a payment of MPP', () => {
  test('moves the money once and hands out a receipt that mppx reads', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    await payment.verify(neverAborted())
    const { transaction, headers } = await payment.settle(neverAborted())
    assert.equal(headers[0], 'Payment-Receipt')
    assert.deepEqual(Receipt.deserialize(headers[1]!), {
      method: 'tempo',
      reference: transaction,
      status: 'success',
      timestamp: '2026-11-15T12:00:00.000Z',
    })
    assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
    assert.deepEqual(world.requests.at(-1), ['eth_sendRawTransactionSync'])
    assert.deepEqual(await payment.settle(neverAborted()), { transaction, headers }, 'and again: it is known already')
    assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
  })

  test('waits for the block itself where the node does not', async () => {
    const world = createTestScheme()
    let looks = 0
    world.intercept(async ({ method }, ask) => {
      if (method === 'eth_sendRawTransactionSync') return { ok: false, code: -32_601, message: 'no such method' }
      if (method === 'eth_getTransactionReceipt' && looks++ < 3) return { ok: true, result: null }
      return ask()
    })
    await (await paymentFor(world)).settle(neverAborted())
    assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
    assert.equal(looks, 4)
    await (await paymentFor(world)).settle(neverAborted())
    assert.equal(world.requests.flat().filter((method) => method === 'eth_sendRawTransactionSync').length, 1)
  })

  test('is refused where the payer has nothing left, and withheld for good', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    await payment.verify(neverAborted())
    const drain = await paymentFor(world, { amount: 1_000_000n, offer: { ...OFFER, price: parseUsd('1') } })
    await drain.settle(neverAborted())
    await assert.rejects(payment.settle(neverAborted()), refused('verification-failed', /failed on the chain/))
    await assert.rejects(payment.recover(neverAborted()), refused('verification-failed', /failed on the chain/))
    assert.equal(world.chain.balanceOf(RECIPIENT), 1_000_000n)
  })

  test('is refused where it failed in a block, however that is found out', async () => {
    const ways: [string, RpcOutcome][] = [
      ['eth_sendRawTransaction', { ok: true, result: `0x${'11'.repeat(32)}` }],
      ['eth_sendRawTransaction', { ok: false, code: -32_000, message: 'insufficient funds' }],
      ['eth_sendRawTransactionSync', { ok: false, code: -32_000, message: 'already known' }],
      ['eth_sendRawTransactionSync', { ok: false, code: 4, message: 'not in a block in time' }],
    ]
    for (const [having, answer] of ways) {
      const world = createTestScheme()
      const payment = await paymentFor(world, { key: `0x${'43'.repeat(32)}` })
      world.intercept(async ({ method }, ask) => {
        if (!method.startsWith('eth_send')) return ask()
        if (method !== having) return { ok: false, code: -32_601, message: 'no such method' }
        await ask()
        return answer
      })
      await assert.rejects(payment.settle(neverAborted()), refused('verification-failed', /failed on the chain/))
    }
  })

  test('is refused where the node says a plain no', async () => {
    const world = createTestScheme()
    const rows: [string, PaymentProblem][] = [
      ['insufficient funds for gas * price + value', 'payment-insufficient'],
      ["Expiring nonce 'valid_before' 1 exceeds max allowed 2 (must be within 30s)", 'verification-failed'],
      ['invalid chain ID', 'verification-failed'],
      ['max fee per gas less than block base fee', 'verification-failed'],
    ]
    for (const [message, problem] of rows) {
      const payment = await paymentFor(world)
      world.intercept(async ({ method }, ask) =>
        method.startsWith('eth_send') ? { ok: false, code: -32_000, message } : ask(),
      )
      await assert.rejects(payment.settle(neverAborted()), refused(problem, /./))
    }
  })

  test('is not refused for words nobody knows: then the outcome is open', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    for (const message of ['boom', 'already known', 'transaction expired']) {
      world.intercept(async ({ method }, ask) =>
        method.startsWith('eth_send') ? { ok: false, code: -32_000, message } : ask(),
      )
      await assert.rejects(payment.settle(neverAborted()), UpstreamError)
    }
    assert.equal(await payment.recover(neverAborted()), null, 'and it can be tried again')
  })

  test('does not believe a receipt of another transaction, or one that does not show the transfer', async () => {
    const lies: ((receipt: Record<string, unknown>) => object)[] = [
      (receipt) => ({ ...receipt, transactionHash: `0x${'11'.repeat(32)}` }),
      (receipt) => ({ ...receipt, logs: [] }),
      (receipt) => ({ ...receipt, logs: (receipt['logs'] as object[]).map((log) => ({ ...log, data: '0x01' })) }),
      (receipt) => ({ ...receipt, logs: (receipt['logs'] as object[]).map((log) => ({ ...log, address: PAYER })) }),
    ]
    for (const lie of lies) {
      const world = createTestScheme()
      const payment = await paymentFor(world)
      world.intercept(async ({ method }, ask) => {
        const outcome = await ask()
        const isReceipt = outcome.ok && /Sync$|Receipt$/.test(method) && outcome.result !== null
        return isReceipt ? { ok: true, result: lie(outcome.result as Record<string, unknown>) } : outcome
      })
      await assert.rejects(payment.settle(neverAborted()), UpstreamError)
      world.intercept((_call, ask) => ask())
      assert.ok(await payment.recover(neverAborted()), 'the truth comes out later')
    }
  })

  test('says that it does not know when its time is up', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    const stop = new AbortController()
    world.intercept(async ({ method }, ask) => {
      const outcome = await ask()
      if (method.startsWith('eth_send')) stop.abort()
      return method.startsWith('eth_send') ? { ok: true, result: null } : outcome
    })
    await assert.rejects(payment.settle(stop.signal), UpstreamError)
    world.intercept((_call, ask) => ask())
    assert.ok(await payment.recover(neverAborted()))
  })
})

suite('recovering a payment of MPP', () => {
  test('finds a payment whose answer was lost, also from what another process wrote down', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    world.intercept(async ({ method }, ask) => {
      await ask()
      return method.startsWith('eth_send') ? disconnect() : ask()
    })
    await assert.rejects(payment.settle(neverAborted()), UpstreamError)
    world.intercept((_call, ask) => ask())
    const other = createMpp({ realm: REALM, secrets: [SECRET], recipient: KEY.slice(0, 42) as Hex, ...world })
    const settlement = await other.restore(payment.stored).recover(neverAborted())
    assert.equal(settlement?.headers[0], 'Payment-Receipt')
    assert.deepEqual(settlement, await payment.settle(neverAborted()), 'and settling again does no harm')
    assert.equal(world.chain.balanceOf(RECIPIENT), 50_000n)
    world.clock.advance(10 * 60_000)
    assert.ok(await payment.recover(neverAborted()), 'also long after it expired')
  })

  test('can be settled again while it is valid, is unknown for a while, and refused when its time has passed', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    assert.equal(await payment.recover(neverAborted()), null)
    world.clock.advance(25_000)
    await assert.rejects(payment.recover(neverAborted()), UpstreamError)
    await assert.rejects(payment.settle(neverAborted()), UpstreamError)
    assert.ok(!world.requests.flat().some((method) => method.startsWith('eth_send')), 'what is too late is not sent')
    world.clock.advance(31_000)
    await assert.rejects(payment.recover(neverAborted()), refused('payment-expired', /has expired/))
    await assert.rejects(payment.settle(neverAborted()), refused('payment-expired', /has expired/))
  })

  test('is not given up on the word of a node that lags behind', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    const late = `0x${Math.floor(world.clock.now() / 1000).toString(16)}`
    world.clock.advance(60_000)
    world.intercept(async ({ method }, ask) => {
      const outcome = await ask()
      const isBlock = outcome.ok && method === 'eth_getBlockByNumber'
      return isBlock ? { ok: true, result: { ...(outcome.result as object), timestamp: late } } : outcome
    })
    await assert.rejects(payment.recover(neverAborted()), UpstreamError)
  })

  test('fails as the node does', async () => {
    const world = createTestScheme()
    const payment = await paymentFor(world)
    world.intercept(disconnect)
    await assert.rejects(payment.recover(neverAborted()), UpstreamError)
  })
})
