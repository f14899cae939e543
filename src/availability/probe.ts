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

/** The three sources, and what each may say. */
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
  /** Why our own address policy refused the query; may be shown to callers. */
  readonly refusal?: string
  /** Set if a retry may be answered. */
  readonly retryable?: true
  /** The registry's record of a registered name. */
  readonly registration?: Registration
  /** Set if the registry says that the name is premium. */
  readonly premium?: true
  /** Set if the WHOIS host is known to use this wording. */
  readonly wording?: 'known'
  /** Why a name is reserved. */
  readonly reason?: string
  /** The registry's own status values. */
  readonly statuses?: readonly string[]
  /** How long this answer may be cached, if the source says so. */
  readonly ttlMs?: number
  readonly evidence: Evidence
}

export type LookupFailure = 'timeout' | 'rate_limited' | 'upstream_error'
