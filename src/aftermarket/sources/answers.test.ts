import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { UpstreamError, type UpstreamFailure } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import { parseForSale } from './dns-for-sale.ts'
import { parseDynadot } from './dynadot.ts'
import { parseFastly } from './fastly.ts'
import { parsePorkbun } from './porkbun.ts'
import { parseSedo } from './sedo.ts'
import { parseLink, parsePrice } from './values.ts'

const name = 'acme.io' as DomainName
const other = 'other.io' as DomainName
const usd = (dollars: number) => ({ micros: BigInt(dollars) * 1_000_000n, currency: 'USD' })
const plain = { makeOffer: false, auction: null, url: null }
const offers = { ...plain, sale: 'makeOffer', price: null, makeOffer: true }

const fixture = (file: string) =>
  readFileSync(new URL(`../../../test/fixtures/aftermarket/${file}`, import.meta.url), 'utf8')
const json = (file: string): unknown => JSON.parse(fixture(file))
const fails = (run: () => unknown, failure: UpstreamFailure) =>
  assert.throws(run, (error) => error instanceof UpstreamError && error.failure === failure)

test('Sedo: a price, a request for offers, and not for sale', () => {
  const price = { micros: 500_000_000n, currency: 'EUR' }
  assert.deepEqual(parseSedo(fixture('sedo-listed.xml'), name), { ...plain, sale: 'buyNow', price })
  assert.deepEqual(parseSedo(fixture('sedo-look-alikes.xml'), name), offers)
  assert.equal(parseSedo(fixture('sedo-not-listed.xml'), name), null)
  const pounds = fixture('sedo-look-alikes.xml').replace('<price>0.00', '<price>7.00')
  assert.deepEqual(parseSedo(pounds, name)?.price, { micros: 7_000_000n, currency: 'GBP' })
})

test('Sedo: a fault inside HTTP 200 is a failure, by its code or its text', () => {
  const fault = (code: string, words: string) =>
    `<SEDOFAULT><faultcode>${code}</faultcode><faultstring>${words}</faultstring></SEDOFAULT>`
  fails(() => parseSedo(fixture('sedo-fault.xml'), name), 'auth_error')
  for (const code of ['E5', 'E6', 'E12']) fails(() => parseSedo(fault(code, 'no'), name), 'auth_error')
  fails(() => parseSedo(fault('E99', 'not accepted'), name), 'auth_error')
  fails(() => parseSedo(fault('E99', 'daily limit reached'), name), 'rate_limited')
  fails(() => parseSedo(fault('E99', 'no idea'), name), 'unavailable')
})

test('Dynadot: a price, the price that means offers, and no listing', () => {
  assert.deepEqual(parseDynadot(fixture('dynadot-listed.xml'), name), { ...plain, sale: 'buyNow', price: usd(2400) })
  assert.deepEqual(parseDynadot(fixture('dynadot-offers.xml'), name), offers)
  const error = (words: string) => fixture('dynadot-error.xml').replace(/<Error>.*<\/Error>/, `<Error>${words}</Error>`)
  assert.equal(parseDynadot(error('acme.io is not listed for sale'), name), null)
  fails(() => parseDynadot(fixture('dynadot-error.xml'), name), 'rate_limited')
  fails(() => parseDynadot(error('Invalid API key'), name), 'auth_error')
  fails(() => parseDynadot(error('Something else'), name), 'unavailable')
  fails(() => parseDynadot('<Response/>', name), 'unavailable')
})

test('Fastly: the lowest offer of several vendors, and only for domains that are marketed', () => {
  const listed = json('fastly-listed.json') as { status: string; offers: unknown[] }
  assert.deepEqual(parseFastly(listed, name), {
    ...plain,
    sale: 'buyNow',
    price: usd(250),
    url: 'https://www.afternic.com/forsale/acme.io',
  })
  assert.partialDeepStrictEqual(parseFastly({ ...listed, offers: [] }, name), { sale: 'makeOffer', price: null })
  assert.equal(parseFastly(json('fastly-not-listed.json'), name), null)
  assert.equal(parseFastly({ ...listed, status: 'marketed inactive' }, name), null)
})

test('Porkbun: the listing of exactly this domain in a list of similar ones', () => {
  assert.deepEqual(parsePorkbun(json('porkbun-listed.json'), name), { ...plain, sale: 'buyNow', price: usd(1499) })
  assert.equal(parsePorkbun(json('porkbun-listed.json'), other), null)
  fails(() => parsePorkbun(json('porkbun-error.json'), name), 'auth_error')
  const domains = Array.from({ length: 1000 }, (_, at) => ({ domain: `acme${at}.io`, price: 5 }))
  fails(() => parsePorkbun({ status: 'SUCCESS', domains }, name), 'unavailable')
})

