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
import { type Match, readMatch } from './match.ts'
import { readName, type SoughtName } from './name.ts'
import { isDescriptive, overallOf, rarityOf, SHARED_SCORE, statusOf, type Visibility, visibilityOf } from './score.ts'
import type { SearchEngine } from './search-engine.ts'
import { organisationsIn, MIN_ORGANISATIONS, type Signals, signalsOf, topMatchesOf } from './signals.ts'
import { summaryOf } from './summary.ts'

type Needs = {
  readonly engines: readonly SearchEngine[]
  /** Whether this ASCII label is registered under .com; null where that cannot be found out. */
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

/** What was heard of one engine, read: results themselves are not kept. */
type Reading = Visibility & {
  readonly engine: EngineId
  readonly top: ReturnType<typeof topMatchesOf>
  /** How many there are, or were looked at. */
  readonly total: number
  readonly ms: number
}

type Heard = {
  readonly readings: readonly Reading[]
  readonly signals: Signals
  /** Whether several businesses have the name. */
  readonly isShared: boolean
  readonly failures: readonly { readonly engine: EngineId; readonly message: string }[]
  /** Whether everybody was heard, the registry included. */
  readonly isWhole: boolean
  /** Whether somebody would have needed more time. */
  readonly isLate: boolean
}

export type PresenceService = ReturnType<typeof createPresence>

/** The web changes slowly; who asks again within this time means the same question. */
const KEEP_MS = 10 * 60_000
/** A failure may be over soon. */
const KEEP_FAILURE_MS = 30_000
const MOST_KEPT = 5_000

export function createPresence({ engines, isRegistered, commonnessOf, clock, random }: Needs) {
  const cache = createCache<Heard>({ name: 'search results', max: MOST_KEPT, clock })
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
        const engine = engines.find(({ id }) => id === source)
        if (!engine) throw new UpstreamError('not_configured', `${source} is not set up`)
        return engine.search(name.query, own)
      },
    }))
    const { label } = name
    const registry = label === null ? [] : [{ source: 'registry', ask: (own: AbortSignal) => isRegistered(label, own) }]
    const options = { deadlineMs, clock, signal }
    const [web, com] = await Promise.all([gather(tasks, options), gather(registry, options)])
    const rarity = rarityOf(name, commonnessOf)
    const hasSeveral = (matches: readonly Match[]) =>
      !isDescriptive(name, commonnessOf) && organisationsIn(matches) >= MIN_ORGANISATIONS
    const read = web.answers.map(({ source, value: { found, total }, elapsedMs }) => {
      const matches = found.flatMap((one) => readMatch(name, one) ?? [])
      return { engine: source, matches, total, ms: Math.round(elapsedMs), ...visibilityOf(matches, total, rarity) }
    })
    const all = read.flatMap(({ matches }) => matches)
    const isShared = hasSeveral(all)
    // What cannot be found out in time is unknown, and so is what the registry itself does not tell.
    const isTaken = label === null ? false : (com.answers[0]?.value ?? null)
    return {
      readings: read.map(({ matches, total, ...rest }) => ({
        ...rest,
        score: hasSeveral(matches) ? Math.max(rest.score, SHARED_SCORE) : rest.score,
        total: total ?? matches.length,
        top: topMatchesOf(matches),
      })),
      signals: signalsOf(all, isTaken, isShared),
      isShared,
      failures: web.failures.map(({ source, error }) => ({
        engine: source,
        message: sayFailure(source, error),
      })),
      isWhole: web.failures.length === 0 && isTaken !== null,
      isLate: [...web.failures, ...com.failures].some(({ error }) => error.failure === 'timeout'),
    }
  }

  async function hear(name: SoughtName, ids: readonly EngineId[], deadlineMs: number, signal: AbortSignal) {
    const key = `${ids.toSorted().join()} ${name.shown.toLowerCase()}`
    const known = cache.get(key)
    if (known) return known
    const load = async (own: AbortSignal) => ({ value: await listen(name, ids, deadlineMs, own), ttlMs: 0 })
    const flight = await flights.through(`${deadlineMs} ${key}`, load, { signal })
    const { value } = flight
    // Who gives the engines less time than is usual does not spoil the answer of others.
    if (value.isLate && deadlineMs < DEFAULT_TIMEOUT_MS) return flight
    return cache.through(key, async () => ({ value, ttlMs: value.isWhole ? KEEP_MS : KEEP_FAILURE_MS }), {
      refresh: true,
    })
  }

  return {
    async search(question: Question, signal: AbortSignal): Promise<z.input<typeof Presence>> {
      const began = clock.monotonic()
      const name = mustBeName(question.name)
      const ids = question.engines === undefined ? ENGINES : readChoices('engines', question.engines, ENGINES)
      const isSetUp = (id: EngineId) => engines.some((engine) => engine.id === id)
      if (!ids.some(isSetUp))
        throw new ApiError(
          'service_unavailable',
          'None of the search engines asked for is set up at this service (settings ONOMA_ENGINE_A_* and ONOMA_ENGINE_B_*).',
        )
      const deadlineMs = Math.min(question.timeout ?? DEFAULT_TIMEOUT_MS, LONGEST_TIMEOUT_MS)
      // One that is not set up is not missed by who did not name it.
      const asked = question.engines === undefined ? ids.filter(isSetUp) : ids
      const { value, cached } = await hear(name, asked, deadlineMs, signal)
      const { readings, signals } = value
      const errors = [...value.failures]
      if (readings.length === 0)
        throw new ApiError('service_unavailable', 'No search engine could be asked; try again later.', {
          cause: new UpstreamError('unavailable', errors.map(({ message }) => message).join(' ')),
          extra: { errors },
        })
      const found = overallOf(readings.map((one) => one.score))
      const score = value.isShared ? Math.max(found, SHARED_SCORE) : found
      const status = statusOf(score)
      return {
        name: name.shown,
        score,
        status,
        summary: summaryOf(name.shown, { status, signals, asked: asked.length, heard: readings.length }, random),
        engines: readings.map((one) => ({
          engine: one.engine,
          score: one.score,
          exact_hits: one.exactHits,
          loose_hits: one.looseHits,
          total_results_estimate: one.total,
          top_matches: one.top,
          response_ms: one.ms,
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
      : hasControlCharacter(text) || STEERING.test(text)
        ? 'contains control characters'
        : undefined
  const name = problem === undefined ? readName(text) : null
  if (name) return name
  throw new ApiError('invalid_name', `name ${problem ?? 'has neither letters nor digits to look for'}.`)
}

/** What turns the direction of writing, breaks lines or is no character: it would come out again in the answer. */
const STEERING = /[\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Zl}\p{Zp}\p{Cs}]/u
