import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Page } from '../../src/trademark/search-index.ts'
import { createHistogram } from '../load/histogram.ts'
import { cpuMs } from './cpu-time.ts'
import { type IndexQuery, KINDS, type Kind, type Queries } from './queries.ts'

export type Latency = {
  readonly queries: number
  readonly p50Ms: number
  readonly p99Ms: number
  readonly maxMs: number
  /** CPU time of all threads per query. */
  readonly cpuMs: number
  readonly found: number
}

export type RunQuery = (query: IndexQuery) => Promise<Page> | Page | null

/** Runs the queries one after the other. Null if this kind of query is not supported. */
async function measureEach(runQuery: RunQuery, queries: readonly IndexQuery[]): Promise<Latency | null> {
  const histogram = createHistogram()
  let found = 0
  let maxMs = 0
  const cpu = cpuMs()
  for (const query of queries) {
    const start = performance.now()
    const page = await runQuery(query)
    if (page === null) return null
    const elapsedMs = performance.now() - start
    histogram.add(elapsedMs)
    maxMs = Math.max(maxMs, elapsedMs)
    if (page.total > 0) found++
  }
  return {
    queries: queries.length,
    p50Ms: histogram.quantile(0.5),
    p99Ms: histogram.quantile(0.99),
    maxMs,
    cpuMs: (cpuMs() - cpu) / queries.length,
    found,
  }
}

/** Queries per kind. */
export type QueryPlan = { readonly first: number; readonly warm: number }
export type Latencies = Record<Kind, { readonly first: Latency | null; readonly warm: Latency | null }>

/** Time between the two sets: fast queries need hundreds of runs until their code is compiled. */
const WARM_UP_MS = 1_000

/**
 * Measures the first queries of a process, and then other queries of the same kind: caches are warm, but never hold the
 * result itself.
 */
export async function measureKinds(runQuery: RunQuery, queries: Queries, plan: QueryPlan): Promise<Latencies> {
  const all: Partial<Latencies> = {}
  for (const kind of KINDS)
    all[kind] = {
      first: await measureEach(runQuery, queries.of(kind, 0, plan.first)),
      warm: await warmUp(runQuery, queries.of(kind, 2, plan.warm)).then(() =>
        measureEach(runQuery, queries.of(kind, 1, plan.warm)),
      ),
    }
  return all as Latencies
}

async function warmUp(runQuery: RunQuery, queries: readonly IndexQuery[]): Promise<void> {
  const begin = performance.now()
  for (let at = 0; performance.now() - begin < WARM_UP_MS; at++)
    if ((await runQuery(queries[at % queries.length]!)) === null) return
}

export type Mixed = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Busy processors, by the CPU time of all threads. */
  readonly busy: number
  /** Event loop delay, without the sampling interval. */
  readonly loopDelayP99Ms: number
}

const RESOLUTION_MS = 5

/** Runs queries concurrently: each client sends its next query as soon as it has a result. */
export async function measureMixed(
  runQuery: RunQuery,
  queries: readonly IndexQuery[],
  { seconds, concurrency }: { readonly seconds: number; readonly concurrency: number },
): Promise<Mixed> {
  const histogram = createHistogram()
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let next = 0
  const begin = performance.now()
  const cpu = cpuMs()
  delay.enable()
  const client = async () => {
    while (performance.now() - begin < seconds * 1000) {
      const start = performance.now()
      await runQuery(queries[next++ % queries.length]!)
      histogram.add(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: concurrency }, client))
  delay.disable()
  const elapsedMs = performance.now() - begin
  return {
    perSecond: (histogram.count / elapsedMs) * 1000,
    p50Ms: histogram.quantile(0.5),
    p99Ms: histogram.quantile(0.99),
    busy: (cpuMs() - cpu) / elapsedMs,
    loopDelayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS),
  }
}
