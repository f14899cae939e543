import { join } from 'node:path'
import { SOURCE_IDS, type SourceId } from '../../auctions/auction.ts'
import { type FeedChoice, loadFeeds } from '../../auctions/sources/feed/load-feeds.ts'
import type { FeedSettings } from '../../auctions/sources/feed/feed-settings.ts'
import { createSyncer, type Syncer } from '../../auctions/sources/syncer.ts'
import type { SyncReport } from '../../auctions/sync.ts'
import { systemClock } from '../../kernel/clock.ts'
import { secureRandom } from '../../kernel/random.ts'
import { UsageError } from '../../surfaces/cli/arguments.ts'
import { USER_AGENT } from '../wiring/outbound.ts'

type Needs = {
  readonly config: { readonly dataDir: string; readonly sandbox: boolean; readonly auctions: readonly FeedChoice[] }
  readonly say: (line: string) => void
  readonly signal: AbortSignal
}

export const AUCTIONS_SYNC_HELP = `Usage: onoma auctions sync [--source source_a]…

Loads the configured auction feeds, or only those named by --source, and stores what changed. A feed that cannot be read
changes nothing. A running service uses the changes from its next request on; it also syncs by itself, every
ONOMA_AUCTIONS_SOURCE_A_INTERVAL minutes.
`

/** The database file of the auctions, shared by the service and the command. */
export const auctionsFile = (dataDir: string): string => join(dataDir, 'auctions.sqlite')

/** The sources that the arguments name; empty for all. */
export function parseSourceOptions(words: readonly string[]): SourceId[] {
  const sources: SourceId[] = []
  for (let at = 0; at < words.length; at++) {
    const [option, inline] = words[at]!.split('=', 2)
    if (option !== '--source') throw new UsageError(`auctions sync has no option ${words[at]}.`)
    const value = inline ?? words[++at]
    const source = SOURCE_IDS.find((id) => id === value)
    if (!source) throw new UsageError(`--source must be one of ${SOURCE_IDS.join(', ')}.`)
    sources.push(source)
  }
  return sources
}

/** Syncs one source after the other. False where one could not be; the others are synced all the same. */
export async function syncAuctions(wanted: readonly SourceId[], { config, say, signal }: Needs): Promise<boolean> {
  const feeds = loadFeeds(config.auctions).filter(({ source }) => wanted.length === 0 || wanted.includes(source))
  const missing = wanted.filter((source) => !feeds.some((feed) => feed.source === source))
  for (const source of missing) say(`${source}: not configured.`)
  if (feeds.length === 0 && missing.length === 0) say('No auction source is configured.')
  const sync = createSyncer({
    path: auctionsFile(config.dataDir),
    userAgent: USER_AGENT,
    sandbox: config.sandbox,
    random: secureRandom,
  })
  let isWhole = feeds.length > 0 && missing.length === 0
  for (const feed of feeds) isWhole = (await syncOne(feed, sync, { say, signal })) && isWhole
  return isWhole
}

async function syncOne(
  feed: FeedSettings,
  sync: Syncer,
  { say, signal }: Pick<Needs, 'say' | 'signal'>,
): Promise<boolean> {
  const onProgress = progress(feed.source, say)
  const report = await sync(feed, { signal, onProgress })
  for (const line of linesOf(report)) say(`${feed.source}: ${line}`)
  return report.outcome === 'complete' || report.outcome === 'unchanged'
}

function linesOf(report: SyncReport): string[] {
  switch (report.outcome) {
    case 'busy':
      return ['another process syncs it right now.']
    case 'unchanged':
      return ['nothing has changed.']
    case 'failed':
      return [`not synced. ${report.problem ?? ''}`, ...refusals(report)]
    case 'complete':
      return [
        `${report.rows} records in ${Math.round(report.elapsedMs / 1000)} s: ${report.added} new, ${report.changed} changed, ${report.removed} gone, ${report.refused} refused.`,
        ...(report.kept === 0 ? [] : [`${report.kept} that are missing were kept: too many to be believed gone.`]),
        ...refusals(report),
      ]
  }
}

const refusals = ({ reasons }: SyncReport): string[] =>
  Object.entries(reasons)
    .toSorted(([, a], [, b]) => b - a)
    .map(([why, count]) => `${count} refused: ${why}.`)

const STEP_MS = 2_000

function progress(source: SourceId, say: (line: string) => void): (rows: number) => void {
  let last = systemClock.monotonic()
  return (rows) => {
    const now = systemClock.monotonic()
    if (now - last < STEP_MS) return
    last = now
    say(`${source}: ${rows} records so far`)
  }
}
