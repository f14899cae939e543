import assert from 'node:assert/strict'
import { before, suite, test } from 'node:test'
import fc from 'fast-check'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { manualClock } from '../../../kernel/clock.ts'
import { ApiError } from '../../../kernel/errors.ts'
import { parseUsd } from '../../../kernel/money.ts'
import { type Hex, type Payment, PaymentRefused } from '../../scheme.ts'
import { BASE, BASE_USDC } from './network.ts'
import { createX402 } from './x402.ts'
import { ACCEPTED, base64, v1Headers, OFFER, PAY_TO, SECRETS, v2Headers, signAuthorization } from './x402.fixture.ts'

/** Reading asks nobody: there is nobody here. */
const nobody = () => Promise.reject(new Error('somebody was asked'))
const scheme = createX402({
  network: BASE,
  token: BASE_USDC,
  payTo: PAY_TO,
  secrets: SECRETS,
  clock: manualClock(),
  rpc: { ask: nobody, agree: nobody },
  settler: { sender: undefined, verify: nobody, send: nobody, onUnconfirmed() {} },
})
const account = privateKeyToAccount(generatePrivateKey())
let paid: Awaited<ReturnType<typeof signAuthorization>>
before(async () => {
  paid = await signAuthorization(account)
})

const refused =
  (problem: string, message = /./) =>
  (error: unknown) => {
    assert.ok(error instanceof PaymentRefused, String(error))
    assert.equal(error.problem, problem)
    assert.match(error.message, message)
    return true
  }
const mustBeMalformed = (headers: Parameters<typeof scheme.parse>[0], message: RegExp) =>
  assert.throws(
    () => scheme.parse(headers, OFFER),
    (error: unknown) => {
      assert.ok(error instanceof ApiError && error.status === 400, String(error))
      assert.match(error.message, message)
      return true
    },
  )
const mustRefuse = (headers: Parameters<typeof scheme.parse>[0], problem: string, message = /./, offer = OFFER) =>
  assert.throws(() => scheme.parse(headers, offer), refused(problem, message))

