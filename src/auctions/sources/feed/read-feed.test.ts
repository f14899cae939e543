import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { gzipSync } from 'node:zlib'
import fc from 'fast-check'
import { buildZip, type ZipEntrySpec, type ZipOptions } from '../../../kernel/zip/zip.fixture.ts'
import type { Auction } from '../../auction.ts'
import { FeedError } from '../../auction-house.ts'
import { folderFor } from '../listings.fixture.ts'
import { type FeedMap, feedMapSchema } from './feed-map.ts'
import { presetMap } from './presets.ts'
import { watchColumns } from './column-watch.ts'
import { readFeed } from './read-feed.ts'
import { rowParser } from './row.ts'

const now = Date.UTC(2026, 10, 15) / 1000

async function read(t: TestContext, bytes: string | Uint8Array, map: FeedMap, maxBytes = 1e9) {
  const path = join(folderFor(t), 'feed')
  writeFileSync(path, bytes)
  const toRow = rowParser({ source: 'source_a', map, now })
  const rows = []
  for await (const offers of readFeed(path, { map, toRow, watch: watchColumns(map), seed: 1, maxBytes }))
    rows.push(...offers.map((offer) => offer.read()))
  return rows
}

/** A zip with one file. */
const zipOf = (text: string, more: Partial<ZipEntrySpec> = {}, options?: ZipOptions): Buffer =>
  buildZip([{ name: 'feed.json', data: Buffer.from(text), ...more }], options)

const NAMECHEAP = `url,name,startDate,endDate,price,startPrice,renewPrice,bidCount,ahrefsDomainRating,umbrellaRanking,cloudflareRanking,estibotValue,extensionsTaken,keywordSearchCount,registeredDate,lastSoldPrice,lastSoldYear,isPartnerSale,semrushAScore,majesticCitation,ahrefsBacklinks,semrushBacklinks,majesticBacklinks,majesticTrustFlow,goValue
https://market.example/market/sale/aBc123/,Quiet.CC,2026-11-01T08:38:08Z,2026-11-20T16:00:00Z,2.50,1.00,13.98,1,7,,,140.00,340,241000,2015-01-15T00:00:00Z,,,1,3,,16,,,,1116.00
`
suite('the whole record', () => {
  test('of a CSV is parsed, after a byte order mark', async (t) => {
    const [row] = await read(t, `\uFEFF${NAMECHEAP}`, presetMap('namecheap'))
    assert.deepEqual(row, {
      source: 'source_a',
      externalId: 'aBc123',
      domain: 'quiet.cc',
      tld: 'cc',
      url: 'https://market.example/market/sale/aBc123/',
      price: 2.5,
      startPrice: 1,
      currency: 'USD',
      priceUsdCents: 250,
      bids: 1,
      startedAt: Date.UTC(2026, 10, 1, 8, 38, 8) / 1000,
      endsAt: Date.UTC(2026, 10, 20, 16) / 1000,
      quality: (row as Auction).quality,
      metrics: {
        metric_a_dr: 7,
        metric_a_backlinks: 16,
        metric_b_score: 3,
        keyword_search_volume: 241_000,
        extensions_taken: 340,
        appraisal_a_value: 140,
        appraisal_b_value: 1116,
        renewal_price: 13.98,
        registered_date: '2015-01-15',
      },
    })
  })
})

