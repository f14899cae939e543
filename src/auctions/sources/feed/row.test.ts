import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { Auction } from '../../auction.ts'
import { parseAmount, parseCurrency, parseMoney } from './amounts.ts'
import { type Field, feedMapSchema, FIELDS } from './feed-map.ts'
import { rowParser } from './row.ts'

const NOW = Date.UTC(2026, 10, 15) / 1000
const fields = Object.fromEntries(FIELDS.map((field) => [field, field]))
const map = feedMapSchema.parse({ format: 'json', fields, rates: { CHF: '1.1' } })
const good = { id: '7', domain: 'example.com', current_price: '69.00', ends_at: '2026-11-20T16:00:00Z' }

function read(record: Readonly<Record<string, unknown>>, over: object = {}) {
  const toRow = rowParser({ source: 'source_a', map: { ...map, ...over }, now: NOW })
  const whole: Readonly<Record<string, unknown>> = { ...good, ...record }
  return toRow((field: Field) => whole[field])
}
const auction = (record: Readonly<Record<string, unknown>>, over: object = {}): Auction => {
  const row = read(record, over)
  if ('refused' in row) assert.fail(row.refused)
  return row
}

suite('a record', () => {
  test('becomes an auction; unknown fields are left out', () => {
    assert.deepEqual(read({}), {
      source: 'source_a',
      externalId: '7',
      domain: 'example.com',
      tld: 'com',
      price: 69,
      currency: 'USD',
      priceUsdCents: 6900,
      bids: 0,
      endsAt: Date.UTC(2026, 10, 20, 16) / 1000,
      quality: 0,
      metrics: {},
    })
  })

  const refused: [string, Record<string, unknown>, RegExp][] = [
    ['an invalid domain', { domain: 'not a domain' }, /domain/],
    ['a domain with a control character', { domain: 'exa\u0000mple.com' }, /domain/],
    ['a domain with a line break', { domain: 'example.com\nx' }, /domain/],
    ['a domain without a TLD', { domain: 'example' }, /domain/],
    ['markup instead of a domain', { domain: '<script>.com' }, /domain/],
    ['a huge domain', { domain: `${'a'.repeat(100_000)}.com` }, /domain/],
    ['invalid punycode', { domain: 'xn--zzzzzzzz9999999.com' }, /domain/],
    ['a number instead of a domain', { domain: 5 }, /domain/],
    ['no id', { id: '' }, /id/],
    ['a huge id', { id: 'x'.repeat(129) }, /id/],
    ['an id with a control character', { id: 'a\u0007b' }, /id/],
    ['no price', { current_price: undefined }, /price/],
    ['a negative price', { current_price: '-5' }, /price/],
    ['a price that is not a number', { current_price: 'NaN' }, /price/],
    ['an infinite price', { current_price: Infinity }, /price/],
    ['an implausible price', { current_price: '50000000' }, /price/],
    ['a price with an exponent', { current_price: '1e5' }, /price/],
    ['no end', { ends_at: '' }, /end/],
    ['an end in a thousand years', { ends_at: '3026-11-20T16:00:00Z' }, /end/],
    ['an end in the last century', { ends_at: '1999-11-20T16:00:00Z' }, /end/],
    ['a currency without a rate', { currency: 'JPY' }, /rate/],
    ['an invalid currency', { currency: 'dollars' }, /currency/],
    ['an implausible bid count', { bid_count: 70_000 }, /bid count/],
    ['a negative bid count', { bid_count: -1 }, /bid count/],
  ]
  for (const [what, record, why] of refused) {
    test(`with ${what} is refused`, () => {
      const row = read(record)
      assert.ok('refused' in row)
      assert.match(row.refused, why)
    })
  }

  test('may have its domain in upper case, with a trailing dot, or in any script', () => {
    assert.equal(auction({ domain: 'EXAMPLE.Com.' }).domain, 'example.com')
    assert.equal(auction({ domain: ' München.DE ' }).domain, 'xn--mnchen-3ya.de')
    assert.deepEqual([auction({ domain: 'a.co.uk' }).domain, auction({ domain: 'a.co.uk' }).tld], ['a.co.uk', 'co.uk'])
  })

  test('keeps no link with a script, credentials or control characters, but keeps the rest', () => {
    const bad = [
      'javascript:alert(1)',
      'data:text/html,x',
      'https://u:p@shop.example/',
      'https://a b/',
      'ftp://x.example/',
    ]
    for (const url of [...bad, 'https://x.example/\u0000', `https://x.example/${'a'.repeat(3000)}`, 5]) {
      assert.equal(auction({ source_url: url }).url, undefined, String(url))
    }
    assert.equal(auction({ source_url: 'https://shop.example/1' }).url, 'https://shop.example/1')
    assert.equal(
      auction({}, { url: 'https://shop.example/{id}?d={domain}' }).url,
      'https://shop.example/7?d=example.com',
    )
  })

  test('loses an implausible metric', () => {
    const { metrics } = auction({
      metric_a_dr: 101,
      metric_c_tf: '-4',
      metric_b_score: 'high',
      metric_a_backlinks: 1e15,
      domain_age_years: 9,
      appraisal_a_value: '$2,400',
      registered_date: '2099-01-01',
      last_sold_year: 1066,
      renewal_price: 13.98,
    })
    assert.deepEqual(metrics, { domain_age_years: 9, appraisal_a_value: 2400, renewal_price: 13.98 })
  })

  test('has a start only if it is before the end', () => {
    assert.equal(auction({ started_at: '2026-12-20T16:00:00Z' }).startedAt, undefined)
    assert.equal(auction({ started_at: '2026-11-10T00:00:00Z' }).startedAt, Date.UTC(2026, 10, 10) / 1000)
  })

  test('in euros is converted at 1.08 dollars, rounded half up', () => {
    const cents = (current_price: string, currency: string) => auction({ current_price, currency }).priceUsdCents
    assert.equal(cents('199', 'EUR'), 21_492)
    assert.equal(cents('0.13', 'EUR'), 14)
    assert.equal(cents('100', '€'), 10_800)
    assert.equal(cents('100', 'US$'), 10_000)
    assert.equal(cents('100', 'GBP'), 12_700)
    assert.equal(auction({}, { currency: 'EUR' }).priceUsdCents, 7452)
  })

  test('has the currency beside its price, if it has none of its own', () => {
    const found = (current_price: string, currency?: string) => auction({ current_price, currency })
    assert.deepEqual([found('€1,000').currency, found('€1,000').priceUsdCents], ['EUR', 108_000])
    assert.deepEqual([found('1.234,56 €').currency, found('1.234,56 €').price], ['EUR', 1234.56])
    assert.equal(found('$5', 'GBP').currency, 'GBP')
    assert.equal(auction({ current_price: '54.000' }, { decimal: ',', currency: 'EUR' }).price, 54_000)
  })

  test('in pounds is converted at 1.27 dollars, or at the rate of the map', () => {
    const pounds = (rates: object) => auction({ current_price: '100', currency: '£' }, { rates }).priceUsdCents
    assert.deepEqual([pounds({}), pounds({ GBP: '1.31' })], [12_700, 13_100])
  })

  test('without a bid costs its start price', () => {
    for (const current_price of ['0', '0.00', '', '-', null]) {
      assert.equal(auction({ current_price, start_price: '8.50' }).price, 8.5, String(current_price))
    }
    assert.equal(auction({ current_price: '0' }).price, 0)
    assert.ok('refused' in read({ current_price: 'free', start_price: '8.50' }))
  })

  test('may have dashes for what is missing', () => {
    const dashes = auction({ bid_count: '-', currency: '--', metric_a_dr: '-', renewal_price: '--' })
    assert.deepEqual([dashes.bids, dashes.currency, dashes.metrics], [0, 'USD', {}])
    assert.equal(auction({ bid_count: -1 }, { negativeIsMissing: true }).bids, 0)
  })

  test('with digits as its id uses the last ones of the path, not those of the query', () => {
    const digits = (id: unknown) => read({ id }, { idPart: 'digits' })
    const link = 'https://www.godaddy.com/domain-auctions/acme-3d-org-710693000?isc=x2'
    assert.equal((digits(link) as Auction).externalId, '710693000')
    assert.ok('refused' in digits('https://www.godaddy.com/domain-auctions/acme?id=5'))
  })

  test('with a URL as its id uses the last path segment', () => {
    assert.equal(auction({ id: 'https://shop.example/market/sale/2RWaPo/' }).externalId, '2RWaPo')
    assert.equal(auction({ id: 'https://shop.example/market/2RWaPo?ref=x/y' }).externalId, '2RWaPo')
    assert.equal(auction({ id: 12 }).externalId, '12')
  })

  test('with any values is parsed or refused, and a parsed auction can be stored', () => {
    const value = fc.oneof(fc.jsonValue(), fc.string({ unit: 'binary' }), fc.double(), fc.constant(undefined))
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...FIELDS), value), (record) => {
        const row = read(record)
        if ('refused' in row) return
        assert.match(row.domain, /^[a-z0-9.-]+$/)
        assert.ok(Number.isInteger(row.priceUsdCents) && row.priceUsdCents >= 0 && row.priceUsdCents <= 0xffff_ffff)
        assert.ok(Number.isInteger(row.bids) && row.bids >= 0 && row.bids <= 0xffff)
        assert.ok(Number.isInteger(row.quality) && row.quality >= 0 && row.quality <= 100)
        assert.ok(row.url === undefined || /^https?:/.test(row.url))
      }),
    )
  })
})

