import type { Evidence } from './evidence.ts'
import type { DomainName } from './names.ts'
import type { Alternative } from './pace/host-types.ts'

/** A registry's record of one domain, in a format common to RDAP and WHOIS. Only known fields are present. */
export type Registration = {
  readonly registrar?: {
    readonly name?: string
    readonly url?: string
    readonly abuseEmail?: string
    readonly abusePhone?: string
    readonly ianaId?: string
  }
  /** ISO 8601 in UTC. */
  readonly dates?: { readonly created?: string; readonly updated?: string; readonly expires?: string }
  /** EPP status values (`clientTransferProhibited`, `ok`); a status EPP does not define is as the registry wrote it. */
  readonly status: readonly string[]
  /** Lower case, without a trailing dot. */
  readonly nameservers: readonly string[]
  readonly dnssec?: { readonly delegationSigned: boolean }
  /** Without redacted fields. */
  readonly registrant?: { readonly name?: string; readonly organization?: string; readonly country?: string }
}

/** The meaning of a registry's answer. `available` only if the registry says so; what is not understood is `unclear`. */
export type RegistryAnswer =
  | ({ readonly kind: 'registered'; readonly registration: Registration } & Premium)
  /** The registry has no such object, and its answer does not say that the name cannot be registered. */
  | ({
      readonly kind: 'available'
      /** This WHOIS host is known to use this text for names that are not registered. Never set for RDAP. */
      readonly wording?: 'known'
    } & Premium)
  /** The registry has no such object and does not register the name: reserved, blocked, not offered. */
  | ({ readonly kind: 'reserved'; readonly reason: string } & Premium)
  /** No answer: we were rate-limited, the server is broken, or its text is not understood. */
  | { readonly kind: 'unclear'; readonly why: 'rate_limited' | 'unavailable' | 'not_understood'; readonly said: string }

type Premium = {
  /** The registry says that the name is premium. */
  readonly premium?: true
}

/**
 * Queries the registry of a TLD about a domain. Throws UpstreamError if there is no answer, with `not_configured` if the
 * registry has no server for this protocol, or the signal's reason.
 */
export type QueryRegistry = (
  target: { readonly domain: DomainName; readonly tld: string },
  options: RegistryQueryOptions,
) => Promise<RegistryResponse>

export type RegistryQueryOptions = {
  readonly signal: AbortSignal
  /** The point in time by which the answer must be there, in milliseconds of the monotonic clock. */
  readonly deadline: number
  /** The client in the queue of a host; lanes take turns (see `kernel/pace/lanes.ts`). */
  readonly lane: string
  /** Set for work that may wait (see `kernel/pace/priorities.ts`). */
  readonly lowPriority?: boolean | undefined
  /** `record` if the registry's record is wanted, not only whether the name is available. */
  readonly wants?: 'verdict' | 'record' | undefined
  /**
   * Set if the caller can query the same registry another way. A host that is down or fails is then given up at once,
   * and `onSlow` is called when it takes longer than usual. If left out, the query is retried until the deadline.
   */
  readonly alternative?: Alternative | undefined
}

export type RegistryResponse = { readonly answer: RegistryAnswer; readonly evidence: Evidence }

/** EPP status values of a domain (RFC 5731, RFC 3915). Other spellings are converted to these. */
export const EPP_STATUSES = [
  'addPeriod',
  'autoRenewPeriod',
  'clientDeleteProhibited',
  'clientHold',
  'clientRenewProhibited',
  'clientTransferProhibited',
  'clientUpdateProhibited',
  'inactive',
  'ok',
  'pendingCreate',
  'pendingDelete',
  'pendingRenew',
  'pendingRestore',
  'pendingTransfer',
  'pendingUpdate',
  'redemptionPeriod',
  'renewPeriod',
  'serverDeleteProhibited',
  'serverHold',
  'serverRenewProhibited',
  'serverTransferProhibited',
  'serverUpdateProhibited',
  'transferPeriod',
] as const
