import type { z } from 'zod'
import { createCache } from '../kernel/cache.ts'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { ApiError, sayFailure, UpstreamError } from '../kernel/errors.ts'
import { gather } from '../kernel/gather.ts'
import { readChoices } from '../kernel/input.ts'
import type { Random } from '../kernel/random.ts'
import { hasControlCharacter } from '../kernel/text.ts'
import {
  DEFAULT_TIMEOUT_MS,
  type EngineId,
  ENGINES,
  LONGEST_NAME,
  LONGEST_TIMEOUT_MS,
  type Presence,
} from './contract.ts'
import { readMatch } from './match.ts'
import { readName, type SoughtName } from './name.ts'
import { overallOf, rarityOf, statusOf, visibilityOf } from './score.ts'
import type { Results, SearchEngine } from './search-engine.ts'
import { signalsOf, topMatchesOf } from './signals.ts'
import { summaryOf } from './summary.ts'

type Needs = {
  readonly engines: readonly SearchEngine[]
  /** Whether the name is registered under .com; null where that cannot be found out, or it cannot be a label. */
  readonly isRegistered: (label: string, signal: AbortSignal) => Promise<boolean | null>
  /** 1 for the commonest words of a language, 0 for those nobody knows. */
  readonly commonnessOf: (word: string) => number
  readonly clock: Clock
  readonly random: Random
}

export type Question = {
  readonly name: string
  readonly engines?: string | undefined
  readonly timeout?: number | undefined
}

type Heard = {
  readonly answers: readonly { readonly engine: EngineId; readonly results: Results; readonly ms: number }[]
  readonly failures: readonly { readonly engine: EngineId; readonly message: string; readonly isTimeout: boolean }[]
  readonly isRegistered: boolean
}

export type PresenceService = ReturnType<typeof createPresence>

/** The web changes slowly; who asks again within this time means the same question. */
const KEEP_MS = 10 * 60_000
/** A failure may be over soon. */
const KEEP_FAILURE_MS = 30_000

export function createPresence({ engines: all, isRegistered, commonnessOf, clock, random }: Needs) {
  const cache = createCache<Heard>({ name: 'search results', max: 10_000, clock })
  const flights = createCache<Heard>({ name: 'searches', max: 1, clock })

  async function listen(
    name: SoughtName,
    ids: readonly EngineId[],
    deadlineMs: number,
    signal: AbortSignal,
  ): Promise<Heard> {
    const tasks = ids.map((source) => ({
      source,
      async ask(own: AbortSignal) {
        const engine = all.find(({ id }) => id === source)
        if (!engine) throw new UpstreamError('not_configured', `${source} is not set up`)
        return engine.search(name.shown, own)
      },
    }))
    const [{ answers, failures }, registered] = await Promise.all([
      gather(tasks, { deadlineMs, clock, signal }),
      isTaken(name.joined, deadlineMs, signal),
    ])
    return {
      answers: answers.map(({ source, value, elapsedMs }) => ({
        engine: source,
        results: value,
        ms: Math.round(elapsedMs),
      })),
      failures: failures.map(({ source, error }) => ({
        engine: source,
        message: sayFailure(source, error.failure),
        isTimeout: error.failure === 'timeout',
      })),
      isRegistered: registered,
    }
  }

  /** What cannot be found out in time is not claimed. */
  async function isTaken(label: string, deadlineMs: number, signal: AbortSignal): Promise<boolean> {
    const task = { source: 'registry', ask: (own: AbortSignal) => isRegistered(label, own) }
    const { answers } = await gather([task], { deadlineMs, clock, signal })
    return answers[0]?.value === true
  }

  /** Who gives the engines less time than is usual does not spoil the answer of others. */
  async function hear(name: SoughtName, ids: readonly EngineId[], deadlineMs: number, signal: AbortSignal) {
    const key = `${name.words.join(' ')} ${ids.toSorted().join()}`
    const known = cache.get(key)
    if (known) return known
    const load = async (own: AbortSignal) => ({ value: await listen(name, ids, deadlineMs, own), ttlMs: 0 })
    const { value } = await flights.through(`${key} ${deadlineMs}`, load, { signal })
    const isHasty = deadlineMs < DEFAULT_TIMEOUT_MS && value.failures.some(({ isTimeout }) => isTimeout)
    const ttlMs = isHasty ? 0 : value.failures.length > 0 ? KEEP_FAILURE_MS : KEEP_MS
    return cache.through(key, async () => ({ value, ttlMs }), { refresh: true })
  }

  return {
    async search(question: Question, signal: AbortSignal): Promise<z.input<typeof Presence>> {
      const began = clock.monotonic()
      const name = mustBeName(question.name)
      const ids = question.engines === undefined ? ENGINES : readChoices('engines', question.engines, ENGINES)
      if (!all.some(({ id }) => ids.includes(id)))
        throw new ApiError(
          'service_unavailable',
          'No search engine is set up here; docs/presence.md tells how to add one.',
        )
      const deadlineMs = Math.min(question.timeout ?? DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS)
      // One that is not set up is not missed by who did not name it.
      const asked = question.engines === undefined ? ids.filter((id) => all.some((engine) => engine.id === id)) : ids
      const { value, cached } = await hear(name, asked, deadlineMs, signal)
      const errors = value.failures.map(({ engine, message }) => ({ engine, message }))
      if (value.answers.length === 0)
        throw new ApiError('service_unavailable', 'No search engine could be asked; try again later.', {
          extra: { errors },
        })
      const rarity = rarityOf(name, commonnessOf)
      const read = value.answers.map(({ engine, results, ms }) => {
        const matches = results.found.flatMap((found) => readMatch(name, found) ?? [])
        return { engine, ms, matches, total: results.total, ...visibilityOf(matches, results.total, rarity) }
      })
      const signals = signalsOf(
        read.flatMap(({ matches }) => matches),
        value.isRegistered,
      )
      const score = overallOf(read.map((one) => one.score))
      const status = statusOf(score)
      return {
        name: name.shown,
        score,
        status,
        summary: summaryOf(name.shown, { status, signals, engines: read.length }, random),
        engines: read.map(({ engine, score: own, exactHits, looseHits, total, matches, ms }) => ({
          engine,
          score: own,
          exact_hits: exactHits,
          loose_hits: looseHits,
          total_results_estimate: total ?? matches.length,
          top_matches: topMatchesOf(matches),
          response_ms: ms,
        })),
        signals,
        errors,
        total_ms: Math.round(clock.monotonic() - began),
        timestamp: timestamp(clock),
        cache_hit: cached,
      }
    },
    get size() {
      return cache.size
    },
  }
}

function mustBeName(text: string): SoughtName {
  const problem =
    text.length > LONGEST_NAME
      ? `has ${text.length} characters; a name has at most ${LONGEST_NAME}`
      : hasControlCharacter(text)
        ? 'contains control characters'
        : undefined
  const name = problem === undefined ? readName(text) : null
  if (name) return name
  throw new ApiError('invalid_name', `name ${problem ?? 'has neither letters nor digits to look for'}.`)
}
