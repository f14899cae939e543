import type { Clock } from '../kernel/clock.ts'
import type { NextTurn } from '../kernel/event-loop.ts'
import type { Evidence } from '../kernel/evidence.ts'
import type { Registration } from '../kernel/registration.ts'
import { isSettled, nextSource, type Progress } from './plan.ts'
import type { LookupFailure, Finding, Probes, Source, Target } from './probe.ts'
import { type LookupPolicy, type Verdict, decideVerdict } from './verdict.ts'

/** What was found out about one domain. */
export type LookupResult = {
  readonly verdict: Verdict
  readonly evidence: readonly Evidence[]
  /** The registry's record, and the protocol it came by. */
  readonly record?: { readonly registration: Registration; readonly source: 'rdap' | 'whois' }
  /** Why there is no verdict, or no record. */
  readonly failure: LookupFailure
  /** Why our own address policy refused to query the registry. */
  readonly refusal?: string
  /** The name is in DNS, but its registry has no record of it. */
  readonly contradicted: boolean
}

export type LookupOptions = {
  readonly wants: Progress['wants']
  readonly signal: AbortSignal
  /** For the whole lookup. */
  readonly timeoutMs: number
  /** The client, so that a long list of one client does not delay a single name of another. */
  readonly lane: string
  /** Set for work that may wait: together it gets at most a quarter of each registry. */
  readonly lowPriority?: boolean
}

type Needs = {
  readonly probes: Probes
  readonly policyFor: (tld: string) => LookupPolicy
  readonly clock: Clock
  /**
   * Awaited between the answer of DNS and the query to the registry. DNS answers for many names arrive together: with the next turn
   * of the event loop, what they prove is sent to the client before the work for the others begins.
   */
  readonly nextTurn?: NextTurn | undefined
}

/** Share of the remaining time for an RDAP server that does not answer, if WHOIS can answer in its place. */
const RDAP_TIME_SHARE = 0.7

/** Abort reason for queries no longer needed; never shown. */
const SETTLED = new Error('the lookup is settled')

/**
 * Queries the sources about one domain, in the order of the plan, until the result is settled or no source is left. If
 * RDAP is slow, WHOIS is queried too (a hedged request).
 */
export function createLookup({ probes, policyFor, clock, nextTurn }: Needs) {
  return async (
    target: Target,
    { wants, signal, timeoutMs, lane, lowPriority }: LookupOptions,
  ): Promise<LookupResult> => {
    const policy = policyFor(target.tld)
    const deadline = clock.monotonic() + timeoutMs
    const findings: Finding[] = []
    const underWay = new Map<Source, Promise<void>>()
    const slow = Promise.withResolvers<void>()
    const settled = new AbortController()
    let isSlow = false
    let registrySignal: AbortSignal | undefined

    const start = (source: Source): void => {
      const canFailOver = source === 'rdap' && policy.hasWhois && !underWay.has('whois') && !isFound('whois')
      const leftMs = deadline - clock.monotonic()
      const alternative = canFailOver ? { onSlow, deadline: deadline - leftMs * (1 - RDAP_TIME_SHARE) } : undefined
      const options = {
        signal: source === 'dns' ? signal : (registrySignal ??= AbortSignal.any([signal, settled.signal])),
        deadline,
        lane,
        lowPriority,
        wants,
        alternative,
      }
      const answered = probes[source]
        .query(target, options)
        .then((finding) => void findings.push(finding))
        .finally(() => underWay.delete(source))
      underWay.set(source, answered)
    }
    const isFound = (source: Source) => findings.some(({ evidence }) => evidence.source === source)
    const onSlow = () => {
      isSlow = true
      slow.resolve()
    }

    try {
      for (;;) {
        const progress = { wants, findings, underWay, isSlow }
        const next = nextSource(policy, progress)
        // A query without time left would replace an earlier failure by a timeout.
        const isTooLate = next !== undefined && findings.length > 0 && clock.monotonic() >= deadline
        if (next && !isTooLate) {
          if (nextTurn && findings.length > 0 && underWay.size === 0) await nextTurn()
          start(next)
        } else if (underWay.size === 0 || isSettled(policy, progress)) break
        else await Promise.race(isSlow ? underWay.values() : [...underWay.values(), slow.promise])
      }
    } finally {
      settled.abort(SETTLED)
      for (const abandoned of underWay.values()) abandoned.catch(() => {})
    }
    return summarize(policy, target, findings)
  }
}

function summarize(policy: LookupPolicy, { label }: Target, findings: readonly Finding[]): LookupResult {
  const verdict = decideVerdict(policy, label, findings)
  const ofRegistry = findings.filter(({ evidence }) => evidence.source !== 'dns')
  const record = ofRegistry.find(({ registration }) => registration)
  const refusal = ofRegistry.find((finding) => finding.refusal !== undefined)?.refusal
  return {
    verdict,
    evidence: findings.map(({ evidence }) =>
      verdict.confidence === 'reduced' && evidence.source === verdict.source
        ? { ...evidence, confidence: verdict.confidence }
        : evidence,
    ),
    ...(record && {
      record: { registration: record.registration!, source: record.evidence.source === 'rdap' ? 'rdap' : 'whois' },
    }),
    failure: verdict.failure ?? ofRegistry.findLast(({ failure }) => failure)?.failure ?? 'upstream_error',
    ...(refusal !== undefined && { refusal }),
    contradicted: verdict.state === 'registered' && !record && ofRegistry.some(({ says }) => says !== 'unclear'),
  }
}
