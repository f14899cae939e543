import { hash } from 'node:crypto'
import { type Clock, timestamp } from '../../kernel/clock.ts'
import type { DnsClient, DnsReply } from './client.ts'
import { type DnsRecord, rcodeName } from './message.ts'
import { type Outcome, recordsFor, referredZone } from './outcome.ts'
import type { ServerAddress } from './server-address.ts'

/** Whether a zone hands a name over to name servers of its own: proof that somebody has registered it. */
export type Delegation =
  | {
      readonly kind: 'delegated'
      /** In lower case. */
      readonly nameservers: readonly string[]
      readonly viaRecursor: boolean
      readonly ttlSeconds: number
      readonly evidence: Evidence
    }
  | {
      /** Not the same as free: names on hold or without name servers are registered too. */
      readonly kind: 'not_delegated'
      /** A recursor's word for it is none of the registry's. */
      readonly viaRecursor: boolean
      /** How long the zone allows a negative answer to be kept. */
      readonly ttlSeconds: number
      readonly evidence: Evidence
    }
  | { readonly kind: 'unclear'; readonly why: Unclear; readonly evidence: Evidence }

/** An outcome that tells nothing, or one of these. */
export type Unclear =
  | Exclude<Outcome, 'nodata' | 'nxdomain'>
  /** The recursor makes up answers for names that cannot exist. */
  | 'lying_recursor'
  /** There was nobody to ask. */
  | 'no_servers'

/** Who was asked, and what came back. */
export type Evidence = {
  /** Empty where nobody answered. */
  readonly server: string
  readonly question: string
  /** Null where nobody answered. */
  readonly rcode: string | null
  /** SHA-256 of the answer without its id, in hexadecimal: the same answer has the same hash. */
  readonly hash: string | null
  /** ISO 8601, when the answer was there. */
  readonly at: string
  readonly elapsedMs: number
}

export type DelegationQuestion = {
  /** In lower case, without a trailing dot; so is the zone. */
  readonly domain: string
  readonly zone: string
  readonly servers: readonly ServerAddress[]
  /** Ask the zone's own servers even if they seem out of reach: nobody else's word will do. */
  readonly insist?: boolean
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

/** Asks the zone's own servers: what they say of the name is certain, one way or the other. */
export async function askZone(
  { client, clock }: { readonly client: DnsClient; readonly clock: Clock },
  { domain, zone, ...how }: DelegationQuestion,
): Promise<Delegation> {
  const reply = await client.ask({ name: domain, type: 'NS', zone, recursion: false, ...how })
  const evidence = evidenceOf(reply, `${domain} NS`, clock)
  const ours = (records: readonly DnsRecord[]) => records.filter((one) => one.type === 'NS' && one.name === domain)
  switch (reply.outcome) {
    case 'referral':
      // A referral to a zone between the TLD and the name says nothing about the name.
      if (referredZone(reply.authority) !== domain) return { kind: 'unclear', why: 'referral', evidence }
      return delegated(ours(reply.authority), false, evidence)
    case 'answer':
      // An alias, or whatever else stands at the name: no delegation, but not nothing either.
      if (ours(reply.answers).length === 0) return { kind: 'unclear', why: 'answer', evidence }
      return delegated(ours(reply.answers), false, evidence)
    case 'nxdomain':
    case 'nodata':
      return { kind: 'not_delegated', viaRecursor: false, ttlSeconds: negativeTtl(reply.authority), evidence }
    default:
      return { kind: 'unclear', why: reply.outcome, evidence }
  }
}

/** Asks recursors whether the name has name servers. Whether they may be believed is another question. */
export async function askRecursor(
  { client, clock }: { readonly client: DnsClient; readonly clock: Clock },
  { domain, servers, deadlineMs, signal }: Omit<DelegationQuestion, 'zone'>,
): Promise<{ readonly delegation: Delegation; readonly server: ServerAddress | null }> {
  const question = { name: domain, type: 'NS', servers, recursion: true, inOrder: true, deadlineMs, signal } as const
  const reply = await client.ask(question)
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

function delegated(records: readonly DnsRecord[], viaRecursor: boolean, evidence: Evidence): Delegation {
  const nameservers = records.flatMap((record) => (record.type === 'NS' ? [record.host] : []))
  return { kind: 'delegated', nameservers, viaRecursor, ttlSeconds: records[0]?.ttl ?? 0, evidence }
}

/** The lesser of the SOA's own lifetime and its last field (RFC 2308); 0 where there is no SOA. */
function negativeTtl(authority: readonly DnsRecord[]): number {
  const soa = authority.find((record) => record.type === 'SOA')
  return soa?.type === 'SOA' ? Math.min(soa.ttl, soa.minimum) : 0
}

const evidenceOf = (reply: DnsReply, question: string, clock: Clock): Evidence => ({
  server: reply.server?.text ?? '',
  question,
  rcode: reply.rcode === null ? null : rcodeName(reply.rcode),
  hash: reply.wire === null ? null : hash('sha256', reply.wire.subarray(2)),
  at: timestamp(clock),
  elapsedMs: reply.elapsedMs,
})