test('a marketplace that replies about another domain is not believed', () => {
  fails(() => parseSedo(fixture('sedo-listed.xml'), other), 'unavailable')
  fails(() => parseDynadot(fixture('dynadot-listed.xml'), other), 'unavailable')
  fails(() => parseFastly(json('fastly-listed.json'), other), 'unavailable')
})

test('an invalid XML reply is refused', () => {
  const [listed, listing] = [fixture('sedo-listed.xml'), fixture('dynadot-listed.xml')]
  const sedo = [
    listed.replace('500.00', '-3'),
    listed.replace('500.00', '99999999999999'),
    listed.replace('EUR', '&lt;b&gt;'),
    listed.replace('<SEDOLIST>', '<!DOCTYPE x [<!ENTITY a "aaaa">]><SEDOLIST>').replace('true', '&a;'),
  ]
  const dynadot = [listing.replace('2400.00', '-5'), listing.replace('2400.00', 'a lot'), listing.replace('Price', 'P')]
  const both = ['', 'Not found', '<SEDOLIST>', '<html><body><p>Welcome<p></body></html>', '<a>'.repeat(100_000)]
  for (const text of [...both, ...sedo]) fails(() => parseSedo(text, name), 'unavailable')
  for (const text of [...both, ...dynadot]) fails(() => parseDynadot(text, name), 'unavailable')
})

test('an invalid JSON reply is refused', () => {
  const status = json('fastly-listed.json') as object
  const list = json('porkbun-listed.json') as { domains: object[] }
  const priced = (price: unknown) => ({ ...list, domains: [{ domain: 'acme.io', price }] })
  const offered = (offer: object) => ({ ...status, offers: [{ vendor: 'x', currency: 'USD', price: '5', ...offer }] })
  for (const body of [null, [], 'yes', {}, offered({ price: '-1' }), offered({ price: 5 }), offered({ currency: '$' })])
    fails(() => parseFastly(body, name), 'unavailable')
  for (const body of [null, [], 'yes', {}, priced(-1), priced('a lot'), priced(1e11), priced(null)])
    fails(() => parsePorkbun(body, name), 'unavailable')
})

test('DNS: the tags of RFC 10023, one in a record, in any order', () => {
  const found = { ...plain, sale: 'buyNow', price: usd(750), url: 'https://example.com/fs' }
  const texts = ['v=FORSALE1;ftxt=Call for info.', 'v=FORSALE1;furi=https://example.com/fs', 'v=FORSALE1;fval=USD750']
  assert.deepEqual(parseForSale(texts), found)
  assert.deepEqual(parseForSale(texts.toReversed()), found)
  assert.equal(parseForSale(['v=FORSALE1;furi=mailto:jo@example.com'])?.url, 'mailto:jo@example.com')
  assert.equal(parseForSale(['v=FORSALE1;furi=tel:+1-555-0100'])?.url, 'tel:+1-555-0100')
})

test('DNS: a record with bad or no content still says that the domain is for sale', () => {
  for (const content of ['', 'fval', 'fcod=x', 'nonsense', 'fval=cheap', 'ftxt=', '\u0000', 'fval=USD1;furi=x'])
    assert.deepEqual(parseForSale([`v=FORSALE1;${content}`]), offers, content)
})

test('DNS: the version is exact and first, and hostile values are skipped', () => {
  assert.equal(parseForSale([]), null)
  const others = [
    'v=spf1 -all',
    'v=FORSALE2;fval=USD1',
    ' v=FORSALE1;',
    'V=FORSALE1;',
    'v=FORSALE1',
    'fval=USD1;v=FORSALE1;',
  ]
  for (const text of others) assert.equal(parseForSale([text]), null, text)
  const hostile = ['javascript:alert(1)', 'https://x.example/\u0007', 'file:///etc/passwd', 'mailto:a@b.c?bcc=d@e.f']
  for (const uri of hostile) assert.equal(parseForSale([`v=FORSALE1;furi=${uri}`])?.url, null)
  for (const value of ['USD-5', 'USD', '750', 'usd750', 'USD1e9', 'USD99999999999', 'USD0'])
    assert.equal(parseForSale([`v=FORSALE1;fval=${value}`])?.price, null)
})

test('for any input, parsed values are safe to return', () => {
  fc.assert(
    fc.property(fc.string(), fc.string(), fc.jsonValue(), (one, two, value) => {
      const link = parseLink(one)
      assert.ok(link === null || /^https?:\/\/[^\s@]*(?:[/?#]|$)/.test(link))
      const price = parsePrice(one, two)
      assert.ok(price === undefined || price === null || price.micros > 0n)
      const parsers = [() => parseSedo(one, name), () => parseDynadot(one, name)]
      for (const parse of [...parsers, () => parseFastly(value, name), () => parsePorkbun(value, name)]) {
        try {
          parse()
        } catch (error) {
          assert.ok(error instanceof UpstreamError)
        }
      }
      parseForSale([`v=FORSALE1;${one}`, two])
    }),
  )
})
