import type { z } from 'zod'
import { createCache } from '../kernel/cache.ts'
import { type Clock, timestamp } from '../kernel/clock.ts'
import { ApiError, failureMessage, UpstreamError } from '../kernel/errors.ts'
import { gather } from '../kernel/gather.ts'
import { parseChoices } from '../kernel/input.ts'
import type { Random } from '../kernel/random.ts'
import { hasControlCharacter } from '../kernel/control-characters.ts'
import {
  DEFAULT_TIMEOUT_MS,
  type EngineId,
  ENGINES,
  MAX_NAME_LENGTH,
  MAX_TIMEOUT_MS,
  type Presence,
} from './contract.ts'
import { type Match, parseMatch } from './match.ts'
import { parseName, type SoughtName } from './name.ts'
import { isDescriptive, overallOf, rarityOf, SHARED_SCORE, statusOf, type Visibility, visibilityOf } from './score.ts'
import type { SearchEngine } from './search-engine.ts'
import { organisationsIn, MIN_ORGANISATIONS, type Signals, signalsOf, topMatchesOf } from './signals.ts'
import { summaryOf } from './summary.ts'

type Needs = {
  readonly engines: readonly SearchEngine[]
  /** Whether this ASCII label is registered under .com; null if unknown. */
  readonly isRegistered: (label: string, signal: AbortSignal) => Promise<boolean | null>
  /** 1 for the most common words of a language, 0 for unknown ones. */
  readonly commonnessOf: (word: string) => number
  readonly clock: Clock
  readonly random: Random
}

export type PresenceQuery = {
  readonly name: string
  readonly engines?: string | undefined
  readonly timeout?: number | undefined
}

/** What one engine found; the results themselves are not stored. */
type EngineFindings = Visibility & {
  readonly engine: EngineId
  readonly top: ReturnType<typeof topMatchesOf>
  /** The engine's estimate, or the number of results looked at. */
  readonly total: number
  readonly ms: number
}

type Findings = {
  readonly byEngine: readonly EngineFindings[]
  readonly signals: Signals
  /** Whether several businesses use the name. */
  readonly isShared: boolean
  readonly failures: readonly { readonly engine: EngineId; readonly message: string }[]
  /** Whether all engines and the registry replied. */
  readonly isComplete: boolean
  /** Whether an engine or the registry timed out. */
  readonly hasTimeout: boolean
}

export type PresenceService = ReturnType<typeof createPresence>

const TTL_MS = 10 * 60_000
/** For incomplete findings: a failure may be over soon. */
const FAILURE_TTL_MS = 30_000
const MAX_CACHED_NAMES = 5_000

