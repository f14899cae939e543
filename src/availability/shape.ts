import type * as z from 'zod'
import type { RefusedDomain } from './bulk.ts'
import type { CheckResult, CheckSummary, CompactCheck, LegacyCheckResult } from './contract.ts'
import type { Target } from './probe.ts'
import type { CheckOutcome } from './service.ts'

type Result = Omit<z.input<typeof CheckResult>, 'name'>
type Summary = z.input<typeof CheckSummary>

/** Formats one outcome as a result of the API. */
export function formatResult(outcome: CheckOutcome, evidence: boolean): Result {
  const { target, verdict, checkedAt, responseMs, cached } = outcome
  return {
    domain: target.domain,
    tld: target.tld,
    available: verdict.state === 'available',
    status: [verdict.state, ...verdict.statuses.filter((status) => status !== verdict.state)],
    premium: verdict.premium,
    source: verdict.source,
    checkedAt: new Date(checkedAt).toISOString(),
    responseMs,
    cached,
    ...(verdict.failure && { error: verdict.failure }),
    ...(evidence && { evidence: [...outcome.evidence] }),
  }
}

/** A result with its name, for responses that do not state the name once for all results. */
export const formatNamedResult = (outcome: CheckOutcome, evidence: boolean) => ({
  name: outcome.target.label as string,
  ...formatResult(outcome, evidence),
})

/** A result with only the fields of the legacy API. */
export function formatLegacyResult(outcome: CheckOutcome): z.input<typeof LegacyCheckResult> {
  const { cached: _cached, error: _error, ...known } = formatResult(outcome, false)
  return known
}

/** The name that all domains share; undefined if they differ. */
export function sharedName(targets: readonly Target[]): string | undefined {
  const name = targets[0]?.label
  return targets.every(({ label }) => label === name) ? name : undefined
}

export function summarize(outcomes: readonly CheckOutcome[]): Summary {
  const count = (wanted: (state: CheckOutcome['verdict']['state']) => boolean) =>
    outcomes.filter(({ verdict }) => wanted(verdict.state)).length
  return {
    checked: outcomes.length,
    available: count((state) => state === 'available'),
    unavailable: count((state) => state === 'registered' || state === 'reserved'),
    unknown: count((state) => state === 'unknown'),
    premium: outcomes.filter(({ verdict }) => verdict.premium).length,
  }
}

/** Whether every domain that was checked is `unknown`. */
export function isInconclusive(body: Result | { readonly summary: Summary } | z.input<typeof CompactCheck>): boolean {
  if ('summary' in body) return body.summary.checked > 0 && body.summary.unknown === body.summary.checked
  if ('status' in body) return body.status[0] === 'unknown'
  return body.unknown !== undefined && !body.available && !body.registered && !body.reserved
}

/** Only the verdicts, grouped: what an agent needs, in as few bytes as possible. */
export function formatCompact(
  outcomes: readonly CheckOutcome[],
  refused: readonly RefusedDomain[] = [],
): z.input<typeof CompactCheck> {
  const name = sharedName(outcomes.map(({ target }) => target))
  const short = name !== undefined && outcomes.length > 1
  const of = (state: CheckOutcome['verdict']['state']) =>
    outcomes
      .filter(({ verdict }) => verdict.state === state)
      .map(({ target }): string => (short ? target.tld : target.domain))
  const groups = {
    available: of('available'),
    registered: of('registered'),
    reserved: of('reserved'),
    unknown: of('unknown'),
    refused: refused.map(({ domain }) => domain),
  }
  return {
    ...(short && { name }),
    ...Object.fromEntries(Object.entries(groups).filter(([, names]) => names.length > 0)),
  }
}