suite('a payment among the headers', () => {
  test('is found in the header of either version, and not in others', () => {
    assert.equal(scheme.parse({}, OFFER), undefined)
    assert.equal(scheme.parse({ authorization: 'Payment abc', payment: 'x' }, OFFER), undefined)
    const { from, nonce, validBefore } = paid.authorization
    const key = `x402:8453:${BASE_USDC.address}:${from}:${nonce}`.toLowerCase()
    for (const headers of [v1Headers(paid), v2Headers(paid)]) {
      const payment = scheme.parse(headers, OFFER)
      assert.deepEqual(
        [payment?.key, payment?.payer, payment?.expiresAt],
        [key, from.toLowerCase(), Number(validBefore)],
      )
    }
  })

  test('has one key however it is written', () => {
    const { authorization, signature } = paid
    const shouted = (text: string) => `0x${text.slice(2).toUpperCase()}` as const
    const loud = {
      ...authorization,
      from: shouted(authorization.from),
      nonce: shouted(authorization.nonce),
      value: `000${authorization.value}`,
    }
    const v = Number.parseInt(signature.slice(130), 16)
    const zeroBased = `${signature.slice(0, 130)}0${v - 27}` as Hex
    const spellings = [
      v2Headers(paid),
      v1Headers(paid),
      v2Headers({ authorization: loud, signature: shouted(signature) }),
      v2Headers({ authorization, signature: zeroBased }),
      v2Headers(paid, { extensions: { mine: 1 }, resource: { url: 'https://elsewhere.example/' } }),
    ]
    const found = spellings.map((headers) => scheme.parse(headers, OFFER))
    assert.equal(new Set(found.map((payment) => payment?.key)).size, 1)
    const stored = found.map((payment) => JSON.parse(payment!.stored) as { transfer: object })
    for (const { transfer } of stored) assert.deepEqual(transfer, stored[0]!.transfer)
  })

  test('is the same again when it was written down', () => {
    const payment = scheme.parse(v1Headers(paid), OFFER)!
    const facts = ({ key, payer, stored, expiresAt }: Payment) => ({ key, payer, stored, expiresAt })
    assert.deepEqual(facts(scheme.restore(payment.stored)), facts(payment))
    const elsewhere = payment.stored.replace('8453', '84532')
    assert.throws(() => scheme.restore(elsewhere), /another chain or token/)
  })

  test('is one and not two', () => {
    mustBeMalformed({ ...v1Headers(paid), ...v2Headers(paid) }, /one/)
    const { 'payment-signature': text } = v2Headers(paid)
    mustBeMalformed({ 'payment-signature': [text, text] }, /one/)
    mustBeMalformed({ 'payment-signature': `${text}, ${text}` }, /base64/)
  })

  test('does not come in the header of the other version', () => {
    mustBeMalformed({ 'x-payment': v2Headers(paid)['payment-signature'] }, /x402Version must be 1/)
    mustBeMalformed({ 'payment-signature': v1Headers(paid)['x-payment'] }, /x402Version must be 2/)
  })

  test('is for this price, neither more nor less', async () => {
    for (const write of [v1Headers, v2Headers]) {
      mustRefuse(write(await signAuthorization(account, { value: 49_999n })), 'payment-insufficient', /49999.*50000/)
      mustRefuse(write(await signAuthorization(account, { value: 50_001n })), 'verification-failed', /50001.*50000/)
      const full = { ...OFFER, price: parseUsd('0.08') }
      mustRefuse(write(paid), 'payment-insufficient', /80000/, full)
      // A price that was accepted says nothing about what was signed.
      const lie = { accepted: { ...ACCEPTED, amount: '80000' } }
      mustRefuse(write(paid, lie), 'payment-insufficient', /80000/, full)
    }
  })

  test('is for this recipient', async () => {
    for (const write of [v1Headers, v2Headers]) {
      mustRefuse(write(await signAuthorization(account, { to: account.address })), 'verification-failed', /recipient/)
    }
  })

  for (const [field, value] of Object.entries({
    scheme: 'upto',
    network: 'eip155:84532',
    amount: '50001',
    asset: PAY_TO,
    payTo: BASE_USDC.address,
    maxTimeoutSeconds: 301,
  })) {
    test(`of version 2 was made for another ${field} and is refused`, () => {
      const pattern = new RegExp(`"${field}" differs`)
      mustRefuse(v2Headers(paid, { accepted: { ...ACCEPTED, [field]: value } }), 'verification-failed', pattern)
      const { [field]: _, ...without } = ACCEPTED as Record<string, unknown>
      mustRefuse(v2Headers(paid, { accepted: without }), 'verification-failed', pattern)
    })
  }

  test('of version 2 names the token as we do', () => {
    for (const extra of [undefined, null, [], {}, { name: 'USDC', version: '2' }, { name: 'USD Coin', version: 2 }]) {
      mustRefuse(
        v2Headers(paid, { accepted: { ...ACCEPTED, extra } }),
        'verification-failed',
        /(name|version)" differs/,
      )
    }
    const more = { ...ACCEPTED, asset: ACCEPTED.asset.toLowerCase(), extra: { ...ACCEPTED.extra, more: true } }
    assert.ok(scheme.parse(v2Headers(paid, { accepted: more }), OFFER))
  })

  test('of version 2 may have an identifier of 16 to 128 characters', () => {
    const named = (id: unknown) => v2Headers(paid, { extensions: { 'payment-identifier': { info: { id } } } })
    assert.ok(scheme.parse(named('pay_7d5d747be160e280'), OFFER))
    assert.ok(scheme.parse(v2Headers(paid, { extensions: { 'payment-identifier': { info: {} } } }), OFFER))
    for (const id of ['short', 'x'.repeat(129), 'with spaces in its text', 7, null])
      mustBeMalformed(named(id), /payment-identifier/)
  })

  test('of version 1 names the scheme and the network', () => {
    mustRefuse(v1Headers(paid, { scheme: 'upto' }), 'verification-failed', /"scheme" differs/)
    mustRefuse(v1Headers(paid, { network: 'base-sepolia' }), 'verification-failed', /"network" differs/)
    mustRefuse(v1Headers(paid, { network: 'eip155:8453' }), 'verification-failed', /"network" differs/)
  })
})

