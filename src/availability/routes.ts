import { type Clock, timestamp } from '../kernel/clock.ts'
import { type Context, route, type Route, streamingRoute } from '../kernel/endpoint.ts'
import { nextTurn as yieldTurn, type NextTurn } from '../kernel/event-loop.ts'
import type { Catalogue } from '../tlds/catalogue.ts'
import { parseList, type RefusedDomain } from './bulk.ts'
import { checkConcurrently } from './concurrent-checks.ts'
import { checkBulk, checkDomains, checkDomainsLegacy, LEGACY_TIMEOUT_MS } from './contract.ts'
import { registryHealth } from './health-contract.ts'
import type { LegacyTurns } from './legacy-turns.ts'
import type { Target } from './probe.ts'
import type { RegistryHealth, RegistryReport } from './registry-health.ts'
import type { Availability, CheckOptions, CheckOutcome, Targets, Sleep } from './service.ts'
import {
  formatCompact,
  isInconclusive,
  formatLegacyResult,
  formatNamedResult,
  formatResult,
  sharedName,
  summarize,
} from './shape.ts'
import type { HostState } from '../kernel/pace/host-types.ts'
import { allTargets, parseTargets } from './targets.ts'

type Needs = {
  readonly availability: Availability
  readonly catalogue: Catalogue
  readonly clock: Clock
  readonly sleep: Sleep
  readonly health: Pick<RegistryHealth, 'report'>
  /** How a server is queried at the moment; undefined if it was not queried recently. */
  readonly paceOf?: (server: Pick<RegistryReport, 'source' | 'server'>) => HostState | undefined
  readonly legacyTurns: LegacyTurns
  readonly timeoutScale?: number
  readonly nextTurn?: NextTurn
}

/**
 * Per domain: a person waits for a check, a program for a bulk check. A legacy check gets only a quarter of each
 * registry's rate, so it has more time, which is for the whole request.
 */
const TIMEOUT_MS = { check: 10_000, bulk: 60_000, legacy: LEGACY_TIMEOUT_MS }
/** The rest is for the check: a turn that comes at the last moment would only find out that there is no time left. */
const LEGACY_WAIT_SHARE = 0.5

