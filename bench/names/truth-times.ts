import type { Verdict } from '../verdicts.ts'
import { isDelegated, LATENCY_MS } from './minimum.ts'
import type { Scenario } from './scenarios.ts'

/** Times of our service in one scenario. */
export type Times = {
  /** Of all names but the next ones, in one call. */
  readonly wallMs: number
  /** Of the next names, in a second call; null if it was not made. */
  readonly nextMs: number | null
}

/** Every scenario takes at most this many times its minimum. */
const MAX_RATIO = 2
/** Processor time for the next names. Less cannot be told from the noise of a busy machine. */
const MIN_NEXT_MACHINE_MS = 50

/** The names for the second call, one of each TLD that has others: the registry is asked about each. */
export function nextDomains({ domains, nextMinMs }: Scenario): readonly string[] {
  if (nextMinMs === undefined) return []
  const ofTlds = Map.groupBy(domains, (domain) => domain.slice(domain.lastIndexOf('.') + 1))
  return [...ofTlds.values()].flatMap((names) => {
    const last = names.findLast((domain) => !isDelegated(domain))
    return names.length > 1 && last !== undefined ? [last] : []
  })
}

export type Ratios = { readonly first: number; readonly next: number | null; readonly minMs: number }

/**
 * Compares times with the minimum. What the processor needs is taken from the scenario without faults, measured in the
 * same run; so a busy machine makes the minimum longer too.
 */
export function createTimeJudge(baseline: Scenario, baselineTimes: Times) {
  const minOf = (scenario: Scenario): number => {
    const next = new Set(nextDomains(scenario))
    return scenario.minMs(scenario.domains.filter((domain) => !next.has(domain)))
  }
  const machineMs = Math.max(baselineTimes.wallMs - minOf(baseline), 0)
  const nextMachineMs = Math.max((baselineTimes.nextMs ?? 0) - LATENCY_MS, MIN_NEXT_MACHINE_MS)

  const ratiosOf = (scenario: Scenario, { wallMs, nextMs }: Times): Ratios => {
    const minMs = minOf(scenario) + machineMs
    const nextMinMs = (scenario.nextMinMs ?? 0) + nextMachineMs
    return { first: wallMs / minMs, next: nextMs === null ? null : nextMs / nextMinMs, minMs }
  }

  const judge = (scenario: Scenario, times: Times): Verdict => {
    const { first, next, minMs } = ratiosOf(scenario, times)
    return {
      target: `${scenario.title}: at most ${MAX_RATIO} × the minimum (${(minMs / 1000).toFixed(1)} s), also for the next names`,
      measured: `${first.toFixed(1)} ×${next === null ? '' : `, next ${next.toFixed(1)} ×`}`,
      met: first <= MAX_RATIO && (next ?? 0) <= MAX_RATIO,
    }
  }
  return { ratiosOf, judge }
}
