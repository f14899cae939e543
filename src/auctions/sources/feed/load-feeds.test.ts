import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { folderFor } from '../listings.fixture.ts'
import { type FeedChoice, loadFeeds } from './load-feeds.ts'

const base: FeedChoice = {
  source: 'source_a',
  url: 'https://feed.example/all.csv',
  preset: null,
  format: null,
  columns: null,
  currency: null,
  timeZone: null,
  intervalMinutes: 60,
  header: null,
}
const load = (choice: Partial<FeedChoice>) => loadFeeds([{ ...base, ...choice }])[0]!
const FIELDS = { domain: 'd', current_price: 'p', ends_at: 'e' }

suite('a feed is configured', () => {
  test('by a preset alone', () => {
    const { map, intervalMs, location } = load({ preset: 'sedo' })
    assert.deepEqual([map.delimiter, map.currency, intervalMs, location], [';', 'EUR', 3_600_000, base.url])
  })

  test('by columns, inline or in a file, with single settings that override both', (t) => {
    const text = JSON.stringify({ format: 'jsonl', currency: 'GBP', rates: { GBP: '1.27' }, fields: FIELDS })
    const file = join(folderFor(t), 'columns.json')
    writeFileSync(file, text)
    for (const columns of [text, file]) {
      const { map } = load({ columns, timeZone: 'Europe/Berlin' })
      assert.deepEqual([map.format, map.currency, map.timeZone], ['jsonl', 'GBP', 'Europe/Berlin'])
    }
    assert.equal(load({ columns: text, format: 'json', currency: 'EUR' }).map.format, 'json')
    const mixed = load({ preset: 'dynadot', columns: JSON.stringify({ list: 'items' }) }).map
    assert.deepEqual([mixed.list, mixed.fields.domain], ['items', 'domain'])
  })

  const wrong: [string, Partial<FeedChoice>, RegExp][] = [
    ['neither preset nor columns are set', {}, /Set ONOMA_AUCTIONS_SOURCE_A_PRESET or ONOMA_AUCTIONS_SOURCE_A_COLUMNS/],
    ['the file is missing', { columns: '/no/such/file.json' }, /SOURCE_A_COLUMNS names a file that cannot be read/],
    ['the columns are not JSON', { columns: '{"a":' }, /must be a JSON object/],
    ['a column is missing', { columns: '{"fields":{"domain":"d"}}' }, /fields: must name the columns/],
    ['the time zone is unknown', { preset: 'sedo', timeZone: 'Mars' }, /timeZone: must be a time zone/],
    ['the currency is invalid', { preset: 'sedo', currency: 'dollars' }, /currency: must be a currency/],
  ]
  for (const [what, choice, message] of wrong) {
    test(`and rejected if ${what}`, () => assert.throws(() => load(choice), { message }))
  }
})