export function availabilityRoutes(needs: Needs): Route[] {
  const {
    availability,
    catalogue,
    clock,
    sleep,
    health,
    legacyTurns,
    paceOf,
    timeoutScale = 1,
    nextTurn = yieldTurn,
  } = needs
  const optionsOf = (kind: keyof typeof TIMEOUT_MS, { signal, client, timeoutMs }: Context): CheckOptions => ({
    signal,
    timeoutMs: TIMEOUT_MS[kind] * timeoutScale,
    lane: client,
    ...(timeoutMs !== undefined && { deadline: clock.monotonic() + timeoutMs }),
  })
  const all = async (targets: Targets, options: CheckOptions): Promise<CheckOutcome[]> =>
    Array.fromAsync(availability.checkAll(targets, options))
  const inOrder = async (
    targets: readonly Target[],
    options: CheckOptions,
    paced: Targets = targets,
  ): Promise<CheckOutcome[]> => {
    const found = new Map((await all(paced, options)).map((outcome) => [outcome.target.domain, outcome]))
    return targets.map(({ domain }) => found.get(domain)!)
  }

  return [
    streamingRoute(
      checkDomains,
      async ({ evidence = false, view, ...query }, context) => {
        const began = clock.monotonic()
        const targets = parseTargets(query, catalogue)
        const outcomes = await inOrder(targets, optionsOf('check', context))
        if (view === 'compact') return formatCompact(outcomes)
        if (outcomes.length === 1) return formatNamedResult(outcomes[0]!, evidence)
        const name = sharedName(targets)
        return {
          ...(name !== undefined && { name }),
          results: outcomes.map((outcome) =>
            (name === undefined ? formatNamedResult : formatResult)(outcome, evidence),
          ),
          summary: summarize(outcomes),
          totalMs: Math.round(clock.monotonic() - began),
          timestamp: timestamp(clock),
        }
      },
      async function* ({ evidence = false, view: _view, ...query }, context) {
        yield* lines(parseTargets(query, catalogue), optionsOf('check', context), evidence)
      },
      { inconclusive: isInconclusive },
    ),
    streamingRoute(
      checkBulk,
      async ({ domains, evidence = false, view }, context) => {
        const outcomes: CheckOutcome[] = []
        const refused: RefusedDomain[] = []
        const results: ReturnType<typeof formatNamedResult>[] = []
        for await (const item of checkList(domains, context)) {
          if ('error' in item) refused.push(item)
          else outcomes.push(item)
          // Formatted as they come: all at once would be one long step.
          if (view !== 'compact' && !('error' in item)) results.push(formatNamedResult(item, evidence))
        }
        if (view === 'compact') return formatCompact(outcomes, refused)
        return { results, ...(refused.length > 0 && { refused }), summary: summarize(outcomes) }
      },
      async function* ({ domains, evidence = false }, context) {
        const outcomes: CheckOutcome[] = []
        for await (const item of checkList(domains, context)) {
          if ('error' in item) yield item
          else {
            outcomes.push(item)
            yield formatNamedResult(item, evidence)
          }
        }
        yield { summary: summarize(outcomes) }
      },
      { inconclusive: isInconclusive },
    ),
    route(checkDomainsLegacy, ({ name }, context) => {
      const targets = allTargets(name, catalogue)
      const began = clock.monotonic()
      const options = optionsOf('legacy', context)
      const deadline = began + options.timeoutMs
      const check = async () => {
        const outcomes = await inOrder(
          targets,
          { ...options, deadline, lowPriority: true },
          oneByOne(targets, deadline),
        )
        return {
          name: targets[0]!.label,
          results: outcomes.map(formatLegacyResult),
          totalMs: Math.round(clock.monotonic() - began),
          timestamp: timestamp(clock),
        }
      }
      const maxWaitMs = options.timeoutMs * LEGACY_WAIT_SHARE
      return legacyTurns.run(context.client, check, { maxWaitMs, signal: context.signal })
    }),
    route(registryHealth, () => ({
      registries: health
        .report()
        .map(({ p95Ms, ...report }) => ({ ...report, p95_ms: p95Ms, ...formatPace(paceOf?.(report)) })),
      timestamp: timestamp(clock),
    })),
  ]

  /**
   * One target in each turn of the event loop, so that 511 at once do not delay other requests. After the deadline nobody
   * is asked about the rest, and on a busy machine its turns would take longer than the check.
   */
  async function* oneByOne(targets: readonly Target[], deadline: number): AsyncIterable<Target> {
    for (const target of targets) {
      yield target
      if (clock.monotonic() < deadline) await nextTurn()
    }
  }

  /** The outcome of every domain of a list as soon as it is known, and each that cannot be checked. */
  function checkList(domains: readonly string[], context: Context): AsyncIterable<CheckOutcome | RefusedDomain> {
    return checkConcurrently(
      async (item, options) => ('error' in item ? item : availability.check(item, options)),
      parseList(domains, { catalogue, sleep, nextTurn, context }),
      optionsOf('bulk', context),
    )
  }

  async function* lines(targets: Targets, options: CheckOptions, evidence: boolean): AsyncIterable<object> {
    const outcomes: CheckOutcome[] = []
    for await (const outcome of availability.checkAll(targets, options)) {
      outcomes.push(outcome)
      yield formatNamedResult(outcome, evidence)
    }
    yield { summary: summarize(outcomes) }
  }
}

/** A server that was not queried recently has no limit that is still known. */
const formatPace = ({ breaker = 'closed', rate, pauseMs = 0, waiting = 0 }: Partial<HostState> = {}) => ({
  breaker,
  limit_per_second: rate === undefined ? null : Math.round(rate * 10) / 10,
  pause_ms: Math.round(pauseMs),
  waiting,
})
