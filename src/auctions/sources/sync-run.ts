import { dirname, join } from 'node:path'
import { isPublicAddress } from '../../kernel/addresses.ts'
import type { Clock } from '../../kernel/clock.ts'
import { type SyncReport, syncSource } from '../sync.ts'
import { createDownloader } from '../../kernel/upstream/download.ts'
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
    allow: sandbox ? (address) => address === '127.0.0.1' : isPublicAddress,
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
