import type { Evidence } from '../kernel/evidence.ts'
import type { DomainName, Label } from '../kernel/names.ts'
import type { RegistryQueryOptions, Registration } from '../kernel/registration.ts'

/** One domain to be checked. */
export type Target = { readonly domain: DomainName; readonly label: Label; readonly tld: string }

/** A source that can be queried about a name. Implementations live in `sources/`. */
export type Probe = {
  /** Throws only the signal's reason; every upstream failure is an `unclear` finding. */
  query(target: Target, options: RegistryQueryOptions): Promise<Finding>
}

/** The three that can be asked, and which word each may say. */
export type Probes = {
  /** The TLD's name servers: `registered`, `not_delegated` or `unclear`. */
  readonly dns: Probe
  /** The registry over RDAP and over WHOIS: anything but `not_delegated`. */
  readonly rdap: Probe
  readonly whois: Probe
}

export type Source = keyof Probes

export type Finding = {
  readonly says: 'registered' | 'available' | 'reserved' | 'not_delegated' | 'unclear'
  /** Why it is unclear. */
  readonly failure?: LookupFailure
  /** Why we refused to ask; callers may be shown it. */
  readonly refusal?: string
  /** Set where the same question may be answered when it is asked again. */
  readonly retryable?: true
  /** The registry's record of a registered name. */
  readonly registration?: Registration
  /** Set where the registry's own words call the name premium. */
  readonly premium?: true
  /** Set where a WHOIS host said it in words it is known to use. */
  readonly wording?: 'known'
  /** Why a name is reserved. */
  readonly reason?: string
  /** The registry's own status values. */
  readonly statuses?: readonly string[]
  /** Milliseconds the registry lets this answer be kept, where it says so. */
  readonly ttlMs?: number
  readonly evidence: Evidence
}

export type LookupFailure = 'timeout' | 'rate_limited' | 'upstream_error'
