import type { Finding, Source } from './probe.ts'
import { decisiveFinding, type LookupPolicy } from './verdict.ts'

/** The state of the lookup of one domain. */
export type Progress = {
  /** `record`: the registry's record is wanted too, even if DNS alone proves that the name is registered. */
  readonly wants: 'verdict' | 'record'
  readonly findings: readonly Finding[]
  /** Sources queried that have not answered yet. */
  readonly underWay: { has(source: Source): boolean }
  /** Whether RDAP takes longer than usual. */
  readonly isSlow: boolean
}

/** Whether no further query is needed. */
export function isSettled(policy: LookupPolicy, { wants, findings }: Progress): boolean {
  if (wants === 'verdict') return decisiveFinding(policy, findings) !== undefined
  if (findings.some(({ registration }) => registration)) return true
  // A registry that has no such name may be wrong: wait for the answer of DNS.
  const decisive = decisiveFinding(policy, findings)
  const isByRegistry = decisive !== undefined && decisive.evidence.source !== 'dns'
  return isByRegistry && findings.some(({ evidence }) => evidence.source === 'dns')
}

/**
 * The source to query now; undefined if none is needed, or an answer must come first. DNS comes first because it proves
 * most registered names without a registry query; if the registry's record is wanted, both are queried at once.
 */
export function nextSource(policy: LookupPolicy, progress: Progress): Source | undefined {
  const { wants, findings, underWay } = progress
  if (isSettled(policy, progress)) return undefined
  const answersOf = (source: Source) => findings.filter(({ evidence }) => evidence.source === source)
  const isAsked = (source: Source) => underWay.has(source) || answersOf(source).length > 0
  if (!isAsked('dns')) return 'dns'
  if (wants === 'verdict' && underWay.has('dns')) return undefined
  if (policy.lookup === 'dns') return undefined
  if (!isAsked(policy.lookup)) return policy.lookup
  if (policy.lookup === 'whois') return undefined

  const rdap = answersOf('rdap')
  if (policy.hasWhois && !isAsked('whois')) {
    // RDAP that has no such name has answered. WHOIS may have the record only if DNS knows the name.
    const isRegistered = findings.some(({ says }) => says === 'registered')
    const lacksRecord = rdap.some(({ says }) => says === 'unclear' || isRegistered)
    return lacksRecord || (progress.isSlow && rdap.length === 0) ? 'whois' : undefined
  }
  // A temporary RDAP error was not retried while WHOIS could still answer; now no other source is left.
  const isWorthARetry = rdap.length === 1 && rdap[0]!.retryable === true
  return policy.hasWhois && isWorthARetry && !underWay.has('rdap') && !underWay.has('whois') ? 'rdap' : undefined
}
