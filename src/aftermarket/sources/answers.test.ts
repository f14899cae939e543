import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { UpstreamError, type UpstreamFailure } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import { parseForSale } from './dns-for-sale.ts'
import { parseReply as readJson } from './json-marketplace.ts'
import { parseLink, parsePrice, parseTime } from './values.ts'
import { parseReply as readXml } from './xml-marketplace.ts'

const name = 'example.com' as DomainName
const usd = (dollars: number) => ({ micros: BigInt(dollars) * 1_000_000n, currency: 'USD' })
const plain = { makeOffer: false, auction: null, url: null }

const list = (fields: string) =>
  `<?xml version="1.0"?><SEDOLIST xmlns="x"><item><domain>EXAMPLE.com</domain>${fields}</item></SEDOLIST>`
const fails = (run: () => unknown, failure: UpstreamFailure) =>
  assert.throws(run, (error) => error instanceof UpstreamError && error.failure === failure)

test('XML: a price, a request for offers, and not for sale', () => {
  const fields = '<forsale>true</forsale><price>500.00</price><currency>EUR</currency>'
  assert.deepEqual(readXml(list(fields), name), {
    ...plain,
    sale: 'buyNow',
    price: { micros: 500_000_000n, currency: 'EUR' },
  })
  assert.deepEqual(readXml(list('<forsale>1</forsale><price>0.00</price><currency>1</currency>'), name), {
    ...plain,
    sale: 'makeOffer',
    price: null,
    makeOffer: true,
  })
  assert.equal(readXml(list('<forsale>false</forsale>'), name), null)
})

test('XML: the text of a fault decides the failure', () => {
  const fault = (words: string) => `<SEDOFAULT><faultcode>E1</faultcode><faultstring>${words}</faultstring></SEDOFAULT>`
  fails(() => readXml(fault('not accepted'), name), 'auth_error')
  fails(() => readXml(fault('daily limit reached'), name), 'rate_limited')
  fails(() => readXml(fault('no idea'), name), 'unavailable')
})

test('XML: a reply that is invalid or about another domain is refused', () => {
  const others = [
    '',
    'Not found',
    '<SEDOLIST>',
    '<html><body><p>Welcome<p></body></html>',
    list('<forsale>true</forsale>').replace('EXAMPLE', 'other'),
    list('<forsale>true</forsale><price>-3</price><currency>USD</currency>'),
    list('<forsale>true</forsale><price>99999999999999</price><currency>USD</currency>'),
    list('<forsale>true</forsale><price>5</price><currency>&lt;b&gt;</currency>'),
    '<!DOCTYPE x [<!ENTITY a "aaaa">]><SEDOLIST><item><domain>example.com</domain><forsale>&a;</forsale></item></SEDOLIST>',
    '<a>'.repeat(100_000),
  ]
  for (const text of others) fails(() => readXml(text, name), 'unavailable')
})

test('JSON: every kind of sale', () => {
  const sale = (fields: object) => readJson({ domainName: 'EXAMPLE.COM', ...fields }, name)
  assert.deepEqual(sale({ auctionType: 'BuyNow', price: '$2,400', link: 'https://shop.example/x' }), {
    ...plain,
    sale: 'buyNow',
    price: usd(2400),
    url: 'https://shop.example/x',
  })
  assert.deepEqual(
    sale({
      auctionType: 'Bid',
      price: 120,
      auctionEndTime: '2026-12-01T16:00:00Z',
      numberOfBids: 3,
      reserveMet: false,
    }),
    {
      ...plain,
      sale: 'auction',
      price: usd(120),
      auction: { endsAt: '2026-12-01T16:00:00.000Z', bidCount: 3, reserveMet: false },
    },
  )
  assert.partialDeepStrictEqual(sale({ auctionType: 'BuyNow', price: 0 }), { sale: 'makeOffer', makeOffer: true })
  assert.partialDeepStrictEqual(sale({ auctionType: 'BuyNow', price: 5, acceptsOffers: true }), { makeOffer: true })
  assert.partialDeepStrictEqual(sale({ auctionType: 'Backorder', price: 69 }), { sale: 'backorder', price: usd(69) })
  assert.equal(sale({ auctionType: 'None' }), null)
})

test('JSON: a reply that is invalid or about another domain is refused', () => {
  const good = { domainName: 'example.com', auctionType: 'BuyNow', price: 5 }
  const others: unknown[] = [
    null,
    [],
    'yes',
    {},
    { ...good, domainName: 'other.com' },
    { ...good, auctionType: 'Gift' },
    { ...good, price: -1 },
    { ...good, price: 'a lot' },
    { ...good, price: 1e11 },
    { ...good, currency: 'U\nD' },
    { ...good, numberOfBids: 1e9 },
  ]
  for (const body of others) fails(() => readJson(body, name), 'unavailable')
  // An invalid link is not an error: the marketplace's own page is used.
  for (const link of [
    'javascript:alert(1)',
    'https://a:b@shop.example/',
    'https://shop.example/\u0000',
    'ftp://x.example/',
  ])
    assert.equal(readJson({ ...good, link }, name)?.url, null)
})

test('DNS: the tags of RFC 10023, one in a record, in any order', () => {
  const found = { ...plain, sale: 'buyNow', price: usd(750), url: 'https://example.com/fs' }
  const texts = ['v=FORSALE1;ftxt=Call for info.', 'v=FORSALE1;furi=https://example.com/fs', 'v=FORSALE1;fval=USD750']
  assert.deepEqual(parseForSale(texts), found)
  assert.deepEqual(parseForSale(texts.toReversed()), found)
  assert.deepEqual(parseForSale(['v=FORSALE1;']), { ...plain, sale: 'makeOffer', price: null, makeOffer: true })
  assert.equal(parseForSale(['v=FORSALE1;furi=mailto:jo@example.com'])?.url, 'mailto:jo@example.com')
  assert.equal(parseForSale(['v=FORSALE1;furi=tel:+1-555-0100'])?.url, 'tel:+1-555-0100')
})

test('DNS: other records are ignored, and hostile values are skipped', () => {
  assert.equal(parseForSale([]), null)
  assert.equal(parseForSale(['v=spf1 -all', 'v=FORSALE2;fval=USD1', ' v=FORSALE1;']), null)
  const hostile = ['javascript:alert(1)', 'https://x.example/\u0007', 'file:///etc/passwd', 'mailto:a@b.c?bcc=d@e.f']
  for (const uri of hostile) assert.equal(parseForSale([`v=FORSALE1;furi=${uri}`])?.url, null)
  for (const value of ['USD-5', 'USD', '750', 'usd750', 'USD1e9', 'USD99999999999', 'USD0'])
    assert.equal(parseForSale([`v=FORSALE1;fval=${value}`])?.price, null)
})

test('for any input, parsed values are safe to return', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), (one, other) => {
      const link = parseLink(one)
      assert.ok(link === null || /^https?:\/\/[^\s@]*(?:[/?#]|$)/.test(link))
      const price = parsePrice(one, other)
      assert.ok(price === undefined || price === null || price.micros > 0n)
      assert.ok((parseTime(one) ?? '2').startsWith('2'))
      try {
        readXml(one, name)
      } catch (error) {
        assert.ok(error instanceof UpstreamError)
      }
      parseForSale([`v=FORSALE1;${one}`, other])
    }),
  )
})
