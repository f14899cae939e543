import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { parseEur, parseUsd } from '../kernel/money.ts'
import type { Offer, Price } from './marketplace.ts'
import { priceIn, roundPrice } from './prices.ts'
import { type Finding, type Findings, ttlSecondsOf, listingsOf, summaryOf } from './report.ts'

const usd = (text: string): Price => ({ micros: parseUsd(text), currency: 'USD' })
const eur = (text: string): Price => ({ micros: parseEur(text), currency: 'EUR' })
const gbp = (text: string): Price => ({ micros: parseUsd(text), currency: 'GBP' })

const offer = (sale: Offer['sale'], price: Price | null = null): Offer => ({
  sale,
  price,
  makeOffer: sale === 'makeOffer',
  auction: null,
  url: null,
})
const finding = (source: Finding['source'], what: Offer | null): Finding => ({
  source,
  platform: 'Somewhere',
  page: { url: 'https://shop.example/', affiliateUrl: 'https://shop.example/?me' },
  offer: what,
  responseMs: 5,
})
const findings = (answers: Finding[], failures: Findings['failures'] = []): Findings => ({
  answers,
  failures,
  askedAt: '2026-11-15T12:00:00.000Z',
})
const failed = (code: 'timeout' | 'not_configured') => ({
  source: 'source_b' as const,
  code,
  message: '',
  retryAtMs: null,
})

test('the TTL is the shortest of all parts', () => {
  const rows: [Findings, number][] = [
    [findings([finding('source_a', offer('buyNow', usd('9')))]), 900],
    [findings([finding('source_a', offer('makeOffer'))]), 1800],
    [findings([finding('source_a', offer('auction', usd('9')))]), 300],
    [findings([finding('source_a', null)]), 3600],
    [findings([finding('source_a', null), finding('source_b', offer('buyNow', usd('9')))]), 900],
    [findings([finding('source_a', null)], [failed('timeout')]), 30],
    [findings([finding('source_a', null)], [failed('not_configured')]), 3600],
    [findings([], [failed('not_configured')]), 30],
    [findings([], [failed('timeout')]), 30],
  ]
  for (const [what, seconds] of rows) assert.equal(ttlSecondsOf(what), seconds)
})

test('the lowest price is the lowest across currencies', () => {
  const lowest = (...prices: Price[]) =>
    summaryOf(
      findings(prices.map((price, at) => finding(at === 0 ? 'source_a' : 'source_b', offer('buyNow', price)))),
      2,
      'USD',
    ).lowestPrice
  assert.deepEqual(lowest(eur('100'), usd('107')), {
    amount: 107,
    currency: 'USD',
    source: 'source_b',
    saleType: 'buyNow',
  })
  assert.deepEqual(lowest(eur('100'), usd('109')), {
    amount: 108,
    currency: 'USD',
    source: 'source_a',
    saleType: 'buyNow',
  })
  // There is no rate for pounds, so a price in pounds is the lowest only if it is the only one.
  assert.equal(lowest(gbp('1'), usd('109'))?.source, 'source_b')
  assert.deepEqual(lowest(gbp('1')), { amount: 1, currency: 'GBP', source: 'source_a', saleType: 'buyNow' })
})

test('prices are converted to the requested currency if there is a rate', () => {
  assert.deepEqual(roundPrice(priceIn(eur('1000'), 'USD')), { amount: 1080, currency: 'USD' })
  assert.deepEqual(roundPrice(priceIn(usd('1080'), 'EUR')), { amount: 1000, currency: 'EUR' })
  assert.deepEqual(roundPrice(priceIn(eur('1000'), 'EUR')), { amount: 1000, currency: 'EUR' })
  assert.deepEqual(roundPrice(priceIn(gbp('1000'), 'USD')), { amount: 1000, currency: 'GBP' })
  assert.deepEqual(roundPrice(usd('0.015')), { amount: 0.02, currency: 'USD' })
})

test('conversion to euros and back is exact to the cent', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 1n, max: 100_000_000n }), (cents) => {
      const price: Price = { micros: cents * 10_000n, currency: 'USD' }
      assert.deepEqual(roundPrice(priceIn(priceIn(price, 'EUR'), 'USD')), roundPrice(price))
    }),
  )
})

test('the summary counts listings and kinds of sale', () => {
  const all = findings(
    [finding('source_a', offer('auction')), finding('source_b', offer('backorder')), finding('dns_for_sale', null)],
    [failed('timeout')],
  )
  assert.deepEqual(summaryOf(all, 3, 'USD'), {
    totalSources: 3,
    sourcesChecked: 4,
    sourcesWithData: 3,
    listedCount: 2,
    hasAuction: true,
    hasMakeOffer: false,
    hasBackorder: true,
  })
  assert.deepEqual(
    listingsOf(all, 'USD').map(({ status, saleType, auctionDetails }) => [status, saleType, auctionDetails]),
    [
      ['auction', 'auction', { endsAt: null, bidCount: null, reserveMet: null }],
      ['backorder', 'backorder', undefined],
      ['notListed', undefined, undefined],
    ],
  )
})
