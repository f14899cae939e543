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
import type { Version } from './generate.ts'
import { QUERIES, type Query } from './queries.ts'

export type Plan = { readonly rows: number; readonly rounds: number; readonly random: number }

/** Wall and processor time of one step, in milliseconds. */
export type Took = { readonly wallMs: number; readonly cpuMs: number }
export type Sync = Took & { readonly what: string; readonly rows: number; readonly report: string }
export type Timing = Query & {
  readonly total: number
  readonly p50: number
  readonly p99: number
  readonly p99Cpu: number
}

export type Outcome = {
  readonly feedBytes: number
  readonly shelfBytes: number
  readonly syncs: readonly Sync[]
  readonly timings: readonly Timing[]
  /** Many different combinations of filters and sorts. */
  readonly mixed: { readonly count: number; readonly p50: number; readonly p99: number; readonly p99Cpu: number }
  /** Searches made while a delivery is read. */
  readonly during: {
    readonly count: number
    readonly p50: number
    readonly p99: number
    readonly longestPauseMs: number
  }
  readonly peakRssBytes: number
}

const SOURCE = 'source_a'

/** In a process of its own, so that its memory is not ours. */
function writeElsewhere(path: string, version: Version): void {
  const bench = join(import.meta.dirname, '..', 'auctions.ts')
  execFileSync(process.execPath, [bench, '--write', JSON.stringify({ path, ...version })])
}

export async function measureAuctions(folder: string, plan: Plan, tell: (what: string) => void): Promise<Outcome> {
  const feed = join(folder, 'feed.csv')
  const path = join(folder, 'auctions.sqlite')
  const now = Math.floor(systemClock.now() / 1000)
  tell(`writing ${plan.rows} rows`)
  writeElsewhere(feed, { rows: plan.rows, seed: 1, now })
  const sync = createSyncer({ path, userAgent: 'onoma-bench', sandbox: true, random: secureRandom })
  const settings = {
    source: SOURCE,
    location: feed,
    map: presetMap('namecheap-market'),
    header: null,
    intervalMs: 1,
  } as const
  const syncs: Sync[] = []
  const run = async (what: string) => {
    const { result: report, ...took } = await timed(() =>
      sync(settings, {
        signal: new AbortController().signal,
        onProgress: (rows) => rows % 50_000 === 0 && tell(`${what}: ${rows} rows`),
      }),
    )
    if (report.outcome !== 'complete') throw new Error(`The sync came to ${report.outcome}: ${report.problem}`)
    syncs.push({ what, rows: report.rows, report: `${report.added} new, ${report.changed} changed`, ...took })
  }
  await run('first load')
  // The same bytes, but nobody can know without reading them.
  utimesSync(feed, now + 1, now + 1)
  await run('unchanged')

  const index = openListingIndex(path)
  try {
    const auctions = createAuctions({ index, sources: [SOURCE], clock: systemClock })
    const ask = (query: Query) => auctions.list(parseInput(listAuctions, query.input))
    tell('loading the columns')
    for (const query of QUERIES) for (let warm = 0; warm < 3; warm++) await ask(query)
    const timings: Timing[] = []
    for (const query of QUERIES) {
      tell(`asking: ${query.what}`)
      const total = (await ask(query)).meta.total
      timings.push({ ...query, total, ...(await repeated(plan.rounds, () => ask(query))) })
    }
    tell('asking all kinds of things')
    const random = seededRandom(7)
    const mixed = await repeated(plan.random, () => ask(combination(random)))
    tell('asking while a delivery is read')
    const feedBytes = statSync(feed).size
    writeElsewhere(feed, { rows: plan.rows, seed: 1, now, changed: 0.05 })
    const during = await askDuring(run('5 % changed'), () => ask(combination(random)))
    return {
      feedBytes,
      shelfBytes: statSync(path).size,
      syncs,
      timings,
      mixed: { count: plan.random, ...mixed },
      during,
      peakRssBytes: process.resourceUsage().maxRSS * 1024,
    }
  } finally {
    await index.close()
  }
}

async function askDuring(running: Promise<void>, ask: () => Promise<unknown>): Promise<Outcome['during']> {
  const state = { over: false, longest: 0 }
  const ended = running.finally(() => (state.over = true))
  // How long the event loop of the service had to wait for anything.
  let last = performance.now()
  const timer = setInterval(() => {
    state.longest = Math.max(state.longest, performance.now() - last - 10)
    last = performance.now()
  }, 10)
  const times: number[] = []
  try {
    while (!state.over) {
      times.push((await timed(ask)).wallMs)
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
    await ended
  } finally {
    clearInterval(timer)
  }
  return { count: times.length, p50: percentile(times, 50), p99: percentile(times, 99), longestPauseMs: state.longest }
}

async function repeated(times: number, ask: () => Promise<unknown>) {
  const walls: number[] = []
  const cpus: number[] = []
  for (let round = 0; round < times; round++) {
    const { wallMs, cpuMs } = await timed(ask)
    walls.push(wallMs)
    cpus.push(cpuMs)
  }
  return { p50: percentile(walls, 50), p99: percentile(walls, 99), p99Cpu: percentile(cpus, 99) }
}

async function timed<T>(run: () => Promise<T>): Promise<Took & { readonly result: T }> {
  const cpu = process.cpuUsage()
  const began = performance.now()
  const result = await run()
  const { user, system } = process.cpuUsage(cpu)
  return { result, wallMs: performance.now() - began, cpuMs: (user + system) / 1000 }
}

const percentile = (values: readonly number[], percent: number): number =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor((values.length * percent) / 100))] ?? 0

/** Any filters together with any sort, as callers may think of them. */
function combination(random: ReturnType<typeof seededRandom>): Query {
  const pick = <T>(values: readonly T[]): T => values[random.below(values.length)]!
  const maybe = (name: string, values: readonly (string | number)[]) =>
    random.fraction() < 0.35 ? { [name]: pick(values) } : {}
  return {
    what: 'mixed',
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
