import type { Clock } from '../kernel/clock.ts'
import { failureMessage, UpstreamError } from '../kernel/errors.ts'
import { gather } from '../kernel/gather.ts'
import type { EngineId } from './contract.ts'
import { type Match, parseMatch } from './match.ts'
import type { SoughtName } from './name.ts'
import { isDescriptive, rarityOf, SHARED_SCORE, type Visibility, visibilityOf } from './score.ts'
import type { Coverage, SearchEngine } from './search-engine.ts'
import { organisationsIn, MIN_ORGANISATIONS, type Signals, signalsOf, topMatchesOf } from './signals.ts'

export type SearchNeeds = {
  readonly engines: readonly SearchEngine[]
  /** Whether this ASCII label is registered under .com; null if unknown. */
  readonly isRegistered: (label: string, signal: AbortSignal, client: string) => Promise<boolean | null>
  /** 1 for the most common words of a language, 0 for unknown ones. */
  readonly commonnessOf: (word: string) => number
  readonly clock: Clock
}

export type SearchOptions = {
  readonly ids: readonly EngineId[]
  readonly timeoutMs: number
  readonly signal: AbortSignal
  /** Who asks, for the turn at the registry. */
  readonly client: string
}

/** What one engine found; the results themselves are not stored. */
type EngineFindings = Visibility & {
  readonly engine: EngineId
  readonly top: ReturnType<typeof topMatchesOf>
  /** The engine's estimate, or the number of results looked at. */
  readonly total: number
  readonly ms: number
  /** Set for an engine that searches open sources, not the web. */
  readonly coverage: Coverage | null
}

export type Findings = {
  readonly byEngine: readonly EngineFindings[]
  readonly signals: Signals
  /** Whether several businesses use the name. */
  readonly isShared: boolean
  readonly failures: readonly { readonly engine: EngineId; readonly message: string }[]
  /** Whether all engines, all their sources and the registry replied. */
  readonly isComplete: boolean
  /** Whether an engine or the registry timed out. */
  readonly hasTimeout: boolean
}

/** Asks all engines and the registry at once, and rates what they found. */
export async function searchAll(
  { engines, isRegistered, commonnessOf, clock }: SearchNeeds,
  name: SoughtName,
  { ids, timeoutMs, signal, client }: SearchOptions,
): Promise<Findings> {
  const tasks = ids.map((source) => ({
    source,
    async run(own: AbortSignal) {
      const engine = engines.find(({ id }) => id === source)
      if (!engine) throw new UpstreamError('not_configured', `${source} is not configured`)
      return engine.search(name.query, own, timeoutMs)
    },
  }))
  const { label } = name
  const registry =
    label === null ? [] : [{ source: 'registry', run: (own: AbortSignal) => isRegistered(label, own, client) }]
  const options = { timeoutMs, clock, signal }
  const [web, com] = await Promise.all([gather(tasks, options), gather(registry, options)])
  const rarity = rarityOf(name, commonnessOf)
  const hasSeveral = (matches: readonly Match[]) =>
    !isDescriptive(name, commonnessOf) && organisationsIn(matches) >= MIN_ORGANISATIONS
  const results = web.answers.map(({ source, value: { found, total, coverage = null }, elapsedMs }) => {
    const matches = found.flatMap((one) => parseMatch(name, one) ?? [])
    const ms = Math.round(elapsedMs)
    return { engine: source, matches, total, ms, coverage, ...visibilityOf(matches, total, rarity) }
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
    isComplete:
      web.failures.length === 0 && isTaken !== null && results.every(({ coverage }) => !coverage?.failed.length),
    hasTimeout: [...web.failures, ...com.failures].some(({ error }) => error.failure === 'timeout'),
  }
}
