import { ApiError, UpstreamError } from '../kernel/errors.ts'
import type { Evidence } from '../kernel/evidence.ts'
import { type DomainName, type Label, splitDomain } from '../kernel/names.ts'
import type { Registration } from '../kernel/registration.ts'

/** The registry's record of a domain, or that the name is available. */
export type WhoisResult = {
  readonly source: 'rdap' | 'whois'
  /** Absent if the name is available. */
  readonly registration?: Registration
  readonly evidence: readonly Evidence[]
  readonly cached: boolean
  readonly storedAt: number
}

export type Whois = {
  lookUp(domain: DomainName, options: WhoisOptions): Promise<WhoisResult>
}

export type WhoisOptions = {
  readonly refresh: boolean
  readonly signal: AbortSignal
  readonly lane: string
  /** Shorter than the usual one if the caller cannot wait as long: then the reason can still be told. */
  readonly timeoutMs?: number | undefined
}

/** The service's verdict about one domain, with the registry's record. */
type FoundRecord = {
  readonly state: 'available' | 'registered' | 'reserved' | 'unknown'
  readonly source: 'dns' | 'rdap' | 'whois'
  readonly record?: { readonly registration: Registration; readonly source: 'rdap' | 'whois' }
  /** Why there is no verdict, or no record of a registered name. */
  readonly failure: 'timeout' | 'rate_limited' | 'upstream_error'
  /** Why our own address policy refused to query the registry. */
  readonly refusal?: string
  /** The name is in DNS, but its registry has no record of it. */
  readonly contradicted: boolean
  /** Why the name is reserved. */
  readonly reason?: string
  readonly evidence: readonly Evidence[]
  readonly cached: boolean
  readonly storedAt: number
}

type Needs = {
  readonly suffixes: ReadonlySet<string>
  /** Whether the registry of a TLD publishes RDAP or WHOIS. */
  readonly hasRegistryService: (tld: string) => boolean
  readonly findRecord: FindRecord
  readonly timeoutScale?: number
}

export type FindRecord = (
  target: { readonly domain: DomainName; readonly label: Label; readonly tld: string },
  options: WhoisOptions & { readonly timeoutMs: number },
) => Promise<FoundRecord>

const TIMEOUT_MS = 15_000

export function createWhois({ suffixes, hasRegistryService, findRecord, timeoutScale = 1 }: Needs): Whois {
  return {
    async lookUp(domain, options) {
      const split = splitDomain(domain, suffixes)
      if (split.kind === 'subdomain') throw new ApiError('invalid_domain', `domain: ${split.problem}`)
      if (split.kind === 'unsupported') throw unsupported(split.tld, split.problem)
      const { suffix: tld, label } = split
      if (!hasRegistryService(tld)) throw unsupported(tld, `the registry of .${tld} publishes neither RDAP nor WHOIS.`)
      const timeoutMs = Math.min(TIMEOUT_MS * timeoutScale, options.timeoutMs ?? Infinity)
      const found = await findRecord({ domain, label, tld }, { ...options, timeoutMs })
      const { state, record, evidence, cached, storedAt } = found
      if (state === 'reserved') throw notFound(domain, found.reason)
      if (state === 'unknown') throw noAnswer(tld, found)
      if (state === 'available')
        return { source: found.source === 'whois' ? 'whois' : 'rdap', evidence, cached, storedAt }
      if (record) return { ...record, evidence, cached, storedAt }
      throw found.contradicted ? contradicted(domain, tld) : noAnswer(tld, found)
    },
  }
}

const unsupported = (tld: string, problem: string): ApiError =>
  new ApiError('unsupported_tld', `domain: ${problem}`, { extra: { tld } })

const notFound = (domain: string, reason = 'the registry has reserved it'): ApiError =>
  new ApiError('domain_not_found', `${domain} is not registered and cannot be: ${reason}.`)

/** For the log. */
const FAILURE_REASONS: Readonly<Record<FoundRecord['failure'], string>> = {
  timeout: 'the registry did not answer in time',
  rate_limited: 'the rate limit of the registry is exceeded',
  upstream_error: 'the registry gave no usable answer',
}

function noAnswer(tld: string, { failure, refusal }: FoundRecord): ApiError {
  const details = { extra: { tld }, cause: new UpstreamError('unavailable', refusal ?? FAILURE_REASONS[failure]) }
  if (refusal !== undefined) {
    return new ApiError('upstream_error', `The registry of .${tld} was not queried; ${refusal}.`, details)
  }
  switch (failure) {
    case 'timeout':
      return new ApiError('timeout', `The registry of .${tld} did not answer in time; try again later.`, details)
    case 'rate_limited':
      return new ApiError(
        'upstream_error',
        `The rate limit of the registry of .${tld} is exceeded; try again later.`,
        details,
      )
    case 'upstream_error':
      return new ApiError('upstream_error', `The registry of .${tld} gave no usable answer; try again later.`, details)
  }
}

const contradicted = (domain: string, tld: string): ApiError =>
  new ApiError(
    'upstream_error',
    `DNS shows that ${domain} is registered, but the registry of .${tld} has no record of it; try again later.`,
    { extra: { tld } },
  )