suite('a feed', () => {
  const map = feedMapSchema.parse({ format: 'jsonl', fields: { domain: 'd', current_price: 'p', ends_at: 'e' } })
  const line = (domain: string) => JSON.stringify({ d: domain, p: 5, e: '2026-11-20T16:00:00Z' })

  test('may have one JSON object per line; an invalid line is refused alone', async (t) => {
    const rows = await read(t, `${line('one.com')}\r\n\n{"d":\n[1]\n${line('two.com')}`, map)
    assert.deepEqual(
      rows.map((row) => ('refused' in row ? row.refused : row.domain)),
      ['one.com', 'it is not a JSON object', 'it is not a JSON object', 'two.com'],
    )
  })

  test('has the same records compressed and plain, also over several batches', async (t) => {
    const text = Array.from({ length: 5000 }, (_, at) => line(`name-${at}.com`)).join('\n')
    const plain = await read(t, text, map)
    assert.equal(plain.length, 5000)
    for (const packed of [
      gzipSync(text),
      zipOf(text),
      zipOf(text, { stored: true }),
      zipOf(text, {}, { zip64: true }),
      buildZip([
        { name: 'readme.txt', data: Buffer.from('hello') },
        { name: 'feed.json', data: Buffer.from(text) },
      ]),
    ]) {
      assert.deepEqual(await read(t, packed, map), plain)
    }
  })

  const text = `${line('one.com')}\n${'x'.repeat(50_000)}`
  const damaged: [string, Uint8Array | string, RegExp][] = [
    ['a truncated gzip', gzipSync(text).subarray(0, 40), /gzip/],
    ['a truncated zip', zipOf(text).subarray(0, 60), /zip is cut off/],
    ['a zip with a wrong checksum', zipOf(text, { crc: 1 }), /zip is damaged/],
    ['a zip with more data than its directory says', zipOf(text, { size: 100 }), /more than its directory says/],
    ['an encrypted zip', zipOf(text, { flags: 1 }), /encrypted/],
    ['an empty zip', buildZip([]), /zip is empty/],
    ['a zip with an unsupported method', zipOf(text, { method: 14 }), /method 14 is not supported/],
    ['a gzip bomb', gzipSync('x\n'.repeat(1_000_000)), /larger than/],
    ['a zip bomb', zipOf('x\n'.repeat(1_000_000)), /larger than/],
  ]
  for (const [what, bytes, message] of damaged) {
    test(`that is ${what} is rejected`, async (t) => {
      const refused = (error: Error) => error instanceof FeedError && message.test(error.message)
      await assert.rejects(read(t, bytes, map, 1_000_000), refused)
    })
  }

  test('of any bytes is read or rejected with a reason', async (t) => {
    const bytes = fc.array(
      fc.oneof(
        fc.uint8Array({ maxLength: 20 }),
        fc
          .constantFrom(
            'a.com;1794400000;1795000000;5;&#163;;1;\n',
            '{"auctions":[',
            '"',
            '\n',
            'PK\u0003\u0004',
            '<html>',
          )
          .map((text) => Buffer.from(text)),
      ),
      { maxLength: 8 },
    )
    const maps = [presetMap('sedo'), presetMap('namecheap'), presetMap('godaddy'), map]
    await fc.assert(
      fc.asyncProperty(bytes, fc.constantFrom(...maps), async (parts, one) => {
        await read(t, Buffer.concat(parts), one).catch((error: unknown) =>
          assert.ok(error instanceof FeedError, String(error)),
        )
      }),
      { numRuns: 60 },
    )
  })

  test('rejects an invalid map with a message for the operator', () => {
    const problem = (map: object) => feedMapSchema.safeParse(map).error?.issues[0]
    assert.equal(problem({ fields: { domain: 'd', current_price: 'p', ends_at: 'e' } }), undefined)
    for (const map of [
      { fields: { domain: 'd' } },
      { fields: { domain: 'd', current_price: 'p', ends_at: 'e', colour: 'c' } },
      { fields: { domain: 'd', current_price: 'p', ends_at: 'e' }, timeZone: 'Mars/Olympus' },
      { fields: { domain: 'd', current_price: 'p', ends_at: 'e' }, currency: 'dollar' },
      { fields: { domain: 'd', current_price: 'p', ends_at: 'e' }, delimiter: '"' },
      { fields: { domain: 'd', current_price: 'p', ends_at: 'e' }, url: 'javascript:x' },
      { fields: { domain: 'd', current_price: 'p', ends_at: 'e' }, typo: 1 },
    ]) {
      assert.ok(problem(map), JSON.stringify(map))
    }
  })
})
