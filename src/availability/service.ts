import { type Cached, createCache } from '../kernel/cache.ts'
import type { Clock } from '../kernel/clock.ts'
import { UpstreamError } from '../kernel/errors.ts'
import { nextTurn as yieldTurn, type NextTurn, shareTurn } from '../kernel/event-loop.ts'
import { withTimeout } from '../kernel/timeout.ts'
import { checkConcurrently } from './concurrent-checks.ts'
import { createLookup, type LookupResult, type LookupOptions } from './lookup.ts'
import type { Probes, Target } from './probe.ts'
import { type LookupPolicy, timedOutVerdict } from './verdict.ts'

/** The result for one domain. */
export type CheckOutcome = LookupResult & {
  readonly target: Target
  /** When it was looked up, in milliseconds since the epoch. */
  readonly checkedAt: number
  readonly responseMs: number
  readonly cached: boolean
}

/** Decides whether a name is registered. Every capability gets its verdict from here. */
export type Availability = {
  check(target: Target, options: CheckOptions): Promise<CheckOutcome>
  /** The verdict with the registry's record of a registered name; `refresh` bypasses the cache. */
  record(target: Target, options: CheckOptions & { readonly refresh: boolean }): Promise<CheckOutcome>
  /** Yields every outcome as soon as it is known. The number of concurrent checks is limited. */
  checkAll(targets: Targets, options: CheckOptions): AsyncIterable<CheckOutcome>
  readonly size: number
}

/** An async iterable lets the producer set the pace. */
export type Targets = Iterable<Target> | AsyncIterable<Target>

/** Sleeps; rejects on abort. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

/** The timeout is per domain, from the start of its check. */
export type CheckOptions = Omit<LookupOptions, 'wants'> & {
  /** The end of the whole request, by the monotonic clock: a domain that is checked late has less time, or none. */
  readonly deadline?: number
}

type Needs = {
  readonly probes: Probes
  readonly policyFor: (tld: string) => LookupPolicy
  readonly clock: Clock
  readonly cacheSize?: number
  /** See `createLookup`. */
  readonly nextTurn?: NextTurn
}

/** Records change rarely, and a verdict that contradicts one removes it at once. */
const RECORD_TTL_MS = 3_600_000
/** Each takes about 20 KB while it waits for name servers and a registry. */
const MAX_LOOKUPS = 10_000
/** A lookup ends by itself at its deadline and then knows more than that it was late, so it has a little longer. */
const GRACE_MS = 100

export function createAvailability({
  probes,
  policyFor,
  clock,
  cacheSize = 20_000,
  nextTurn = yieldTurn,
}: Needs): Availability {
  const lookUp = createLookup({ probes, policyFor, clock, nextTurn: shareTurn(nextTurn) })
  const verdicts = createCache<LookupResult>({
    name: 'domains',
    max: cacheSize,
    maxConcurrentLoads: MAX_LOOKUPS,
    clock,
  })
  const records = createCache<LookupResult>({ name: 'records', max: cacheSize, clock })

  async function loadVerdict({ domain, ...target }: Target, options: CheckOptions, signal: AbortSignal) {
    const value = await lookUp({ domain, ...target }, { ...options, signal, wants: 'verdict' })
    const { state, ttlMs } = value.verdict
    // The two caches must not contradict each other: the later result wins.
    const record = records.get(domain)
    if (record && state !== 'unknown' && record.value.verdict.state !== state) records.delete(domain)
    return { value, ttlMs }
  }

  async function loadRecord(target: Target, options: CheckOptions, signal: AbortSignal) {
    const value = await lookUp(target, { ...options, signal, wants: 'record' })
    const { state, ttlMs: verdictTtlMs } = value.verdict
    if (state !== 'unknown') verdicts.set(target.domain, { value, ttlMs: verdictTtlMs })
    const ttlMs = state !== 'registered' ? verdictTtlMs : value.record ? RECORD_TTL_MS : 0
    return { value, ttlMs }
  }

  const outcomeOf = (
    target: Target,
    began: number,
    { value, cached, storedAt }: Cached<LookupResult>,
  ): CheckOutcome => ({
    target,
    ...value,
    checkedAt: storedAt,
    responseMs: Math.round(clock.monotonic() - began),
    cached,
  })

  /**
   * Waits for a lookup no longer than this caller may. It may be the lookup of another caller, with more time or a lower
   * priority.
   */
  async function withinDeadline(
    target: Target,
    options: CheckOptions,
    look: (options: CheckOptions) => Promise<Cached<LookupResult>>,
  ): Promise<CheckOutcome> {
    const began = clock.monotonic()
    const { deadline = Infinity, signal } = options
    const timeoutMs = Math.min(options.timeoutMs, deadline - began)
    try {
      if (timeoutMs <= 0) throw new UpstreamError('timeout', 'no time is left for the lookup')
      const waiting = { who: 'the lookup', timeoutMs: timeoutMs + GRACE_MS, signal }
      const found = await withTimeout(waiting, (own) => look({ ...options, timeoutMs, signal: own }))
      return outcomeOf(target, began, found)
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof UpstreamError) || error.failure !== 'timeout') throw error
      const verdict = timedOutVerdict(policyFor(target.tld))
      const value: LookupResult = { verdict, evidence: [], failure: 'timeout', contradicted: false }
      return outcomeOf(target, began, { value, cached: false, storedAt: clock.now(), expiresInMs: 0 })
    }
  }

  async function check(target: Target, options: CheckOptions): Promise<CheckOutcome> {
    const known = verdicts.get(target.domain)
    if (known) return outcomeOf(target, clock.monotonic(), known)
    return withinDeadline(target, options, (own) =>
      verdicts.getOrLoad(target.domain, (signal) => loadVerdict(target, own, signal), { signal: own.signal }),
    )
  }

  async function record(target: Target, { refresh, ...options }: CheckOptions & { refresh: boolean }) {
    const known = refresh ? undefined : verdicts.get(target.domain)
    if (known && (known.value.record || known.value.verdict.state !== 'registered')) {
      return outcomeOf(target, clock.monotonic(), known)
    }
    return withinDeadline(target, options, (own) => {
      const load = (signal: AbortSignal) => loadRecord(target, own, signal)
      return records.getOrLoad(target.domain, load, { refresh, signal: own.signal })
    })
  }

  return {
    check,
    record,
    checkAll: (targets, options) => checkConcurrently(check, targets, options),
    get size() {
      return verdicts.size + records.size
    },
  }
}
