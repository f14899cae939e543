import { dirname, join } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import { type SyncReport, syncSource } from '../sync.ts'
import { createDownloader } from '../../kernel/upstream/download.ts'
import type { NamedHosts } from '../../kernel/upstream/guard.ts'
import { type FeedLimits, feedHouse } from './feed/feed.ts'
import type { FeedSettings } from './feed/feed-settings.ts'
import type { NameScore } from './feed/row.ts'
import { openDatabase } from './schema.ts'
import { sqliteStock } from './sqlite-stock.ts'

/** What a run must know. Plain data: it goes to a thread. */
export type SyncOrder = {
  /** The file of the shelf. */
  readonly path: string
  readonly settings: FeedSettings
  readonly userAgent: string
  /** Whether the feeds are simulated: then only loopback may be asked. */
  readonly sandbox: boolean
  /** Tells this run from all others. */
  readonly holder: string
  readonly limits?: Partial<FeedLimits>
}

type World = {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly nameScore?: NameScore | undefined
  readonly onProgress?: (rows: number) => void
  /** For tests that end the process between two steps. */
  readonly at?: (point: string) => void
}

/** One run for one source, from the download to the last row. */
export async function runSync(
  order: SyncOrder,
  { clock, signal, nameScore, onProgress, at }: World,
): Promise<SyncReport> {
  const { path, settings, userAgent, sandbox, holder, limits } = order
  const database = openDatabase(path)
  const downloader = createDownloader({
    userAgent,
    clock,
    ...(sandbox ? { allow: (address: string) => address === '127.0.0.1' } : { named: feedHost(settings) }),
  })
  try {
    const house = feedHouse({
      settings,
      download: downloader.download,
      staging: join(dirname(path), 'auctions-staging'),
      holder,
      clock,
      nameScore,
      ...(limits && { limits }),
    })
    const stock = sqliteStock(database, { clock, holder, ...(at && { at }) })
    return await syncSource({ house, stock, clock, signal, ...(onProgress && { onProgress }) })
  } finally {
    await downloader.close()
    database.close()
  }
}

/** An operator names every feed: it may be on the same machine, but may not redirect there from elsewhere. */
const feedHost = ({ location, source }: FeedSettings): NamedHosts => ({
  has: (host) => host === URL.parse(location)?.host,
  setting: `ONOMA_AUCTIONS_${source.toUpperCase()}_URL`,
})