export function createPresence({ engines, isRegistered, commonnessOf, clock, random }: Needs) {
  const cache = createCache<Findings>({ name: 'search results', max: MAX_CACHED_NAMES, clock })
  const flights = createCache<Findings>({ name: 'searches', max: 1, clock })

  async function searchAll(
    name: SoughtName,
    ids: readonly EngineId[],
    timeoutMs: number,
    signal: AbortSignal,
  ): Promise<Findings> {
    const tasks = ids.map((source) => ({
      source,
      async run(own: AbortSignal) {
        const engine = engines.find(({ id }) => id === source)
        if (!engine) throw new UpstreamError('not_configured', `${source} is not configured`)
        return engine.search(name.query, own)
      },
    }))
    const { label } = name
    const registry = label === null ? [] : [{ source: 'registry', run: (own: AbortSignal) => isRegistered(label, own) }]
    const options = { timeoutMs, clock, signal }
    const [web, com] = await Promise.all([gather(tasks, options), gather(registry, options)])
    const rarity = rarityOf(name, commonnessOf)
    const hasSeveral = (matches: readonly Match[]) =>
      !isDescriptive(name, commonnessOf) && organisationsIn(matches) >= MIN_ORGANISATIONS
    const results = web.answers.map(({ source, value: { found, total }, elapsedMs }) => {
      const matches = found.flatMap((one) => parseMatch(name, one) ?? [])
      return { engine: source, matches, total, ms: Math.round(elapsedMs), ...visibilityOf(matches, total, rarity) }
    })
    const all = results.flatMap(({ matches }) => matches)
    const isShared = hasSeveral(all)
    // Null if the registry does not reply in time or does not know.
    const isTaken = label === null ? false : (com.answers[0]?.value ?? null)
    return {
      byEngine: results.map(({ matches, total, ...rest }) => ({
        ...rest,
        score: hasSeveral(matches) ? Math.max(rest.score, SHARED_SCORE) : rest.score,
        total: total ?? matches.length,
        top: topMatchesOf(matches),
      })),
      signals: signalsOf(all, isTaken, isShared),
      isShared,
      failures: web.failures.map(({ source, error }) => ({
        engine: source,
        message: failureMessage(source, error),
      })),
      isComplete: web.failures.length === 0 && isTaken !== null,
      hasTimeout: [...web.failures, ...com.failures].some(({ error }) => error.failure === 'timeout'),
    }
  }

  async function searchCached(name: SoughtName, ids: readonly EngineId[], timeoutMs: number, signal: AbortSignal) {
    const key = `${ids.toSorted().join()} ${name.shown.toLowerCase()}`
    const known = cache.get(key)
    if (known) return known
    const load = async (own: AbortSignal) => ({ value: await searchAll(name, ids, timeoutMs, own), ttlMs: 0 })
    const flight = await flights.getOrLoad(`${timeoutMs} ${key}`, load, { signal })
    const { value } = flight
    // A timeout caused by a short deadline of one caller must not be cached for others.
    if (value.hasTimeout && timeoutMs < DEFAULT_TIMEOUT_MS) return flight
    return cache.getOrLoad(key, async () => ({ value, ttlMs: value.isComplete ? TTL_MS : FAILURE_TTL_MS }), {
      refresh: true,
    })
  }

  return {
    async search(query: PresenceQuery, signal: AbortSignal): Promise<z.input<typeof Presence>> {
      const began = clock.monotonic()
      const name = mustBeName(query.name)
      const ids = query.engines === undefined ? ENGINES : parseChoices('engines', query.engines, ENGINES)
      const isConfigured = (id: EngineId) => engines.some((engine) => engine.id === id)
      if (!ids.some(isConfigured))
        throw new ApiError(
          'service_unavailable',
          'None of the requested search engines is configured on this server (settings ONOMA_ENGINE_A_* and ONOMA_ENGINE_B_*).',
        )
      const timeoutMs = Math.min(query.timeout ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS)
      // An engine that is not configured is an error only if it was requested.
      const asked = query.engines === undefined ? ids.filter(isConfigured) : ids
      const { value, cached } = await searchCached(name, asked, timeoutMs, signal)
      const { byEngine, signals } = value
      const errors = [...value.failures]
      if (byEngine.length === 0)
        throw new ApiError('service_unavailable', 'All search engines failed; retry later.', {
          cause: new UpstreamError('unavailable', errors.map(({ message }) => message).join(' ')),
          extra: { errors },
        })
      const found = overallOf(byEngine.map((one) => one.score))
      const score = value.isShared ? Math.max(found, SHARED_SCORE) : found
      const status = statusOf(score)
      return {
        name: name.shown,
        score,
        status,
        summary: summaryOf(name.shown, { status, signals, asked: asked.length, answered: byEngine.length }, random),
        engines: byEngine.map((one) => ({
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
    text.length > MAX_NAME_LENGTH
      ? `has ${text.length} characters; a name has at most ${MAX_NAME_LENGTH}`
      : hasControlCharacter(text) || UNSAFE_CHARACTERS.test(text)
        ? 'contains control characters'
        : undefined
  const name = problem === undefined ? parseName(text) : null
  if (name) return name
  throw new ApiError('invalid_name', `name ${problem ?? 'has neither letters nor digits'}.`)
}

/** C1 controls, direction marks, line separators and lone surrogates: the name is repeated in the response. */
const UNSAFE_CHARACTERS = /[\u0080-\u009f\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\p{Zl}\p{Zp}\p{Cs}]/u
