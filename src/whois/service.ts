import { createCache } from '../kernel/cache.ts'
import type { Clock } from '../kernel/clock.ts'
import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { Evidence } from '../kernel/evidence.ts'
import { type DomainName, splitDomain } from '../kernel/names.ts'
import type { AskOptions, AskRegistry, RegistryAnswer } from '../kernel/registration.ts'

/** What the registry said of a domain, and when. */
export type Lookup = {
  readonly source: 'rdap' | 'whois'
  readonly answer: Extract<RegistryAnswer, { kind: 'registered' | 'available' }>
  readonly evidence: readonly Evidence[]
}

export type Whois = {
  look(domain: DomainName, question: Question): Promise<{ lookup: Lookup; cached: boolean; storedAt: number }>
  readonly size: number
}

type Question = { readonly refresh: boolean; readonly signal: AbortSignal; readonly lane: string }

type Needs = {
  readonly suffixes: ReadonlySet<string>
  /** How the registry of a TLD can be asked, best first. */
  readonly waysOf: (tld: string) => readonly Lookup['source'][]
  readonly ask: Readonly<Record<Lookup['source'], AskRegistry>>
  readonly clock: Clock
  readonly timeoutScale?: number
}

const TIMEOUT_MS = 15_000
const SECOND_SHARE = 0.3
/** Milliseconds an answer is kept: a free name may be taken in the next minute. */
const KEEP_MS = { registered: 3_600_000, available: 60_000 }

export function createWhois({ suffixes, waysOf, ask, clock, timeoutScale = 1 }: Needs): Whois {
  const cache = createCache<Lookup>({ name: 'records', max: 20_000, clock })

  async function find(domain: DomainName, tld: string, options: AskOptions): Promise<Lookup> {
    const evidence: Evidence[] = []
    let failure: Failure | undefined
    for (const [at, source] of waysOf(tld).entries()) {
      try {
        // Whoever is asked first leaves time for the second.
        const left = options.deadline - clock.monotonic()
        const deadline = at + 1 < waysOf(tld).length ? options.deadline - left * SECOND_SHARE : options.deadline
        const said = await ask[source]({ domain, tld }, { ...options, deadline })
        evidence.push(said.evidence)
        if (said.answer.kind === 'reserved') throw notFound(domain, said.answer.reason)
        if (said.answer.kind !== 'unclear') return { source, answer: said.answer, evidence }
        failure ??= { timeout: false, cause: new Error(said.answer.said) }
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error
        failure ??= { timeout: error.failure === 'timeout', cause: error }
      }
    }
    throw unanswered(tld, failure)
  }

  return {
    async look(domain, { refresh, signal, lane }) {
      const split = splitDomain(domain, suffixes)
      if (split.kind === 'subdomain') throw new ApiError('invalid_domain', `domain: ${split.problem}`)
      if (split.kind === 'unsupported') {
        throw new ApiError('unsupported_tld', `domain: ${split.problem}`, { extra: { tld: split.tld } })
      }
      const { value, cached, storedAt } = await cache.through(
        domain,
        async (own) => {
          const deadline = clock.monotonic() + TIMEOUT_MS * timeoutScale
          const lookup = await find(domain, split.suffix, { signal: own, deadline, lane })
          return { value: lookup, ttlMs: KEEP_MS[lookup.answer.kind] }
        },
        { refresh, signal },
      )
      return { lookup: value, cached, storedAt }
    },
    get size() {
      return cache.size
    },
  }
}

type Failure = { readonly timeout: boolean; readonly cause: unknown }

const notFound = (domain: string, reason: string): ApiError =>
  new ApiError('domain_not_found', `${domain} is not registered and cannot be: ${reason}.`)

function unanswered(tld: string, failure: Failure | undefined): ApiError {
  const extra = { tld }
  if (!failure)
    return new ApiError('upstream_error', `The registry of .${tld} answers neither RDAP nor WHOIS.`, { extra })
  const { cause, timeout } = failure
  if (cause instanceof UpstreamError && cause.refusal !== undefined)
    return new ApiError('upstream_error', `The registry of .${tld} was not asked; ${cause.refusal}.`, { cause, extra })
  return timeout
    ? new ApiError('timeout', `The registry of .${tld} did not answer in time; ask again later.`, { cause, extra })
    : new ApiError('upstream_error', `The registry of .${tld} did not give an answer; ask again later.`, {
        cause,
        extra,
      })
}
