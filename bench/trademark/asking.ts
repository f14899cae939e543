import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Page } from '../../src/trademark/search-index.ts'
import { createHistogram } from '../load/histogram.ts'
import { cpuMs } from './usage.ts'
import { KINDS, type Kind, type Question, type Questions } from './questions.ts'

export type Latency = {
  readonly asked: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Of all threads, for one question. */
  readonly cpuMs: number
  readonly found: number
}

export type Asker = (question: Question) => Promise<Page> | Page | null

/** Asks one after the other. Null where whoever is asked does not know this kind of question. */
async function askEach(ask: Asker, questions: readonly Question[]): Promise<Latency | null> {
  const histogram = createHistogram()
  let found = 0
  const cpu = cpuMs()
  for (const question of questions) {
    const start = performance.now()
    const page = await ask(question)
    if (page === null) return null
    histogram.add(performance.now() - start)
    if (page.total > 0) found++
  }
  return {
    asked: questions.length,
    p50Ms: histogram.quantile(0.5),
    p99Ms: histogram.quantile(0.99),
    cpuMs: (cpuMs() - cpu) / questions.length,
    found,
  }
}

export type AskPlan = { readonly first: number; readonly warm: number }
export type Latencies = Record<Kind, { readonly first: Latency | null; readonly warm: Latency | null }>

/** So long the same kind is asked between the two sets: quick questions need hundreds until their code is compiled. */
const WARMING_MS = 1_000

/**
 * The first time a process is asked something, and other questions of the same kind when it has answered some: caches
 * then hold what any traffic leaves in them, and never the very answer.
 */
export async function askAll(ask: Asker, questions: Questions, plan: AskPlan): Promise<Latencies> {
  const all: Partial<Latencies> = {}
  for (const kind of KINDS)
    all[kind] = {
      first: await askEach(ask, questions.of(kind, 0, plan.first)),
      warm: await warmed(ask, questions.of(kind, 2, plan.warm)).then(() =>
        askEach(ask, questions.of(kind, 1, plan.warm)),
      ),
    }
  return all as Latencies
}

async function warmed(ask: Asker, questions: readonly Question[]): Promise<void> {
  const begin = performance.now()
  for (let at = 0; performance.now() - begin < WARMING_MS; at++)
    if ((await ask(questions[at % questions.length]!)) === null) return
}

export type Mixed = {
  readonly perSecond: number
  readonly p50Ms: number
  readonly p99Ms: number
  /** Processors in use, of all threads. */
  readonly busy: number
  /** How late the event loop was, beyond what it waits anyway. */
  readonly loopDelayP99Ms: number
}

const RESOLUTION_MS = 5

/** Several ask at once, each the next question as soon as it has an answer. */
export async function askMixed(
  ask: Asker,
  questions: readonly Question[],
  { seconds, atOnce }: { readonly seconds: number; readonly atOnce: number },
): Promise<Mixed> {
  const histogram = createHistogram()
  const delay = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
  let next = 0
  const begin = performance.now()
  const cpu = cpuMs()
  delay.enable()
  const keepAsking = async () => {
    while (performance.now() - begin < seconds * 1000) {
      const start = performance.now()
      await ask(questions[next++ % questions.length]!)
      histogram.add(performance.now() - start)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, keepAsking))
  delay.disable()
  const tookMs = performance.now() - begin
  return {
    perSecond: (histogram.count / tookMs) * 1000,
    p50Ms: histogram.quantile(0.5),
    p99Ms: histogram.quantile(0.99),
    busy: (cpuMs() - cpu) / tookMs,
    loopDelayP99Ms: Math.max(0, delay.percentile(99) / 1e6 - RESOLUTION_MS),
  }
}
