import type * as z from 'zod'
import { createCache } from '../kernel/cache.ts'
import { timestamp } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
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
import type { Findings, SearchNeeds, SearchOptions } from './findings.ts'
import { parseName, type SoughtName } from './name.ts'
import { overallOf, SHARED_SCORE, statusOf } from './score.ts'
import { summaryOf } from './summary.ts'

type Needs = SearchNeeds & { readonly random: Random }

export type PresenceQuery = {
  readonly name: string
  readonly engines?: string | undefined
  readonly timeout?: number | undefined
}

export type PresenceService = ReturnType<typeof createPresence>

const TTL_MS = 10 * 60_000
/** For incomplete findings: a failure may be over soon. */
const FAILURE_TTL_MS = 30_000
const MAX_CACHED_NAMES = 5_000

export function createPresence({ random, ...needs }: Needs) {
  const { engines, clock } = needs
  const cache = createCache<Findings>({ name: 'search results', max: MAX_CACHED_NAMES, clock })
  const flights = createCache<Findings>({ name: 'searches', max: 1, clock })

  async function searchCached(name: SoughtName, { signal, ...options }: SearchOptions) {
    const { ids, timeoutMs } = options
    const key = `${ids.toSorted().join()} ${name.shown.toLowerCase()}`
    const known = cache.get(key)
    if (known) return known
    const load = async (own: AbortSignal) => {
      // With its words in many languages, loaded at the first search.
      const { searchAll } = await import('./findings.ts')
      return { value: await searchAll(needs, name, { ...options, signal: own }), ttlMs: 0 }
    }
    const flight = await flights.getOrLoad(`${timeoutMs} ${key}`, load, { signal })
    const { value } = flight
    // A timeout caused by a short deadline of one caller must not be cached for others.
    if (value.hasTimeout && timeoutMs < DEFAULT_TIMEOUT_MS) return flight
    return cache.getOrLoad(key, async () => ({ value, ttlMs: value.isComplete ? TTL_MS : FAILURE_TTL_MS }), {
      refresh: true,
    })
  }

  return {
    async search(query: PresenceQuery, signal: AbortSignal, client: string): Promise<z.input<typeof Presence>> {
      const began = clock.monotonic()
      const name = mustBeName(query.name)
      const ids = query.engines === undefined ? ENGINES : parseChoices('engines', query.engines, ENGINES)
      const isConfigured = (id: EngineId) => engines.some((engine) => engine.id === id)
      if (!ids.some(isConfigured))
        throw new ApiError(
          'service_unavailable',
          'None of the requested search engines is configured on this server (settings ONOMA_ENGINE_A_* and ONOMA_ENGINE_B_*).',
          { off: true },
        )
      const timeoutMs = Math.min(query.timeout ?? DEFAULT_TIMEOUT_MS, MAX_TIMEOUT_MS)
      // An engine that is not configured is an error only if it was requested.
      const asked = query.engines === undefined ? ids.filter(isConfigured) : ids
      const { value, cached } = await searchCached(name, { ids: asked, timeoutMs, signal, client })
      return {
        ...reportOf(name, value, asked.length, random),
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

/** The part of the response that the findings decide. Throws if no engine answered. */
function reportOf(name: SoughtName, findings: Findings, asked: number, random: Random) {
  const { byEngine, signals, isShared } = findings
  const errors = [...findings.failures]
  if (byEngine.length === 0)
    throw new ApiError('service_unavailable', 'All search engines failed; retry later.', {
      cause: new UpstreamError('unavailable', errors.map(({ message }) => message).join(' ')),
      extra: { errors },
    })
  const found = overallOf(byEngine.map((one) => one.score))
  const score = isShared ? Math.max(found, SHARED_SCORE) : found
  const status = statusOf(score)
  const coverages = byEngine.flatMap(({ coverage }) => coverage ?? [])
  const openOnly = coverages.length === byEngine.length ? coverages[0]! : null
  return {
    name: name.shown,
    score,
    status,
    summary: summaryOf(name.shown, { status, signals, asked, answered: byEngine.length, openOnly }, random),
    engines: byEngine.map((one) => ({
      engine: one.engine,
      score: one.score,
      exact_hits: one.exactHits,
      loose_hits: one.looseHits,
      total_results_estimate: one.total,
      top_matches: one.top,
      response_ms: one.ms,
      ...(one.coverage && {
        coverage: { answered: [...one.coverage.answered], failed: [...one.coverage.failed] },
      }),
    })),
    signals,
    errors,
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
