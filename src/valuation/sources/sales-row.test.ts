import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { columnsOf, readSale } from './sales-row.ts'

const columns = columnsOf(['domain', 'price_usd', 'date', 'source'], false)
assert.ok(typeof columns !== 'string')
const terms = { columns, suffixes: new Set(['com', 'co.uk']), today: '2026-11-15', source: null }
const GOOD = ['example.com', '1200', '2024-02-29', 'Example Auctions']
const read = (changes: Record<number, string>, more = {}) =>
  readSale(
    GOOD.map((field, at) => changes[at] ?? field),
    { ...terms, ...more },
  )

function problemOf(outcome: unknown): string {
  assert.ok(typeof outcome === 'string', JSON.stringify(outcome))
  return outcome
}

suite('a row of a sales file', () => {
  test('is read', () => {
    const expected = { domain: 'example.com', label: 'example', tld: 'com', price: 1200, date: '2024-02-29' }
    assert.deepEqual(read({}), { ...expected, source: 'Example Auctions' })
    assert.deepEqual(read({ 0: ' Example.COM. ' }), { ...expected, source: 'Example Auctions' })
    assert.deepEqual(read({ 3: '' }, { source: 'Ours' }), { ...expected, source: 'Ours' })
  })

  for (const [text, price] of [
    ['1200.00', 1200],
    ['$1,200', 1200],
    ['$ 30,000,000.00', 30_000_000],
    ['99.5', 100],
    ['1000000000', 1_000_000_000],
  ] as const)
    test(`may cost ${text}`, () => assert.equal((read({ 1: text }) as { price: number }).price, price))

  const refused: [string, Record<number, string>, RegExp][] = [
    ['no domain', { 0: '' }, /the domain is empty/],
    ['a URL', { 0: 'https://example.com/' }, /looks like a URL/],
    ['a sub-domain', { 0: 'www.example.com' }, /sub-domain/],
    ['a TLD we do not know', { 0: 'example.zzz' }, /not supported/],
    ['a control character in the domain', { 0: 'exa\u0000mple.com' }, /control character/],
    ['a formula for a spreadsheet', { 0: '=cmd()' }, /contains/],
    ['no price', { 1: '' }, /not an amount/],
    ['a price in words', { 1: 'mid six figures' }, /not an amount/],
    ['a price with a wrong comma', { 1: '1,2000' }, /not an amount/],
    ['a negative price', { 1: '-5' }, /not an amount/],
    ['a price in another notation', { 1: '1e9' }, /not an amount/],
    ['a price of nothing', { 1: '0.4' }, /nothing/],
    ['an absurd price', { 1: '1000000001' }, /higher than any/],
    ['a longer absurd price', { 1: '9'.repeat(400) }, /not an amount/],
    ['no date', { 2: '' }, /full date/],
    ['a year', { 2: '2024' }, /full date/],
    ['a month', { 2: '2024-02' }, /full date/],
    ['a date as Americans write it', { 2: '02/29/2024' }, /full date/],
    ['a day that never was', { 2: '2023-02-29' }, /no such day/],
    ['an invalid month', { 2: '2023-13-01' }, /no such day/],
    ['a day to come', { 2: '2026-11-16' }, /future/],
    ['a day before all domains', { 2: '1970-01-01' }, /before there were domains/],
    ['no source', { 3: ' ' }, /source is missing/],
    ['a control character in the source', { 3: 'a\u001b[2Jb' }, /cannot be shown/],
    ['a source that turns the line around', { 3: 'a\u202eb' }, /cannot be shown/],
    ['an endless source', { 3: 'x'.repeat(101) }, /longer than/],
  ]
  for (const [what, changes, problem] of refused)
    test(`is refused for ${what}`, () => {
      const outcome = read(changes)
      assert.ok(typeof outcome === 'string', JSON.stringify(outcome))
      assert.match(outcome, problem)
    })

  test('is refused where it has more or fewer fields than the first line', () => {
    assert.match(problemOf(readSale(['example.com', '$1', '200', '2024-02-29', 'x'], terms)), /has 5 fields/)
    assert.match(problemOf(readSale(['example.com', '1'], terms)), /has 2 fields/)
  })

  test('in another currency is refused', () => {
    const columns = columnsOf(['Domain', 'Price', 'Currency', 'Date', 'Venue'], false)
    assert.ok(typeof columns !== 'string')
    const row = (currency: string) => readSale(['example.com', '5', currency, '2024-01-01', 'x'], { ...terms, columns })
    assert.equal(row('EUR'), 'the price is not in US dollars')
    assert.equal(typeof row('usd'), 'object')
  })

  test('needs a first line that says what is what', () => {
    assert.match(problemOf(columnsOf(['domain', 'price'], false)), /missing: date, source \(or venue, or --source\)\./)
    assert.equal(typeof columnsOf([' DOMAIN ', 'price', 'date'], true), 'object')
    assert.match(problemOf(columnsOf(['example.com', '1200', '2024-01-01', 'x'], false)), /must name the columns/)
  })

  test('of any text is a sale that may be shown, or a problem without anything that breaks a terminal', () => {
    const field = fc.oneof(fc.string({ unit: 'binary', maxLength: 20 }), fc.constantFrom(...GOOD))
    fc.assert(
      fc.property(fc.array(field, { minLength: 4, maxLength: 4 }), (fields) => {
        const outcome = readSale(fields, terms)
        // eslint-disable-next-line no-control-regex
        if (typeof outcome === 'string') return assert.doesNotMatch(outcome, /[\u0000-\u001f\u007f-\u009f]/)
        assert.match(outcome.domain, /^[a-z0-9-]+\.(?:com|co\.uk)$/)
        assert.ok(Number.isInteger(outcome.price) && outcome.price > 0)
      }),
      { numRuns: 200 },
    )
  })
})
