import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { decodePaymentRequiredHeader } from '@x402/core/http'
import { PaymentRequiredV1Schema, PaymentRequiredV2Schema } from '@x402/core/schemas'
import fc from 'fast-check'
import { parseUsd } from '../../../kernel/money.ts'
import { createChallenger } from './requirements.ts'
import { BASE, BASE_USDC } from './network.ts'
import { IDENTIFIER_ANNOUNCEMENT } from './payment-identifiers.ts'
import { ACCEPTED, OFFER, PAY_TO, pairs } from './x402.fixture.ts'

const membersOf = (text: string) => JSON.parse(`{${text}}`) as Record<string, unknown>

const invite = createChallenger({ network: BASE, token: BASE_USDC, payTo: PAY_TO, sealer: { seal: () => '1.seal' } })
const decoded = (text: string | null): unknown => JSON.parse(Buffer.from(text ?? '', 'base64').toString())

/** Written from the specifications. */
const SECOND = {
  x402Version: 2,
  error: 'Payment required',
  resource: { url: OFFER.url, description: OFFER.description, mimeType: 'application/json' },
  accepts: [{ ...ACCEPTED, extra: { ...ACCEPTED.extra, seal: '1.seal' } }],
  extensions: { 'payment-identifier': IDENTIFIER_ANNOUNCEMENT },
}
const FIRST = {
  x402Version: 1,
  accepts: [
    {
      scheme: 'exact',
      network: 'base',
      maxAmountRequired: '50000',
      resource: OFFER.url,
      description: OFFER.description,
      mimeType: 'application/json',
      payTo: PAY_TO,
      maxTimeoutSeconds: 300,
      asset: BASE_USDC.address,
      extra: { name: 'USD Coin', version: '2' },
    },
  ],
}

suite('the 402 of x402', () => {
  const { headers, members: text } = invite(OFFER, undefined)
  const members = membersOf(text)
  const byName = new Headers(pairs(headers))

  test('says it to version 2 in a header, letter by letter', () => {
    assert.deepEqual(decoded(byName.get('payment-required')), SECOND)
    const simple = invite({ ...OFFER, description: 'd', url: 'https://a.example/' }, undefined)
    const letters =
      '{"x402Version":2,"error":"Payment required","resource":{"url":"https://a.example/","description":"d",' +
      '"mimeType":"application/json"},"accepts":[{"scheme":"exact","network":"eip155:8453","amount":"50000",' +
      '"asset":"0x833589fCD6eDb6E08f4c7C32D4f71b54bdA02913","payTo":"0x1111111111111111111111111111111111111111",' +
      '"maxTimeoutSeconds":300,"extra":{"name":"USD Coin","version":"2","seal":"1.seal"}}],' +
      '"extensions":{"payment-identifier":{"info":{"required":false},"schema":' +
      '{"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object","properties":' +
      '{"required":{"type":"boolean"},"id":{"type":"string","minLength":16,"maxLength":128}},"required":["required"]}}}}'
    assert.deepEqual(simple.headers.slice(0, 2), ['PAYMENT-REQUIRED', Buffer.from(letters).toString('base64')])
  })

  test('says it to version 1 in the body, and to those who look there in another header', () => {
    assert.deepEqual(members, FIRST)
    const { error, ...rest } = decoded(byName.get('x-payment-requirements')) as Record<string, unknown>
    assert.deepEqual([error, rest], ['Payment required', FIRST])
  })

  test('passes the schemas of the reference implementation', () => {
    const header = byName.get('payment-required') ?? ''
    assert.ok(PaymentRequiredV2Schema.safeParse(decodePaymentRequiredHeader(header)).success)
    assert.ok(PaymentRequiredV1Schema.safeParse({ error: 'payment_required', ...members }).success)
  })

  test('says why a payment was not taken', () => {
    const again = new Headers(pairs(invite(OFFER, 'It was "too small".').headers))
    for (const name of ['payment-required', 'x-payment-requirements']) {
      assert.equal((decoded(again.get(name)) as { error: string }).error, 'It was "too small".')
    }
  })

  test('asks each price of its own', () => {
    const amounts = ['0.02', '0.08', '0.02'].map((price) => {
      const asked = invite({ ...OFFER, price: parseUsd(price) }, undefined)
      const { accepts } = decoded(asked.headers[1]!) as { accepts: [{ amount: string }] }
      const [inBody] = membersOf(asked.members)['accepts'] as [{ maxAmountRequired: string }]
      return [accepts[0].amount, inBody.maxAmountRequired]
    })
    assert.deepEqual(amounts, [
      ['20000', '20000'],
      ['80000', '80000'],
      ['20000', '20000'],
    ])
  })

  test('whatever a URL, a description or a reason may hold, it is JSON that means it', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.string(), fc.string(), (url, description, why) => {
        const { headers, members } = invite({ ...OFFER, url, description }, why)
        const both = [headers[1], headers[3]].map((text) => decoded(text ?? '')) as Record<string, unknown>[]
        assert.deepEqual(both[0], { ...SECOND, error: why, resource: { ...SECOND.resource, url, description } })
        assert.deepEqual(both[1], { ...membersOf(members), error: why })
      }),
    )
  })
})