suite('what cannot be read is refused, and nothing of it repeated', () => {
  const { amount: _, ...some } = ACCEPTED
  const valid = () => ({ x402Version: 2, accepted: ACCEPTED, payload: paid })
  const withAuthorization = (changes: object) => ({
    ...valid(),
    payload: { ...paid, authorization: { ...paid.authorization, ...changes } },
  })
  const withSignature = (signature: unknown) => ({ ...valid(), payload: { ...paid, signature } })
  for (const [what, make, message] of [
    ['nothing', () => '', /not an object in JSON/],
    ['no base64', () => '{"x402Version":2}', /not base64/],
    ['base64 of URLs', () => Buffer.from('{"a":"???>>>"}').toString('base64url'), /not base64/],
    ['base64 with spaces', () => `${base64(valid())} `, /not base64/],
    ['no JSON', () => Buffer.from('secret').toString('base64'), /not an object in JSON/],
    ['no UTF-8', () => Buffer.from('7b22ff223a317d', 'hex').toString('base64'), /not an object in JSON/],
    ['a list', () => base64([]), /not an object in JSON/],
    ['null', () => base64(null), /not an object in JSON/],
    ['a number', () => base64(7), /not an object in JSON/],
    ['15 KB', () => base64({ ...valid(), extensions: 'x'.repeat(12_000) }), /longer than 14336/],
    ['no version', () => base64({ ...valid(), x402Version: '2' }), /x402Version/],
    ['no payload', () => base64({ ...valid(), payload: null }), /"payload" must be an object/],
    ['no authorization', () => base64({ ...valid(), payload: { signature: paid.signature } }), /"authorization"/],
    ['a Permit2', () => base64({ ...valid(), payload: { permit2Authorization: {} } }), /"authorization"/],
    ['nothing accepted', () => base64({ ...valid(), accepted: [some] }), /"accepted" must be an object/],
    ['an exponent', () => base64(withAuthorization({ value: '1e3' })), /"value" must be a whole number/],
    ['a JSON number instead of a string', () => base64(withAuthorization({ value: 50_000 })), /"value"/],
    ['a negative number', () => base64(withAuthorization({ validAfter: '-1' })), /"validAfter"/],
    ['a hexadecimal number', () => base64(withAuthorization({ validBefore: '0xff' })), /"validBefore"/],
    ['a number without end', () => base64(withAuthorization({ validBefore: '9'.repeat(21) })), /"validBefore"/],
    ['a short address', () => base64(withAuthorization({ from: '0x12' })), /"from" must be an address/],
    ['a name for an address', () => base64(withAuthorization({ to: 'vitalik.eth' })), /"to" must be an address/],
    ['a long nonce', () => base64(withAuthorization({ nonce: `0x${'1'.repeat(66)}` })), /"nonce" must be 32 bytes/],
    [
      'a nonce with a line after it',
      () => base64(withAuthorization({ nonce: `${paid.authorization.nonce}\n` })),
      /"nonce"/,
    ],
    ['a signature of 5 KB', () => base64(withSignature(`0x${'ab'.repeat(4097)}`)), /at most 4096 bytes/],
    ['half a byte', () => base64(withSignature('0xabc')), /"signature" must be/],
    ['an empty signature', () => base64(withSignature('0x')), /"signature" must be/],
    ['a wrapper around nothing', () => base64(withSignature(`0xab${'6492'.repeat(16)}`)), /ERC-6492/],
    ['no signature', () => base64(withSignature(undefined)), /"signature"/],
  ] as const) {
    test(what, () => {
      const text = make()
      mustBeMalformed({ 'payment-signature': text }, message)
      try {
        scheme.parse({ 'payment-signature': text }, OFFER)
      } catch (error) {
        assert.ok(!String(error).includes('secret') && !String(error).includes(paid.signature.slice(2, 40)))
      }
    })
  }

  test('whatever comes, it is a payment or a refusal, and quick', () => {
    const json = fc.json().map((text) => Buffer.from(text).toString('base64'))
    const mutated = fc
      .tuple(
        fc.constantFrom('x402Version', 'accepted', 'payload', 'authorization', 'signature', 'from', 'value', 'nonce'),
        fc.jsonValue(),
      )
      .map(([name, value]) => {
        const text = JSON.stringify(valid(), (key, old: unknown) => (key === name ? value : old))
        return Buffer.from(text).toString('base64')
      })
    const cut = fc.tuple(fc.nat(), fc.nat(), fc.string()).map(([from, to, middle]) => {
      const { 'payment-signature': text } = v2Headers(paid)
      return text.slice(0, from % text.length) + middle + text.slice(to % text.length)
    })
    const names = fc.constantFrom('payment-signature', 'x-payment')
    fc.assert(
      fc.property(names, fc.oneof(fc.string(), fc.base64String(), json, mutated, cut), (name, text) => {
        try {
          scheme.parse({ [name]: text }, OFFER)
        } catch (error) {
          assert.ok(error instanceof PaymentRefused || error instanceof ApiError, String(error))
          assert.ok(error.message.length < 250)
        }
      }),
      { numRuns: 2000 },
    )
  })

  test('brackets without end are no trouble', () => {
    const deep = Buffer.from('['.repeat(6000)).toString('base64')
    mustBeMalformed({ 'x-payment': deep }, /JSON/)
    const closed = Buffer.from(`${'{"a":'.repeat(1000)}1${'}'.repeat(1000)}`).toString('base64')
    mustBeMalformed({ 'x-payment': closed }, /x402Version/)
  })
})