test('amounts and currencies are parsed in common notations', () => {
  assert.deepEqual(
    ['$80', '2,400.50', ' 7 ', '€1,000', '12.345', '1,2345', '', 'x', '1.2.3', '$5 €'].map((text) => parseAmount(text)),
    [80, 2400.5, 7, 1000, 12.345, undefined, undefined, undefined, undefined, undefined],
  )
  assert.deepEqual(
    ['1.234,56 €', '1.234.567', '12,50', '1.234', 'EUR 5'].map((text) => parseMoney(text)),
    [
      { amount: 1234.56, currency: '€' },
      { amount: 1_234_567, currency: undefined },
      { amount: 12.5, currency: undefined },
      { amount: 1.234, currency: undefined },
      { amount: 5, currency: 'EUR' },
    ],
  )
  assert.deepEqual(
    ['54.000 EUR', '1.234,5', '7', '7.5', '1,234.50'].map((text) => parseAmount(text, ',')),
    [54_000, 1234.5, 7, undefined, undefined],
  )
  assert.deepEqual(['usd', '€', '£', 'US$', '$US', '¥', 5].map(parseCurrency), [
    'USD',
    'EUR',
    'GBP',
    'USD',
    'USD',
    undefined,
    undefined,
  ])
  assert.deepEqual([' eur ', null].map(parseCurrency), ['EUR', undefined])
})

test('an amount means the same in every notation', () => {
  fc.assert(
    fc.property(fc.nat(999_999_999), (cents) => {
      const options = { minimumFractionDigits: 2, maximumFractionDigits: 2 }
      const [english, german] = ['en', 'de'].map((locale) => (cents / 100).toLocaleString(locale, options))
      for (const text of [english!, `$${english}`, `${english} EUR`]) assert.equal(parseAmount(text), cents / 100, text)
      for (const text of [german!, `${german} €`]) {
        assert.equal(parseAmount(text), cents / 100, text)
        assert.equal(parseAmount(text, ','), cents / 100, text)
      }
    }),
  )
})
