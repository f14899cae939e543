import type { Clock } from '../kernel/clock.ts'
import type { Evidence } from '../kernel/evidence.ts'
import type { Registration } from '../kernel/registration.ts'
import { isSettled, nextSource, type Progress } from './plan.ts'
import type { Failure, Finding, Probes, Source, Target } from './probe.ts'
import { type Route, type Verdict, verdictOf } from './verdict.ts'

/** What was found out about one domain. */
export type Known = {
  readonly verdict: Verdict
  readonly evidence: readonly Evidence[]
  /** The registry's record, and how it was asked for. */
  readonly record?: { readonly registration: Registration; readonly source: 'rdap' | 'whois' }
  /** Why there is no verdict, or no record. */
  readonly failure: Failure
  /** Why we refused to ask the registry. */
  readonly refusal?: string
  /** DNS knows a name that its registry does not know. */
  readonly contradicted: boolean
}

export type LookupOptions = {
  readonly wants: Progress['wants']
  readonly signal: AbortSignal
  /** Milliseconds for everything together. */
  readonly deadlineMs: number
  /** Who asks, so that one caller's long list does not hold up another's single name. */
  readonly lane: string
}

type Needs = { readonly probes: Probes; readonly routeOf: (tld: string) => Route; readonly clock: Clock }

/** The share of the time RDAP may take where WHOIS could answer in its place. */
const RDAP_SHARE = 0.7

/** Why questions still under way are given up: nobody sees it. */
const SETTLED = new Error('the lookup is settled')

/** Asks the sources about one domain, in the order of the plan, until the matter is settled or nobody is left to ask. */
export function createLookup({ probes, routeOf, clock }: Needs) {
  return async (target: Target, { wants, signal, deadlineMs, lane }: LookupOptions): Promise<Known> => {
    const route = routeOf(target.tld)
    const deadline = clock.monotonic() + deadlineMs
    const findings: Finding[] = []
    const underWay = new Map<Source, Promise<void>>()
    const slow = Promise.withResolvers<void>()
    const settled = new AbortController()
    let isSlow = false
    let registrySignal: AbortSignal | undefined

    const start = (source: Source): void => {
      const canFailOver = source === 'rdap' && route.hasWhois && !underWay.has('whois') && !isFound('whois')
      const alternative = canFailOver ? { onSlow } : undefined
      const leftMs = deadline - clock.monotonic()
      const options = {
        signal: source === 'dns' ? signal : (registrySignal ??= AbortSignal.any([signal, settled.signal])),
        deadline: canFailOver ? deadline - leftMs * (1 - RDAP_SHARE) : deadline,
        lane,
        alternative,
      }
      const answered = probes[source]
        .ask(target, options)
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
        const next = nextSource(route, progress)
        // A second try without any time would only say "timeout" in place of what the first one said.
        const isTooLate = next !== undefined && isFound(next) && clock.monotonic() >= deadline
        if (next && !isTooLate) start(next)
        else if (underWay.size === 0 || isSettled(route, progress)) break
        else await Promise.race(isSlow ? underWay.values() : [...underWay.values(), slow.promise])
      }
    } finally {
      settled.abort(SETTLED)
      for (const abandoned of underWay.values()) abandoned.catch(() => {})
    }
    return summarize(route, target, findings)
  }
}

function summarize(route: Route, { label }: Target, findings: readonly Finding[]): Known {
  const verdict = verdictOf(route, label, findings)
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
