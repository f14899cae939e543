import { readFileSync } from 'node:fs'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { type FeedChoice, loadFeeds } from '../../src/auctions/sources/feed/load-feeds.ts'
import type { PresetName } from '../../src/auctions/sources/feed/presets.ts'
import { listingsFor } from '../../src/auctions/sources/listings.fixture.ts'
import { runSync } from '../../src/auctions/sources/sync-run.ts'
import { serve } from '../../src/kernel/upstream/loopback.fixture.ts'

/** Shapes of real feeds with invented values: see PROVENANCE.md beside them. */
export const fixture = (name: string): Buffer => readFileSync(join(import.meta.dirname, '../fixtures/auctions', name))

export const choice = (preset: PresetName, url: string): FeedChoice => ({
  source: 'source_a',
  url,
  preset,
  format: null,
  columns: null,
  currency: null,
  timeZone: null,
  intervalMinutes: null,
  header: null,
})

/** Syncs a feed through the real downloader and index. `waits` has the pauses between requests. */
export async function syncPreset(t: TestContext, preset: PresetName, url: string) {
  const listings = listingsFor(t)
  const waits: number[] = []
  const job = { path: listings.path, userAgent: 'onoma-test', sandbox: true, holder: 'me' }
  const report = await runSync(
    { ...job, settings: loadFeeds([choice(preset, url)])[0]! },
    {
      clock: listings.clock,
      signal: new AbortController().signal,
      wait: async (ms) => void waits.push(ms),
    },
  )
  const auctions = listings.search().auctions.toSorted((a, b) => a.externalId.localeCompare(b.externalId))
  return { report, waits, auctions }
}

/** Serves a body for each request, in the given order; returns the URLs and headers of the requests. */
export async function serveBodies(t: TestContext, bodies: readonly Buffer[]) {
  const requests: Pick<IncomingMessage, 'url' | 'headers'>[] = []
  const port = await serve(t, ({ url, headers }, response) => {
    requests.push({ url: url!, headers })
    response.end(bodies[Math.min(requests.length, bodies.length) - 1])
  })
  return { base: `http://127.0.0.1:${port}`, requests }
}

export async function syncFile(t: TestContext, preset: PresetName, bytes: Buffer) {
  const { base } = await serveBodies(t, [bytes])
  return syncPreset(t, preset, `${base}/feed`)
}
