import { type Clock, timestamp } from '../kernel/clock.ts'
import type { AvailabilityData, CheckResult } from './lookups.ts'
import type { Subject } from './subject.ts'

/** What is known at the deadline: the results that arrived, and `unknown` for the others. */
export function completeAvailability(
  { label, tlds }: Subject,
  found: ReadonlyMap<string, CheckResult>,
  { clock, responseMs }: { readonly clock: Clock; readonly responseMs: number },
): AvailabilityData {
  const results = tlds.map((tld): CheckResult => {
    const domain = `${label}.${tld}`
    return found.get(domain) ?? { ...lateResult, name: label, domain, tld, checkedAt: timestamp(clock), responseMs }
  })
  const count = (wanted: (result: CheckResult) => boolean) => results.filter(wanted).length
  const available = count((result) => result.available)
  const unknown = count(({ status }) => status[0] === 'unknown')
  const unavailable = results.length - available - unknown
  const premium = count((result) => result.premium === true)
  return { results, summary: { checked: results.length, available, unavailable, unknown, premium } }
}

/** The name servers are the first that are asked. */
const lateResult = {
  available: false,
  status: ['unknown'],
  premium: false,
  source: 'dns',
  cached: false,
  error: 'timeout',
} as const
