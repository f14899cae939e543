import type { Evidence } from './evidence.ts'
import type { DomainName } from './names.ts'
import type { Alternative } from './pace/host.ts'

/** What a registry tells of one domain, in the words RDAP and WHOIS have in common. Only what was said is present. */
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
  /** EPP status values where the registry's word has one (`clientTransferProhibited`, `ok`), else the registry's own. */
  readonly status: readonly string[]
  /** Lower case, without a trailing dot. */
  readonly nameservers: readonly string[]
  readonly dnssec?: { readonly delegationSigned: boolean }
  /** What is redacted is not here. */
  readonly registrant?: { readonly name?: string; readonly organization?: string; readonly country?: string }
}

/** What a registry's answer comes to. Only the registry's own word is `available`; an answer not understood is `unclear`. */
export type RegistryAnswer =
  | ({ readonly kind: 'registered'; readonly registration: Registration } & Premium)
  /** The registry has no such object, and nothing in its answer says that it could not be registered. */
  | ({
      readonly kind: 'available'
      /** The text is one this WHOIS host is known to use for a name it does not have. Never set for RDAP. */
      readonly wording?: 'known'
    } & Premium)
  /** The registry has no such object and will not take one: reserved, blocked, not a name it offers. */
  | ({ readonly kind: 'reserved'; readonly reason: string } & Premium)
  /** It did not answer the question: we asked too often, it is broken, or its words mean nothing to us. */
  | { readonly kind: 'unclear'; readonly why: 'rate_limited' | 'unavailable' | 'not_understood'; readonly said: string }

type Premium = {
  /** The registry's own words say that the name is premium. Absent where it says nothing. */
  readonly premium?: true
}

/**
 * Asks the registry of a TLD about a domain. Throws UpstreamError when it cannot be asked, `not_configured` where it
 * cannot be asked this way at all, or the signal's reason.
 */
export type QueryRegistry = (
  question: { readonly domain: DomainName; readonly tld: string },
  options: RegistryQueryOptions,
) => Promise<RegistryResponse>

export type RegistryQueryOptions = {
  readonly signal: AbortSignal
  /** When the answer is no longer wanted, by the monotonic clock. */
  readonly deadline: number
  /** Who asks: the questions of one lane wait for each other, not for those of another. */
  readonly lane: string
  /**
   * Another way to ask the same registry exists. A host that is down or fails is then given up at once, and `onSlow` is
   * called when it takes longer than usual. Left out, it is asked again for as long as the deadline allows.
   */
  readonly alternative?: Alternative | undefined
}

export type RegistryResponse = { readonly answer: RegistryAnswer; readonly evidence: Evidence }

/** The status values of EPP for a domain (RFC 5731, RFC 3915), by which others' spellings of them are recognised. */
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
