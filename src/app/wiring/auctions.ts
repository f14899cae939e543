import { join } from 'node:path'
import { scheduleSyncs } from '../../auctions/sync-scheduler.ts'
import { auctionRoutes } from '../../auctions/routes.ts'
import { createAuctions } from '../../auctions/service.ts'
import { loadFeeds } from '../../auctions/sources/feed/load-feeds.ts'
import { loadSaleFeeds } from '../../auctions/sources/feed/sale-presets.ts'
import { openListingIndex, type OpenListingIndex } from '../../auctions/sources/sqlite-index.ts'
import { createSyncer } from '../../auctions/sources/syncer.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/endpoint.ts'
import type { Log } from '../../kernel/log.ts'
import type { Random } from '../../kernel/random.ts'
import type { Config } from '../settings/config.ts'
import { USER_AGENT } from './outbound.ts'
import { sleep } from '../../kernel/sleep.ts'

type Needs = {
  readonly config: Config
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
}

/** The database file of the auctions, shared by the service and `onoma auctions sync`. */
export const auctionsFile = (dataDir: string): string => join(dataDir, 'auctions.sqlite')

const NO_FEED =
  'No auction feed is configured, so /v1/auctions answers 503. Set ONOMA_AUCTIONS=namecheap,sedo to load public feeds that need no account.'

/** The auction index and the scheduled syncs that fill it; nothing is opened if no feed is configured. */
export function openAuctions({ config, clock, random, log }: Needs): {
  readonly routes: Route[]
  /** Null if no feed is configured. */
  readonly index: Pick<OpenListingIndex, 'problem' | 'search' | 'findSales'> | null
  start(): void
  close(): Promise<void>
} {
  const feeds = loadFeeds(config.auctions)
  const all = [...feeds, ...loadSaleFeeds(config.saleFeeds)]
  const path = auctionsFile(config.dataDir)
  const onMovedAside = (movedTo: string) =>
    log.error({ movedTo }, 'The file of the auctions was damaged and is moved aside; they are fetched again.')
  const index = all.length === 0 ? null : openListingIndex(path, { onMovedAside })
  const sync = createSyncer({ path, userAgent: USER_AGENT, sandbox: config.sandbox, proxy: config.proxy, random })
  let schedule: ReturnType<typeof scheduleSyncs> | undefined
  return {
    index,
    routes: auctionRoutes(createAuctions({ index, sources: feeds.map(({ source }) => source), clock })),
    start() {
      if (feeds.length === 0) log.info({}, NO_FEED)
      if (!index) return
      index.warm()
      const sources = all.map((feed) => ({
        source: feed.source,
        intervalMs: feed.intervalMs,
        sync: (signal: AbortSignal) => sync(feed, { signal }),
      }))
      schedule = scheduleSyncs({ sources, clock, random, log, wait: sleep })
    },
    async close() {
      await schedule?.close()
      await index?.close()
    },
  }
}
