import assert from 'node:assert/strict'
import test from 'node:test'
import fc from 'fast-check'
import * as z from 'zod'
import { toCsv, toJson, toNdjson } from './formats.ts'
import { toTabular } from './rows.ts'

const csvOf = (body: unknown, schema: z.ZodType = z.unknown()) => toCsv(toTabular(body, schema))

/** An RFC 4180 parser, independent of the writer. */
function readCsv(text: string): string[][] {
  const records: string[][] = [[]]
  const pattern = /(?:"((?:[^"]|"")*)"|([^",\r\n]*))(,|\r\n)/y
  while (pattern.lastIndex < text.length) {
    const match = pattern.exec(text)
    assert.ok(match, 'not well-formed CSV')
    records.at(-1)!.push(match[1]?.replaceAll('""', '"') ?? match[2]!)
    if (match[3] === '\r\n') records.push([])
  }
  return records.slice(0, -1)
}

test('a CSV parser gets back every text without formulas and control characters', () => {
  const cell = fc
    .string({ unit: fc.constantFrom('a', 'ü', '"', ',', '\n', ' ', ';', '1', "'", '日') })
    .filter((text) => !text.startsWith('\n'))
  fc.assert(
    fc.property(fc.array(fc.tuple(cell, cell), { minLength: 1 }), (rows) => {
      const csv = csvOf(rows.map(([a, b]) => ({ a, b })))
      assert.deepEqual(readCsv(csv), [['a', 'b'], ...rows])
    }),
  )
})

for (const formula of ['=1+1', '+cmd', '-cmd', '@SUM(A1)', '\tx', '=HYPERLINK("http://x","y")', '＝1']) {
  test(`the text ${JSON.stringify(formula)} is not executed by a spreadsheet`, () =>
    assert.deepEqual(readCsv(csvOf([{ a: formula, b: 'x' }]))[1], [`'${formula}`, 'x']))
}

for (const number of [-1.5, 12, '-12.5', '+49']) {
  test(`the number ${JSON.stringify(number)} stays a number`, () =>
    assert.deepEqual(readCsv(csvOf([{ a: number }]))[1], [String(number)]))
}

test('no cell starts with a formula, whatever the input', () => {
  fc.assert(
    fc.property(
      fc.string({ unit: fc.constantFrom('=', '+', '-', '@', 'a', '1', '\t', '\r', '\n', '"', ' ', ',') }),
      (text) => {
        const cell = readCsv(csvOf([{ a: text, b: '' }]))[1]![0]!
        if (!/^[+-]?\d+$/.test(text)) assert.doesNotMatch(cell, /^(\s*[=+\-@]|[\t\r\n])/)
      },
    ),
  )
})

test('control characters are replaced in CSV', () => {
  assert.equal(csvOf([{ a: '\u001b[31mred\u009b' }]), 'a\r\n\ufffd[31mred\ufffd\r\n')
})

const Listing = z.object({ source: z.string(), price: z.object({ amount: z.number() }).optional() })
const Report = z.object({
  domain: z.string(),
  listings: z.array(Listing),
  errors: z.array(z.object({ code: z.string() })),
})

test('the main table and its columns come from the schema, even without rows', () => {
  assert.equal(
    csvOf({ domain: 'a.com', listings: [], errors: [{ code: 'timeout' }] }, Report),
    'source,price.amount\r\n',
  )
  const full = {
    domain: 'a.com',
    listings: [{ source: 'source_a' }, { source: 'source_b', price: { amount: 9 } }],
    errors: [],
  }
  assert.equal(csvOf(full, Report), 'source,price.amount\r\nsource_a,\r\nsource_b,9\r\n')
})

test('each shape of a union has its own main table', () => {
  const Either = z.union([Report, z.object({ found: z.array(Listing.meta({ id: 'CsvListing' })) })])
  assert.equal(csvOf({ found: [] }, Either), 'source,price.amount\r\n')
})

test('a result without a table is one row', () => {
  const body = { status: 'ok', cacheStats: { size: 0 }, tags: ['a', 'b'], gone: null, absent: undefined }
  assert.equal(csvOf(body), 'status,cacheStats.size,tags,gone\r\nok,0,"a, b",\r\n')
  assert.equal(toNdjson(body, toTabular(body, z.unknown())), `${JSON.stringify(body)}\n`)
})

test('a list of objects inside a cell is shown by its values', () => {
  assert.equal(
    csvOf({
      records: {
        mx: [
          { host: 'mx.a', priority: 1 },
          { host: 'mx.b', priority: 2 },
        ],
      },
    }),
    'records.mx\r\n"mx.a 1, mx.b 2"\r\n',
  )
})

test('a field called __proto__ is a field like any other', () => {
  assert.equal(csvOf(JSON.parse('[{"__proto__": "x", "a": {"__proto__": 1}}]')), '__proto__,a.__proto__\r\nx,1\r\n')
})

test('NDJSON has one line per row of the main table', () => {
  const body = { domain: 'a.com', listings: [{ source: 'a\nb' }, { source: 'c' }], errors: [] }
  assert.equal(toNdjson(body, toTabular(body, Report)), '{"source":"a\\nb"}\n{"source":"c"}\n')
  assert.equal(toNdjson({ ...body, listings: [] }, toTabular({ ...body, listings: [] }, Report)), '')
})

test('JSON output equals the result and contains no control characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(0, 2), (text, indent) => {
      const json = toJson({ text }, indent)
      assert.deepEqual(JSON.parse(json), { text })
      assert.doesNotMatch(json.replaceAll('\n', ''), /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u)
    }),
  )
  assert.equal(toJson('\u009b\u{e0001}', 0), '"\\u009b\\udb40\\udc01"\n')
})
