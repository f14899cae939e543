import { type Clock, timestamp } from '../kernel/clock.ts'
import { type Context, route, type Route, streamingRoute } from '../kernel/endpoint.ts'
import type { Limit } from '../kernel/limit.ts'
import type { Catalogue } from '../tlds/catalogue.ts'
import { paced, readDomains } from './bulk.ts'
import { checkBulk, checkDomains, checkDomainsLegacy, registryHealth } from './contract.ts'
import type { Target } from './probe.ts'
import type { RegistryHealth } from './registry-health.ts'
import type { Availability, CheckOptions, Outcome, Targets, Wait } from './service.ts'
import { compactOf, isInconclusive, legacyResultOf, namedResultOf, resultOf, sharedName, summaryOf } from './shape.ts'
import { allTargets, targetsOf } from './targets.ts'

type Needs = {
  readonly availability: Availability
  readonly catalogue: Catalogue
  readonly clock: Clock
  readonly wait: Wait
  readonly health: Pick<RegistryHealth, 'report'>
  /** Old clients are not rate-limited, so only so many of their checks of every TLD run at once. */
  readonly legacyTurns: Limit
  readonly timeoutScale?: number
}

/** What a domain may take: a person waits for a check, a program for a bulk. */
const TIMEOUT_MS = { check: 10_000, bulk: 60_000 }

export function availabilityRoutes(needs: Needs): Route[] {
  const { availability, catalogue, clock, wait, health, legacyTurns, timeoutScale = 1 } = needs
  const optionsOf = (kind: keyof typeof TIMEOUT_MS, { signal, requestId }: Context): CheckOptions => ({
    signal,
    deadlineMs: TIMEOUT_MS[kind] * timeoutScale,
    lane: requestId,
  })
  const all = async (targets: Targets, options: CheckOptions): Promise<Outcome[]> =>
    Array.fromAsync(availability.checkAll(targets, options))
  const inOrder = async (targets: readonly Target[], options: CheckOptions): Promise<Outcome[]> => {
    const found = new Map((await all(targets, options)).map((outcome) => [outcome.target.domain, outcome]))
    return targets.map(({ domain }) => found.get(domain)!)
  }

  return [
    streamingRoute(
      checkDomains,
      async ({ evidence = false, view, ...question }, context) => {
        const began = clock.monotonic()
        const targets = targetsOf(question, catalogue)
        const outcomes = await inOrder(targets, optionsOf('check', context))
        if (view === 'compact') return compactOf(outcomes)
        if (outcomes.length === 1) return namedResultOf(outcomes[0]!, evidence)
        const name = sharedName(targets)
        return {
          ...(name !== undefined && { name }),
          results: outcomes.map((outcome) => (name === undefined ? namedResultOf : resultOf)(outcome, evidence)),
          summary: summaryOf(outcomes),
          totalMs: Math.round(clock.monotonic() - began),
          timestamp: timestamp(clock),
        }
      },
      async function* ({ evidence = false, view: _view, ...question }, context) {
        yield* lines(targetsOf(question, catalogue), optionsOf('check', context), evidence)
      },
      { inconclusive: isInconclusive },
    ),
    streamingRoute(
      checkBulk,
      async ({ domains, evidence = false, view }, context) => {
        const { targets, refused } = readDomains(domains, catalogue)
        const outcomes = await all(paced(targets, context, wait), optionsOf('bulk', context))
        if (view === 'compact') return compactOf(outcomes, refused)
        return {
          results: outcomes.map((outcome) => namedResultOf(outcome, evidence)),
          ...(refused.length > 0 && { refused: [...refused] }),
          summary: summaryOf(outcomes),
        }
      },
      async function* ({ domains, evidence = false }, context) {
        const { targets, refused } = readDomains(domains, catalogue)
        yield* refused
        yield* lines(paced(targets, context, wait), optionsOf('bulk', context), evidence)
      },
      { inconclusive: isInconclusive },
    ),
    route(checkDomainsLegacy, ({ name }, context) =>
      legacyTurns.run(async () => {
        const began = clock.monotonic()
        const outcomes = await inOrder(allTargets(name, catalogue), optionsOf('check', context))
        return {
          name: outcomes[0]!.target.label,
          results: outcomes.map(legacyResultOf),
          totalMs: Math.round(clock.monotonic() - began),
          timestamp: timestamp(clock),
        }
      }, context.signal),
    ),
    route(registryHealth, () => ({
      registries: health.report().map(({ p95Ms, ...report }) => ({ ...report, p95_ms: p95Ms })),
      timestamp: timestamp(clock),
    })),
  ]

  async function* lines(targets: Targets, options: CheckOptions, evidence: boolean): AsyncIterable<object> {
    const outcomes: Outcome[] = []
    for await (const outcome of availability.checkAll(targets, options)) {
      outcomes.push(outcome)
      yield namedResultOf(outcome, evidence)
    }
    yield { summary: summaryOf(outcomes) }
  }
}
