import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Columns } from './columns.ts'
import { type Filter, select, type PageRequest } from './select.ts'

const SORTS = ['ends', 'bids', 'price', 'quality', 'newest'] as const
const row = fc.record({
  // Few distinct values, so that many are equal; large ones, so that both digits matter.
  ends: fc.constantFrom(1, 5, 70_000, 70_001, 4_294_967_295),
  price: fc.constantFrom(0, 100, 65_535, 65_536, 131_072, 4_294_967_295),
  newest: fc.nat({ max: 4_294_967_295 }),
  bids: fc.constantFrom(0, 0, 0, 1, 65_535),
  quality: fc.nat(100),
  tld: fc.nat(3),
  source: fc.nat(2),
})
const filter: fc.Arbitrary<Filter> = fc.record({
  after: fc.constantFrom(0, 5, 70_000),
  endsBy: fc.constantFrom(70_000, 0xffff_ffff),
  minPrice: fc.constantFrom(0, 100),
  maxPrice: fc.constantFrom(65_536, 0xffff_ffff),
  minBids: fc.constantFrom(0, 1),
  minQuality: fc.constantFrom(0, 50),
  sources: fc.constantFrom(null, Uint8Array.of(1, 0, 1)),
  tlds: fc.constantFrom(null, Uint8Array.of(0, 1, 1, 0)),
})
const wanted: fc.Arbitrary<PageRequest> = fc.record({
  sort: fc.constantFrom(...SORTS),
  descending: fc.boolean(),
  offset: fc.nat(60),
  limit: fc.integer({ min: 1, max: 30 }),
})

test('a page is what filtering and sorting all rows would give, with equal keys ordered by id', () => {
  fc.assert(
    fc.property(fc.array(row, { maxLength: 80 }), filter, wanted, fc.boolean(), (rows, filter, wanted, everySecond) => {
      const column = (pick: (one: (typeof rows)[number], at: number) => number) => Uint32Array.from(rows, pick)
      const columns: Columns = {
        size: rows.length,
        id: column((_, at) => at + 1),
        ends: column(({ ends }) => ends),
        price: column(({ price }) => price),
        newest: column(({ newest }) => newest),
        bids: column(({ bids }) => bids),
        quality: column(({ quality }) => quality),
        tld: column(({ tld }) => tld),
        nameAt: column(() => 0),
        chars: column(() => 0),
        pairs: column(() => 0),
        source: column(({ source }) => source),
      }
      const places = everySecond ? Uint32Array.from(rows.keys().filter((at) => at % 2 === 0)) : undefined
      const expected = rows
        .map((one, at) => ({ ...one, at }))
        .filter(
          ({ at, ends, price, bids, quality, source, tld }) =>
            (!everySecond || at % 2 === 0) &&
            ends > filter.after &&
            ends <= filter.endsBy &&
            price >= filter.minPrice &&
            price <= filter.maxPrice &&
            bids >= filter.minBids &&
            quality >= filter.minQuality &&
            (filter.sources === null || filter.sources[source] === 1) &&
            (filter.tlds === null || filter.tlds[tld] === 1),
        )
        .toSorted((a, b) => (a[wanted.sort] - b[wanted.sort]) * (wanted.descending ? -1 : 1) || a.at - b.at)
      const { total, page } = select(columns, filter, wanted, new Uint32Array(rows.length), places)
      assert.equal(total, expected.length)
      assert.deepEqual(
        page,
        expected.slice(wanted.offset, wanted.offset + wanted.limit).map(({ at }) => at),
      )
    }),
    { numRuns: 500 },
  )
})
