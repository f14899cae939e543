import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { valueDomains } from '../../src/valuation/contract.ts'
import { fundedWallet } from '../support/paid-wallets.ts'
import { payer, pricesOf, refusal, startValuationDoor, type ValuationReply } from './paid.fixture.ts'

const door = await startValuationDoor()

suite('POST /v1/valuation', () => {
  test('one payment covers the list, at the quick price for each distinct domain', async () => {
    const domains = ['petfood.com', 'PetFood.com', 'example.net', 'petfood.com.']
    const unpaid = await door.post('/v1/valuation', { domains })
    assert.deepEqual(refusal(unpaid), [402, 'payment_required'])
    assert.deepEqual(pricesOf(unpaid), ['40000', '40000'])
    const headers = await payer(unpaid, fundedWallet(door.chains), door.clock)
    const reply = await door.post('/v1/valuation', { domains }, headers)
    assert.equal(reply.status, 200, reply.text)
    const answer = valueDomains.output.parse(reply.body)
    assert.deepEqual(
      answer.valuations.map(({ domain }) => domain),
      ['petfood.com', 'example.net'],
    )
    assert.equal(answer.total, 2)
    const alone = (await door.buy('/v1/valuation/petfood.com')).body as ValuationReply
    assert.deepEqual(answer.valuations[0]!.estimate, alone.estimate)
  })

  test('a thousand domains cost twenty dollars', async () => {
    // Of maximum length: the body limit must allow them.
    const domains = Array.from({ length: 1000 }, (_, at) => `${String(at).padStart(4, 'a')}${'x'.repeat(59)}.com`)
    const unpaid = await door.post('/v1/valuation', { domains })
    assert.deepEqual([unpaid.status, pricesOf(unpaid)], [402, ['20000000', '20000000']])
    const wallet = fundedWallet(door.chains, 25_000_000n)
    const before = door.chains.base.balanceOf(wallet.address)
    const reply = await door.post('/v1/valuation', { domains }, await payer(unpaid, wallet, door.clock))
    assert.equal((reply.body as { total: number }).total, 1000)
    assert.equal(before - door.chains.base.balanceOf(wallet.address), 20_000_000n)
  })

  const wrongLists: [string, unknown, string][] = [
    ['a missing list', {}, 'missing_parameter'],
    ['an empty list', { domains: [] }, 'invalid_domain'],
    ['a string instead of a list', { domains: 'example.com' }, 'invalid_domain'],
    ['a list of 1001 domains', { domains: Array.from({ length: 1001 }, (_, at) => `n${at}.com`) }, 'invalid_domain'],
    ['a list with an invalid domain', { domains: ['example.com', 'example'] }, 'invalid_domain'],
    ['a sub-domain', { domains: ['example.com', 'www.example.com'] }, 'invalid_domain'],
    ['an unknown TLD', { domains: ['example.notatld'] }, 'invalid_domain'],
    ['a number', { domains: [7] }, 'invalid_domain'],
    ['a control character', { domains: ['exa\u0000mple.com'] }, 'invalid_domain'],
    ['a body that is too large', `{"domains":["${'x'.repeat(310_000)}"]}`, 'invalid_request'],
    ['a body that is not JSON', '{"domains":', 'invalid_request'],
  ]
  for (const [what, body, code] of wrongLists)
    test(`${what} is refused before payment is requested`, async () => {
      const reply = await door.post('/v1/valuation', body)
      assert.deepEqual(refusal(reply), [400, code], reply.text.slice(0, 200))
      assert.ok(!reply.headers.has('payment-required'))
    })

  test('a payment for one list does not pay for another', async () => {
    const unpaid = await door.post('/v1/valuation', { domains: ['petfood.com'] })
    const headers = await payer(unpaid, fundedWallet(door.chains), door.clock)
    assert.equal((await door.post('/v1/valuation', { domains: ['petfood.com'] }, headers)).status, 200)
    assert.notEqual((await door.post('/v1/valuation', { domains: ['example.com'] }, headers)).status, 200)
  })
})
