import type { Finding, Source } from './probe.ts'
import { decisiveFinding, type LookupPolicy } from './verdict.ts'

/** How far the lookup of one domain has come. */
export type Progress = {
  /** `record` asks for the registry's record too, even where DNS alone proves that the name is taken. */
  readonly wants: 'verdict' | 'record'
  readonly findings: readonly Finding[]
  /** Sources asked that have not answered. */
  readonly underWay: { has(source: Source): boolean }
  /** Whether RDAP takes longer than it usually does. */
  readonly isSlow: boolean
}

/** Whether nothing more needs to be asked. */
export function isSettled(policy: LookupPolicy, { wants, findings }: Progress): boolean {
  if (wants === 'verdict') return decisiveFinding(policy, findings) !== undefined
  if (findings.some(({ registration }) => registration)) return true
  // A registry that knows no such name may be wrong: the verdict waits for what DNS has to say.
  const decisive = decisiveFinding(policy, findings)
  const isByRegistry = decisive !== undefined && decisive.evidence.source !== 'dns'
  return isByRegistry && findings.some(({ evidence }) => evidence.source === 'dns')
}

/**
 * The source to query now; undefined if none is needed, or an answer must come first. DNS comes first because it proves
 * most taken names without a registry query; if the registry's record is wanted, both are queried at once.
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
    // RDAP that knows no such name has answered; only where DNS knows it does WHOIS get a chance to give the record.
    const isTaken = findings.some(({ says }) => says === 'registered')
    const isOfNoUse = rdap.some(({ says }) => says === 'unclear' || isTaken)
    return isOfNoUse || (progress.isSlow && rdap.length === 0) ? 'whois' : undefined
  }
  // A temporary RDAP error was not retried while WHOIS could still answer; now no other source is left.
  const isWorthARetry = rdap.length === 1 && rdap[0]!.retryable === true
  return policy.hasWhois && isWorthARetry && !underWay.has('rdap') && !underWay.has('whois') ? 'rdap' : undefined
}
