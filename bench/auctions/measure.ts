import { execFileSync } from 'node:child_process'
import { statSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { createAuctions } from '../../src/auctions/service.ts'
import { presetMap } from '../../src/auctions/sources/feed/presets.ts'
import { openListingIndex } from '../../src/auctions/sources/sqlite-index.ts'
import { createSyncer } from '../../src/auctions/sources/syncer.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { parseInput } from '../../src/kernel/input.ts'
import { secureRandom, seededRandom } from '../../src/kernel/random.ts'
import { listAuctions } from '../../src/auctions/contract.ts'
import type { FeedVersion } from './generate.ts'
import { QUERIES, type Query } from './queries.ts'

export type Plan = { readonly rows: number; readonly rounds: number; readonly randomQueries: number }

/** Elapsed and CPU time of one step. */
type StepTime = { readonly wallMs: number; readonly cpuMs: number }
export type Sync = StepTime & { readonly what: string; readonly rows: number; readonly report: string }
export type Timing = Query & {
  readonly total: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly p99CpuMs: number
}

export type Outcome = {
  readonly feedBytes: number
  readonly indexBytes: number
  readonly syncs: readonly Sync[]
  readonly timings: readonly Timing[]
  /** Random combinations of filters and sort orders. */
  readonly random: { readonly count: number; readonly p50Ms: number; readonly p99Ms: number; readonly p99CpuMs: number }
  /** Queries run during a sync. */
  readonly duringSync: {
    readonly count: number
    readonly p50Ms: number
    readonly p99Ms: number
    readonly maxEventLoopDelayMs: number
  }
  readonly peakRssBytes: number
}

const SOURCE = 'source_a'
const DELAY_SAMPLE_MS = 10
const QUERY_INTERVAL_MS = 50

/** In a child process, so that its memory is not measured. */
function writeFeedInChild(path: string, version: FeedVersion): void {
  const bench = join(import.meta.dirname, '..', 'auctions.ts')
  execFileSync(process.execPath, [bench, '--write', JSON.stringify({ path, ...version })])
}

export async function measureAuctions(
  folder: string,
  plan: Plan,
  showProgress: (what: string) => void,
): Promise<Outcome> {
  const feed = join(folder, 'feed.csv')
  const path = join(folder, 'auctions.sqlite')
  const now = Math.floor(systemClock.now() / 1000)
  showProgress(`writing ${plan.rows} rows`)
  writeFeedInChild(feed, { rows: plan.rows, seed: 1, now })
  const sync = createSyncer({ path, userAgent: 'onoma-bench', sandbox: true, random: secureRandom })
  const settings = {
    source: SOURCE,
    location: feed,
    map: presetMap('namecheap'),
    header: null,
    intervalMs: 1,
  } as const
  const syncs: Sync[] = []
  const runSync = async (what: string) => {
    const { result: report, ...time } = await timed(() =>
      sync(settings, {
        signal: new AbortController().signal,
        onProgress: (rows) => rows % 50_000 === 0 && showProgress(`${what}: ${rows} rows`),
      }),
    )
    if (report.outcome !== 'complete') throw new Error(`The sync ended as ${report.outcome}: ${report.problem}`)
    syncs.push({ what, rows: report.rows, report: `${report.added} new, ${report.changed} changed`, ...time })
  }
  await runSync('first load')
  // The same bytes with a new modification time, so the file has to be read.
  utimesSync(feed, now + 1, now + 1)
  await runSync('unchanged')

  const index = openListingIndex(path)
  try {
    const auctions = createAuctions({ index, sources: [SOURCE], clock: systemClock })
    const run = (query: Query) => auctions.list(parseInput(listAuctions, query.input))
    showProgress('loading the index')
    for (const query of QUERIES) for (let warm = 0; warm < 3; warm++) await run(query)
    const timings: Timing[] = []
    for (const query of QUERIES) {
      showProgress(`query: ${query.what}`)
      const total = (await run(query)).meta.total
      timings.push({ ...query, total, ...(await repeat(plan.rounds, () => run(query))) })
    }
    showProgress('random queries')
    const rng = seededRandom(7)
    const random = await repeat(plan.randomQueries, () => run(randomQuery(rng)))
    showProgress('queries during a sync')
    const feedBytes = statSync(feed).size
    writeFeedInChild(feed, { rows: plan.rows, seed: 1, now, changedShare: 0.05 })
    const duringSync = await queryDuring(runSync('5 % changed'), () => run(randomQuery(rng)))
    return {
      feedBytes,
      indexBytes: statSync(path).size,
      syncs,
      timings,
      random: { count: plan.randomQueries, ...random },
      duringSync,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
    }
  } finally {
    await index.close()
  }
}

async function queryDuring(sync: Promise<void>, query: () => Promise<unknown>): Promise<Outcome['duringSync']> {
  const state = { over: false, maxDelayMs: 0 }
  const ended = sync.finally(() => (state.over = true))
  let last = performance.now()
  const timer = setInterval(() => {
    state.maxDelayMs = Math.max(state.maxDelayMs, performance.now() - last - DELAY_SAMPLE_MS)
    last = performance.now()
  }, DELAY_SAMPLE_MS)
  const times: number[] = []
  try {
    while (!state.over) {
      times.push((await timed(query)).wallMs)
      await new Promise((resolve) => setTimeout(resolve, QUERY_INTERVAL_MS))
    }
    await ended
  } finally {
    clearInterval(timer)
  }
  return {
    count: times.length,
    p50Ms: percentile(times, 50),
    p99Ms: percentile(times, 99),
    maxEventLoopDelayMs: state.maxDelayMs,
  }
}

async function repeat(times: number, query: () => Promise<unknown>) {
  const walls: number[] = []
  const cpus: number[] = []
  for (let round = 0; round < times; round++) {
    const { wallMs, cpuMs } = await timed(query)
    walls.push(wallMs)
    cpus.push(cpuMs)
  }
  return { p50Ms: percentile(walls, 50), p99Ms: percentile(walls, 99), p99CpuMs: percentile(cpus, 99) }
}

async function timed<T>(run: () => Promise<T>): Promise<StepTime & { readonly result: T }> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  const result = await run()
  const { user, system } = process.cpuUsage(cpu)
  return { result, wallMs: performance.now() - began, cpuMs: (user + system) / 1000 }
}

const percentile = (values: readonly number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))] ?? 0

/** A random combination of filters, sort order and page. */
function randomQuery(random: ReturnType<typeof seededRandom>): Query {
  const pick = <T>(values: readonly T[]): T => values[random.below(values.length)]!
  const maybe = (name: string, values: readonly (string | number)[]) =>
    random.fraction() < 0.35 ? { [name]: pick(values) } : {}
  return {
    what: 'random',
    input: {
      ...maybe('q', ['cloud', 'shop', 'max', 'a', 'my', 'zuzu', 'best.com']),
      ...maybe('tld', ['com', 'net', 'io', 'xyz', 'pro']),
      ...maybe('min_price', [1, 5, 50, 500]),
      ...maybe('max_price', [10, 100, 10_000]),
      ...maybe('min_bids', [0, 1, 3]),
      ...maybe('quality_min', [0, 10, 30, 60]),
      ...maybe('ending_within', ['1h', '6h', '24h', '3d', '7d']),
      sort: pick(['ending_soon', 'most_bids', 'price_asc', 'price_desc', 'quality', 'newest']),
      limit: pick([25, 50, 200]),
      offset: pick([0, 0, 0, 50, 1000, 100_000]),
    },
  }
}
