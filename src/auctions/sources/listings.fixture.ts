import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import type { SourceId } from '../auction.ts'
import type { ListingQuery } from '../listing-index.ts'
import { type FeedMap, feedMapSchema } from './feed/feed-map.ts'
import type { FeedSettings } from './feed/feed-settings.ts'
import { openDatabase } from './schema.ts'
import { createSearcher } from './sqlite-search.ts'
import { runSync } from './sync-run.ts'

/** Small feeds, and an index in a temporary folder. */
export const NOW = Date.UTC(2026, 10, 15)
export const second = (ms: number) => Math.floor(ms / 1000)

export type Line = {
  readonly id: string
  readonly domain?: string
  readonly price?: number | string
  readonly bids?: number
  /** Hours from NOW. */
  readonly ends?: number
  readonly dr?: number
}

const lineOf = ({ id, domain = `name-${id}.com`, price = 10, bids = 0, ends = 48, dr = 10 }: Line): string =>
  [id, domain, price, bids, new Date(NOW + ends * 3_600_000).toISOString(), dr].join(',')

export const csvOf = (lines: readonly Line[]): string =>
  `id,domain,price,bids,end,dr\n${lines.map((line) => `${lineOf(line)}\n`).join('')}`

export const someLines = (count: number, from = 0): Line[] =>
  Array.from({ length: count }, (_, at) => ({ id: String(from + at) }))

const MAP: FeedMap = feedMapSchema.parse({
  fields: { id: 'id', domain: 'domain', current_price: 'price', bid_count: 'bids', ends_at: 'end', metric_a_dr: 'dr' },
})

export function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export const settingsFor = (location: string, source: SourceId = 'source_a', map = MAP): FeedSettings => ({
  source,
  location,
  map,
  header: null,
  intervalMs: 3_600_000,
})

export const everyListing: ListingQuery = {
  now: second(NOW),
  sources: ['source_a', 'source_b', 'source_c'],
  sort: 'ends',
  descending: false,
  limit: 200,
  offset: 0,
}

/** An index and its feeds, with a manual clock. */
export function listingsFor(t: TestContext) {
  const folder = folderFor(t)
  const path = join(folder, 'auctions.sqlite')
  const clock = manualClock(NOW)
  let version = 0
  const never = new AbortController().signal
  const sync = (location: string, source: SourceId = 'source_a', more: { provider?: string } = {}) =>
    runSync(
      {
        path,
        settings: { ...settingsFor(location, source), ...more },
        userAgent: 'onoma-test',
        sandbox: true,
        holder: 'me',
      },
      { clock, signal: never },
    )
  return {
    folder,
    path,
    clock,
    sync,
    /** Writes the text to a new file and syncs it. */
    async deliver(text: string | Uint8Array, source: SourceId = 'source_a', more: { provider?: string } = {}) {
      const file = join(folder, `feed-${version++}.csv`)
      writeFileSync(file, text)
      return sync(file, source, more)
    },
    search(query: Partial<ListingQuery> = {}) {
      const database = openDatabase(path)
      try {
        return createSearcher(database).search({ ...everyListing, now: second(clock.now()), ...query })
      } finally {
        database.close()
      }
    },
    domains(query: Partial<ListingQuery> = {}) {
      return this.search(query).auctions.map(({ domain }) => domain)
    },
    runs() {
      const database = openDatabase(path)
      try {
        const runs = database.prepare('SELECT outcome, rows, refused, reason FROM sync_run ORDER BY id').all()
        return runs.map((run) => ({ ...run }) as { outcome: string; rows: number; refused: number; reason: string })
      } finally {
        database.close()
      }
    },
  }
}
