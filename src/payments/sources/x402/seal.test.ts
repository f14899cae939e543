import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { manualClock } from '../../../kernel/clock.ts'
import { parseUsd } from '../../../kernel/money.ts'
import { type Offer, PaymentRefused } from '../../scheme.ts'
import { BASE, BASE_USDC } from './network.ts'
import { createX402 } from './x402.ts'
import { OFFER, PAY_TO, SECRETS, signAuthorization, v2Headers } from './x402.fixture.ts'

const nobody = () => Promise.reject(new Error('somebody was asked'))

function open(secrets: readonly string[] = SECRETS) {
  const clock = manualClock(Date.now())
  const settler = { sender: undefined, verify: nobody, send: nobody, onUnconfirmed() {} }
  const rpc = { ask: nobody, agree: nobody }
  const scheme = createX402({ network: BASE, token: BASE_USDC, payTo: PAY_TO, secrets, clock, rpc, settler })
  /** What a client sends back of the 402 for an offer. */
  const accept = (offer: Offer) => {
    const [, required] = scheme.challenge(offer, undefined).headers
    return (JSON.parse(Buffer.from(required!, 'base64').toString()) as { accepts: [object] }).accepts[0]
  }
  return { clock, scheme, accept }
}

suite('the price of a 402 that was sent', () => {
  const account = privateKeyToAccount(generatePrivateKey())
  const list: Offer = { ...OFFER, bodyFingerprint: 'one domain' }
  const raised = parseUsd('0.08')

  test('holds after the price has changed, and is what the payment is booked with', async () => {
    const { scheme, accept } = open()
    const headers = v2Headers(await signAuthorization(account), { accepted: accept(list) })
    assert.equal(scheme.parse(headers, { ...list, price: raised })?.amount, 50_000n)
    assert.equal(scheme.parse(headers, { ...list, price: parseUsd('0.01') })?.amount, 50_000n)
  })

  test('holds for keys that were rotated since, and for no others', async () => {
    const headers = v2Headers(await signAuthorization(account), { accepted: open().accept(list) })
    const offer = { ...list, price: raised }
    assert.ok(open(['a newer secret of the tests, the first', ...SECRETS]).scheme.parse(headers, offer))
    assert.throws(() => open(['some other secret of some other service']).scheme.parse(headers, offer), PaymentRefused)
  })

  for (const [what, changes] of [
    ['another URL', { url: `${OFFER.url}&more=1` }],
    ['another endpoint', { scope: 'getValuation' }],
    ['a longer list in the body', { bodyFingerprint: 'fifty domains' }],
  ] as const) {
    test(`does not buy ${what}`, async () => {
      const { scheme, accept } = open()
      const headers = v2Headers(await signAuthorization(account), { accepted: accept(list) })
      assert.throws(() => scheme.parse(headers, { ...list, price: raised, ...changes }), PaymentRefused)
    })
  }

  test('cannot be lowered by the client, and expires', async () => {
    const { scheme, accept, clock } = open()
    const payload = await signAuthorization(account, { value: 1n })
    const lowered = v2Headers(payload, { accepted: { ...accept(list), amount: '1' } })
    assert.throws(() => scheme.parse(lowered, list), PaymentRefused)
    const headers = v2Headers(await signAuthorization(account), { accepted: accept(list) })
    clock.advance(301_000)
    assert.throws(() => scheme.parse(headers, { ...list, price: raised }), PaymentRefused)
  })
})
