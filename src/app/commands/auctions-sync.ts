import { type FeedId, isSaleFeed, SALE_FEED_IDS, SOURCE_IDS } from '../../auctions/auction.ts'
import { type FeedChoice, loadFeeds } from '../../auctions/sources/feed/load-feeds.ts'
import { loadSaleFeeds, type SaleFeedChoice } from '../../auctions/sources/feed/sale-presets.ts'
import { createSyncer, type Syncer } from '../../auctions/sources/syncer.ts'
import type { SyncReport } from '../../auctions/sync.ts'
import { systemClock } from '../../kernel/clock.ts'
import { secureRandom } from '../../kernel/random.ts'
import type { ProxySettings } from '../../kernel/upstream/proxy.ts'
import { UsageError } from '../../surfaces/cli/arguments.ts'
import { auctionsFile } from '../wiring/auctions.ts'
import { USER_AGENT } from '../wiring/outbound.ts'

type Needs = {
  readonly config: {
    readonly dataDir: string
    readonly sandbox: boolean
    readonly auctions: readonly FeedChoice[]
    readonly saleFeeds: readonly SaleFeedChoice[]
    readonly proxy?: ProxySettings | null
  }
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

export const AUCTIONS_SYNC_HELP = `Usage: onoma auctions sync [--source source_a]…

Loads the configured auction feeds, or only those named by --source, and stores what changed. A feed that cannot be read
changes nothing. A running service uses the changes from its next request on; it also syncs by itself, every
ONOMA_AUCTIONS_SOURCE_A_INTERVAL minutes.

ONOMA_AUCTIONS=namecheap,sedo configures public feeds that need no account, and namecheap-buynow and sedo-listings lists of
domains for sale, which are sources too (--source sedo-listings).
`

const FEED_IDS: readonly FeedId[] = [...SOURCE_IDS, ...SALE_FEED_IDS]

/** The sources that the arguments name; empty means all. */
export function parseSourceOptions(args: readonly string[]): FeedId[] {
  const sources: FeedId[] = []
  for (let at = 0; at < args.length; at++) {
    const [option, inline] = args[at]!.split('=', 2)
    if (option !== '--source') throw new UsageError(`auctions sync has no option ${args[at]}.`)
    const value = inline ?? args[++at]
    const source = FEED_IDS.find((id) => id === value)
    if (!source) throw new UsageError(`--source must be one of ${FEED_IDS.join(', ')}.`)
    sources.push(source)
  }
  return sources
}

/** Syncs one source after the other. False if one failed; the others are still synced. */
export async function syncAuctions(wanted: readonly FeedId[], { config, say, signal }: Needs): Promise<boolean> {
  const all = [...loadFeeds(config.auctions), ...loadSaleFeeds(config.saleFeeds)]
  const feeds = all.filter(({ source }) => wanted.length === 0 || wanted.includes(source))
  const missing = wanted.filter((source) => !feeds.some((feed) => feed.source === source))
  for (const source of missing)
    say(
      `${source}: not configured; ${isSaleFeed(source) ? 'add it to ONOMA_AUCTIONS' : `set ONOMA_AUCTIONS_${source.toUpperCase()}_URL`}.`,
    )
  if (feeds.length === 0 && missing.length === 0)
    say('No auction source is configured; set ONOMA_AUCTIONS=namecheap,sedo or ONOMA_AUCTIONS_SOURCE_A_URL.')
  const sync = createSyncer({
    path: auctionsFile(config.dataDir),
    userAgent: USER_AGENT,
    sandbox: config.sandbox,
    proxy: config.proxy ?? null,
    random: secureRandom,
  })
  let isComplete = feeds.length > 0 && missing.length === 0
  for (const feed of feeds) isComplete = (await syncOne(feed, sync, { say, signal })) && isComplete
  return isComplete
}

async function syncOne(
  feed: Parameters<Syncer>[0],
  sync: Syncer,
  { say, signal }: Pick<Needs, 'say' | 'signal'>,
): Promise<boolean> {
  const onProgress = progressReporter(feed.source, say)
  const report = await sync(feed, { signal, onProgress })
  for (const line of formatReport(report)) say(`${feed.source}: ${line}`)
  return report.outcome === 'complete' || report.outcome === 'unchanged'
}

function formatReport(report: SyncReport): string[] {
  switch (report.outcome) {
    case 'busy':
      return ['another process is syncing it.']
    case 'unchanged':
      return ['the feed has not changed.']
    case 'failed':
      return [`the sync failed. ${report.problem ?? ''}`, ...formatRefusals(report)]
    case 'complete':
      return [
        `${report.rows} records in ${Math.round(report.elapsedMs / 1000)} s: ${report.added} new, ${report.changed} changed, ${report.removed} removed, ${report.refused} refused.`,
        ...(report.kept === 0
          ? []
          : [`${report.kept} auctions missing from the feed were kept: so large a drop suggests an incomplete feed.`]),
        ...formatMissing(report),
        ...formatRefusals(report),
      ]
  }
}

const formatRefusals = ({ reasons, examples }: SyncReport): string[] =>
  Object.entries(reasons)
    .toSorted(([, a], [, b]) => b - a)
    .map(([why, count]) => `${count} refused: ${why}, such as ${(examples[why] ?? []).join('; ')}.`)

const formatMissing = ({ missingColumns }: SyncReport): string[] =>
  missingColumns.length === 0 ? [] : [`no record has the columns ${missingColumns.join(', ')}; has the feed changed?`]

const PROGRESS_INTERVAL_MS = 2_000

function progressReporter(source: FeedId, say: (line: string) => void): (rows: number) => void {
  let last = systemClock.monotonic()
  return (rows) => {
    const now = systemClock.monotonic()
    if (now - last < PROGRESS_INTERVAL_MS) return
    last = now
    say(`${source}: ${rows} records so far`)
  }
}
