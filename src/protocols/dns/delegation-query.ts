import { hash } from 'node:crypto'
import { type Clock, timestamp } from '../../kernel/clock.ts'
import type { DnsClient, DnsReply } from './client.ts'
import { type DnsRecord, rcodeName } from './message.ts'
import { type DnsOutcome, recordsFor, referredZone } from './outcome.ts'
import type { ServerAddress } from './server-address.ts'

/** Whether a zone delegates a name to its own name servers. A delegation proves that the name is registered. */
export type Delegation =
  | {
      readonly kind: 'delegated'
      /** In lower case. */
      readonly nameservers: readonly string[]
      readonly viaRecursor: boolean
      readonly ttlSeconds: number
      readonly evidence: DnsEvidence
    }
  | {
      /** Does not mean available: names on hold or without name servers are registered too. */
      readonly kind: 'not_delegated'
      /** A recursor's answer is weaker evidence than that of the zone's own servers. */
      readonly viaRecursor: boolean
      /** TTL of the negative answer (RFC 2308). */
      readonly ttlSeconds: number
      readonly evidence: DnsEvidence
    }
  | { readonly kind: 'unclear'; readonly why: UnclearReason; readonly evidence: DnsEvidence }

/** An inconclusive outcome, or one of these. */
export type UnclearReason =
  | Exclude<DnsOutcome, 'nodata' | 'nxdomain'>
  /** The recursor hijacks NXDOMAIN: it answers for names that do not exist. */
  | 'lying_recursor'
  /** No server is known. */
  | 'no_servers'

/** Which server was asked, and what it answered. */
export type DnsEvidence = {
  /** Empty if no server answered. */
  readonly server: string
  readonly question: string
  /** Null if no server answered. */
  readonly rcode: string | null
  /** SHA-256 of the answer without its id, in hex, so that equal answers have equal hashes. */
  readonly hash: string | null
  /** When the answer arrived, ISO 8601. */
  readonly at: string
  readonly elapsedMs: number
}

export type DelegationRequest = {
  /** In lower case, without a trailing dot; so is the zone. */
  readonly domain: string
  readonly zone: string
  readonly servers: readonly ServerAddress[]
  /** Ask the zone's own servers even if they seem unreachable. */
  readonly insist?: boolean
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Asks the zone's own servers. Their answer is authoritative. */
export async function queryZoneServers(
  { client, clock }: { readonly client: DnsClient; readonly clock: Clock },
  { domain, zone, ...how }: DelegationRequest,
): Promise<Delegation> {
  const reply = await client.query({ name: domain, type: 'NS', zone, recursion: false, ...how })
  const evidence = evidenceOf(reply, `${domain} NS`, clock)
  const ours = (records: readonly DnsRecord[]) => records.filter((one) => one.type === 'NS' && one.name === domain)
  switch (reply.outcome) {
    case 'referral':
      // A referral to a zone between the TLD and the name is inconclusive for the name.
      if (referredZone(reply.authority) !== domain) return { kind: 'unclear', why: 'referral', evidence }
      return delegated(ours(reply.authority), false, evidence)
    case 'answer':
      // A CNAME or other records at the name: not a delegation, but the name exists.
      if (ours(reply.answers).length === 0) return { kind: 'unclear', why: 'answer', evidence }
      return delegated(ours(reply.answers), false, evidence)
    case 'nxdomain':
    case 'nodata':
      return { kind: 'not_delegated', viaRecursor: false, ttlSeconds: negativeTtl(reply.authority), evidence }
    default:
      return { kind: 'unclear', why: reply.outcome, evidence }
  }
}

/** Asks recursors whether the name has name servers. The caller checks for NXDOMAIN hijacking. */
export async function queryRecursors(
  { client, clock }: { readonly client: DnsClient; readonly clock: Clock },
  { domain, servers, timeoutMs, signal }: Omit<DelegationRequest, 'zone'>,
): Promise<{ readonly delegation: Delegation; readonly server: ServerAddress | null }> {
  const request = { name: domain, type: 'NS', servers, recursion: true, inOrder: true, timeoutMs, signal } as const
  const reply = await client.query(request)
  const { outcome, server } = reply
  const evidence = evidenceOf(reply, `${domain} NS`, clock)
  const found = recordsFor(reply.answers, domain, 'NS').filter(({ name }) => name === domain)
  if (outcome === 'answer' && found.length > 0) return { delegation: delegated(found, true, evidence), server }
  if (outcome === 'nxdomain' || outcome === 'nodata') {
    const ttlSeconds = negativeTtl(reply.authority)
    return { delegation: { kind: 'not_delegated', viaRecursor: true, ttlSeconds, evidence }, server }
  }
  return { delegation: { kind: 'unclear', why: outcome, evidence }, server }
}

function delegated(records: readonly DnsRecord[], viaRecursor: boolean, evidence: DnsEvidence): Delegation {
  const nameservers = records.flatMap((record) => (record.type === 'NS' ? [record.host] : []))
  return { kind: 'delegated', nameservers, viaRecursor, ttlSeconds: records[0]?.ttl ?? 0, evidence }
}

/** The minimum of the SOA's TTL and its `minimum` field (RFC 2308); 0 without a SOA. */
function negativeTtl(authority: readonly DnsRecord[]): number {
  const soa = authority.find((record) => record.type === 'SOA')
  return soa?.type === 'SOA' ? Math.min(soa.ttl, soa.minimum) : 0
}

const evidenceOf = (reply: DnsReply, question: string, clock: Clock): DnsEvidence => ({
  server: reply.server?.text ?? '',
  question,
  rcode: reply.rcode === null ? null : rcodeName(reply.rcode),
  hash: reply.wire === null ? null : hash('sha256', reply.wire.subarray(2)),
  at: timestamp(clock),
  elapsedMs: reply.elapsedMs,
})
