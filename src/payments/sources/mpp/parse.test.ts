import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { Credential } from 'mppx'
import { ApiError } from '../../../kernel/errors.ts'
import { type Hex, type Payment, type PaymentProblem, PaymentRefused, type RequestHeaders } from '../../scheme.ts'
import {
  createTestScheme,
  credentialFor,
  headersOf,
  OFFER,
  PAYER,
  paymentFor,
  refused,
  memoOf,
  REALM,
} from './mpp.fixture.ts'
import { TEMPO_USDC } from './scheme.ts'

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
      [write([]), /lacks/],
      [write({}), /lacks/],
      [write({ challenge: {}, payload: {} }), /repeat the challenge/],
    ]
    for (const [authorization, words] of rows) {
      assert.throws(() => scheme.parse({ authorization }, OFFER), refused('malformed-credential', words))
    }
  })

  test('refuses what is neither a signed transaction nor the hash of one', async () => {
    const world = createTestScheme()
    const credential = await credentialFor(world)
    const proof = { type: 'proof', signature: `0x${'11'.repeat(65)}` }
    const read = (payload: unknown) => () => world.scheme.parse(headersOf({ ...credential, payload }), OFFER)
    for (const hash of [undefined, '0x', `0x${'11'.repeat(31)}`, `0x${'zz'.repeat(32)}`])
      assert.throws(read({ type: 'hash', hash }), refused('malformed-credential', /hash/))
    assert.throws(read(proof), refused('verification-failed', /no payment/))
    assert.throws(read({ type: 'transaction', signature: '0x76zz' }), refused('malformed-credential', /hexadecimal/))
    assert.throws(
      read({ type: 'transaction', signature: `0x76${'00'.repeat(2500)}` }),
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
      /not a transfer/,
    ],
    ['with ether', { fields: call({ value: 1n }) }, 'verification-failed', /not a transfer/],
    ['with a nonce that is counted and expires', { fields: { nonce: 7 } }, 'verification-failed', /nonce/],
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
        assert.ok(error instanceof PaymentRefused || error instanceof ApiError, String(error))
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
        // Only the last byte, the recovery bit, can be written in two ways.
        if (payment && at < touched.length - 1) assert.notEqual(payment.proof, original.proof)
      }),
      { numRuns: 300 },
    )
  })
})
