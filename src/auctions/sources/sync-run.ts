import { dirname, join } from 'node:path'
import type { Clock } from '../../kernel/clock.ts'
import { type SyncReport, syncSource } from '../sync.ts'
import { createDownloader } from '../../kernel/upstream/download.ts'
import { sleep } from '../../kernel/sleep.ts'
import type { AddressPolicy } from '../../kernel/upstream/guard.ts'
import type { ProxySettings } from '../../kernel/upstream/proxy.ts'
import { type FeedLimits, feedHouse } from './feed/feed.ts'
import type { FeedSettings } from './feed/feed-settings.ts'
import type { NameScore } from './feed/row.ts'
import { openDatabase } from './schema.ts'
import { sqliteListingStore } from './sqlite-store.ts'

/** Parameters of a sync. Plain data, because it is sent to a worker. */
export type SyncJob = {
  /** The SQLite file. */
  readonly path: string
  readonly settings: FeedSettings
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
    const house = feedHouse({
      settings,
      download: downloader.download,
      staging: join(dirname(path), 'auctions-staging'),
      holder,
      clock,
      wait,
      nameScore,
      ...(limits && { limits }),
    })
    const store = sqliteListingStore(database, { clock, holder, ...(at && { at }) })
    return await syncSource({ house, store, clock, signal, ...(onProgress && { onProgress }) })
  } finally {
    await downloader.close()
    database.close()
  }
}

/** The operator chose the feed's host, so it may be local; a preset's own host and a redirect may not lead there. */
function addressPolicy({ location, source, isPresetUrl }: FeedSettings, sandbox: boolean): AddressPolicy {
  if (sandbox) return { allow: (address) => address === '127.0.0.1' }
  if (isPresetUrl) return {}
  return {
    named: {
      has: (host) => host === URL.parse(location)?.host,
      setting: `ONOMA_AUCTIONS_${source.toUpperCase()}_URL`,
    },
  }
}
