import { dirname, join } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import { type SyncReport, syncSource } from '../sync.ts'
import { createDownloader } from '../../kernel/upstream/download.ts'
import { sleep } from '../../kernel/sleep.ts'
import type { AddressPolicy } from '../../kernel/upstream/guard.ts'
import type { ProxySettings } from '../../kernel/upstream/proxy.ts'
import { isSaleFeed } from '../auction.ts'
import { type FeedLimits, feedHouse, saleHouse } from './feed/feed.ts'
import type { FeedSettings, SaleFeedSettings } from './feed/feed-settings.ts'
import type { NameScore } from './feed/row.ts'
import { sqliteSaleStore } from './sale-store.ts'
import { openDatabase } from './schema.ts'
import { sqliteListingStore } from './sqlite-store.ts'

/** Parameters of a sync. Plain data, because it is sent to a worker. */
export type SyncJob = {
  /** The SQLite file. */
  readonly path: string
  readonly settings: FeedSettings | SaleFeedSettings
  readonly userAgent: string
  /** In sandbox mode only loopback addresses are allowed. */
  readonly sandbox: boolean
  /** The operator's proxies; not used in sandbox mode. */
  readonly proxy?: ProxySettings | undefined
  /** Unique id of this run. */
  readonly holder: string
  readonly limits?: Partial<FeedLimits>
}

type World = {
  readonly clock: Clock
  readonly signal: AbortSignal
  readonly nameScore?: NameScore | undefined
  readonly onProgress?: (rows: number) => void
  /** Sleeps between two pages. */
  readonly wait?: (ms: number, signal: AbortSignal) => Promise<void>
  /** Called between steps; tests kill the process there. */
  readonly at?: (point: string) => void
}

/** Syncs one source, from the download to the last row. */
export async function runSync(job: SyncJob, world: World): Promise<SyncReport> {
  const { clock, signal, nameScore, onProgress, wait = sleep, at } = world
  const { path, settings, userAgent, sandbox, proxy, holder, limits } = job
  const database = openDatabase(path)
  const downloader = createDownloader({
    userAgent,
    clock,
    ...addressPolicy(settings, sandbox),
    ...(!sandbox && { proxy }),
  })
  try {
    const { download } = downloader
    const staging = join(dirname(path), 'auctions-staging')
    const feed = { download, staging, holder, clock, wait, ...(limits && { limits }) }
    const options = { clock, holder, ...(at && { at }) }
    const common = { clock, signal, ...(onProgress && { onProgress }) }
    if (isSale(settings)) {
      const house = saleHouse({ ...feed, settings })
      return await syncSource({ ...common, house, store: sqliteSaleStore(database, options) })
    }
    const house = feedHouse({ ...feed, settings, nameScore })
    return await syncSource({ ...common, house, store: sqliteListingStore(database, options) })
  } finally {
    await downloader.close()
    database.close()
  }
}

const isSale = (settings: SyncJob['settings']): settings is SaleFeedSettings => isSaleFeed(settings.source)

/** The operator chose the feed's host, so it may be local; a preset's own host and a redirect may not lead there. */
function addressPolicy({ location, source, isPresetUrl }: SyncJob['settings'], sandbox: boolean): AddressPolicy {
  if (sandbox) return { allow: (address) => address === '127.0.0.1' }
  if (isPresetUrl) return {}
  return {
    named: {
      has: (host) => host === URL.parse(location)?.host,
      setting: `ONOMA_AUCTIONS_${source.toUpperCase().replace('-', '_')}_URL`,
    },
  }
}
