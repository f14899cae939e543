import { createCache } from '../kernel/cache.ts'
import type { Clock } from '../kernel/clock.ts'
import type { Evidence } from '../kernel/evidence.ts'
import type { Finding, Probes, Target } from './probe.ts'
import { nextSource, type Route, type Verdict, verdictOf } from './verdict.ts'

/** What is known of one domain, and how it came to be known. */
export type Outcome = {
  readonly target: Target
  readonly verdict: Verdict
  readonly evidence: readonly Evidence[]
  /** When it was found out, in milliseconds since the epoch. */
  readonly checkedAt: number
  readonly responseMs: number
  readonly cached: boolean
}

export type Availability = {
  check(target: Target, options: CheckOptions): Promise<Outcome>
  /** Every target's outcome as soon as it is known, never more than a bounded number under way. */
  checkAll(targets: Targets, options: CheckOptions): AsyncIterable<Outcome>
  readonly size: number
}

/** Targets may come at their own pace. */
export type Targets = Iterable<Target> | AsyncIterable<Target>

/** Lets time pass; rejects with the signal's reason. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>

export type CheckOptions = {
  readonly signal: AbortSignal
  /** Milliseconds for each domain from when its turn comes. */
  readonly deadlineMs: number
  /** Who asks, so that one caller's long list does not hold up another's single name. */
  readonly lane: string
}

type Needs = {
  readonly probes: Probes
  readonly routeOf: (tld: string) => Route
  readonly clock: Clock
  readonly cacheSize?: number
}

type Known = Pick<Outcome, 'verdict' | 'evidence'>

const RDAP_SHARE = 0.7

/** Most domains of one call under way at once; the registries' own limits hold beyond that. */
const ABREAST = 256

export function createAvailability({ probes, routeOf, clock, cacheSize = 20_000 }: Needs): Availability {
  const cache = createCache<Known>({ name: 'domains', max: cacheSize, maxFlights: 20_000, clock })

  async function find(target: Target, { lane, deadlineMs }: CheckOptions, signal: AbortSignal): Promise<Known> {
    const route = routeOf(target.tld)
    const deadline = clock.monotonic() + deadlineMs
    const findings: Finding[] = []
    for (let source = nextSource(route, findings); source; source = nextSource(route, findings)) {
      // WHOIS can still prove a name taken where RDAP fails; it needs some of the time for that.
      const left = deadline - clock.monotonic()
      const share = source === 'rdap' && route.hasWhois ? RDAP_SHARE : 1
      findings.push(await probes[source].ask(target, { signal, deadline: deadline - left * (1 - share), lane }))
    }
    return {
      verdict: verdictOf(route, target.label, findings),
      evidence: findings.map(({ evidence }) => evidence),
    }
  }

  async function check(target: Target, options: CheckOptions): Promise<Outcome> {
    const began = clock.monotonic()
    const { value, cached, storedAt } = await cache.through(
      target.domain,
      async (signal) => {
        const value = await find(target, options, signal)
        return { value, ttlMs: value.verdict.keepMs }
      },
      { signal: options.signal },
    )
    return { target, ...value, checkedAt: storedAt, responseMs: Math.round(clock.monotonic() - began), cached }
  }

  async function* checkAll(targets: Targets, options: CheckOptions): AsyncIterable<Outcome> {
    // Whoever stops listening half-way takes the questions still under way with them.
    const left = new AbortController()
    const signal = AbortSignal.any([options.signal, left.signal])
    const ready: Outcome[] = []
    let failure: { readonly reason: unknown } | undefined
    let news = Promise.withResolvers<void>()
    let room = Promise.withResolvers<void>()
    // Feeding is one thing under way, and every question another.
    const underWay = { questions: 0, feeding: true }

    const fail = (reason: unknown) => void (failure ??= { reason })
    const begin = async (target: Target) => {
      underWay.questions++
      await check(target, { ...options, signal }).then((outcome) => ready.push(outcome), fail)
      underWay.questions--
      room.resolve()
      news.resolve()
    }
    const feed = async () => {
      for await (const target of targets) {
        if (signal.aborted || failure) break
        void begin(target)
        if (underWay.questions < ABREAST) continue
        room = Promise.withResolvers()
        await room.promise
      }
    }
    void feed()
      .catch(fail)
      .finally(() => {
        underWay.feeding = false
        news.resolve()
      })
    try {
      while (underWay.feeding || underWay.questions > 0 || ready.length > 0) {
        await news.promise
        news = Promise.withResolvers()
        if (failure) throw failure.reason
        yield* ready.splice(0)
      }
    } finally {
      left.abort()
      room.resolve()
    }
  }

  return {
    check,
    checkAll,
    get size() {
      return cache.size
    },
  }
}
