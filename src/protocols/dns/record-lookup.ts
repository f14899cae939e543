import type { Clock } from '../../kernel/clock.ts'
import type { DnsClient, DnsReply } from './client.ts'
import type { DnsRecord, RecordType, Soa } from './message.ts'
import { isWithin, nameLabels } from './name-codec.ts'
import { type DnsOutcome, recordsFor } from './outcome.ts'
import type { ServerAddress } from './server-address.ts'

/** The DNS records at a name. */
export type RecordSet = {
  readonly a: readonly string[]
  readonly aaaa: readonly string[]
  /** A host of `.` means that the name accepts no mail (null MX, RFC 7505). */
  readonly mx: readonly { readonly host: string; readonly priority: number }[]
  /** `ip` is the host's first address; empty if it has no address or the query failed. */
  readonly ns: readonly { readonly host: string; readonly ip: string }[]
  readonly txt: readonly string[]
  readonly cname: string | null
  /** Null for a name that is not a zone apex. */
  readonly soa: (Omit<Soa, 'mailbox'> & { readonly email: string }) | null
  /** Whether the name's zone has a DS record at its parent. */
  readonly dnssec: boolean
  /** Whether the recursor has validated the DS record. */
  readonly validated: boolean
}

export type LookupResult =
  | { readonly kind: 'found'; readonly records: RecordSet }
  | { readonly kind: 'nxdomain' }
  /** The name exists, but has no records of the types we query. */
  | { readonly kind: 'no_records' }
  | { readonly kind: 'timeout' }
  /** At least one query failed. No partial result is returned, since it would look complete. */
  | { readonly kind: 'unavailable'; readonly why: DnsOutcome; readonly question: string }

export type LookupRequest = {
  /** In lower case, without a trailing dot. */
  readonly domain: string
  readonly recursors: readonly ServerAddress[]
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

/** Zones have up to thirteen name servers; beyond this, addresses are not looked up. */
const MAX_HOSTS = 16

/**
 * Queries recursors for all record types concurrently. Each query fails over to the next recursor. If one query fails
 * on every recursor, the whole lookup fails: an empty list would mean that there are no such records. Only name server
 * addresses may be missing, since a zone with one dead name server is still worth showing.
 */
export async function lookUpRecords(
  { client, clock }: { readonly client: DnsClient; readonly clock: Clock },
  { domain, recursors, timeoutMs, signal }: LookupRequest,
): Promise<LookupResult> {
  const startedAt = clock.monotonic()
  const query: Query = (name, type) => {
    const left = timeoutMs - (clock.monotonic() - startedAt)
    return client.query({ name, type, servers: recursors, recursion: true, inOrder: true, timeoutMs: left, signal })
  }
  const nsReply = query(domain, 'NS')
  const [a, aaaa, mx, ns, txt, cname, soa, ds, hosts] = await Promise.all([
    query(domain, 'A'),
    query(domain, 'AAAA'),
    query(domain, 'MX'),
    nsReply,
    query(domain, 'TXT'),
    query(domain, 'CNAME'),
    query(domain, 'SOA'),
    query(domain, 'DS'),
    nsReply.then(({ answers }) => withAddresses(ownRecords(answers, domain, 'NS'), query)),
  ])
  const replies = { A: a, AAAA: aaaa, MX: mx, NS: ns, TXT: txt, CNAME: cname, SOA: soa }
  for (const [type, reply] of Object.entries(replies)) {
    const failure = failureOf(reply, `${domain} ${type}`)
    if (failure) return failure
  }
  const records = {
    a: recordsFor(a.answers, domain, 'A').map(({ address }) => address),
    aaaa: recordsFor(aaaa.answers, domain, 'AAAA').map(({ address }) => address),
    mx: recordsFor(mx.answers, domain, 'MX')
      .map(({ host, priority }) => ({ host: host === '' ? '.' : host, priority }))
      .toSorted((one, other) => one.priority - other.priority),
    ns: hosts,
    txt: recordsFor(txt.answers, domain, 'TXT').map(({ chunks }) => Buffer.concat(chunks).toString('utf8')),
    cname: ownRecords(cname.answers, domain, 'CNAME')[0]?.target ?? null,
    soa: soaOf(ownRecords(soa.answers, domain, 'SOA')[0]),
  }
  const { cname: alias, soa: top, ...lists } = records
  if (alias === null && top === null && Object.values(lists).every((list) => list.length === 0)) {
    const exists = Object.values(replies).some(({ outcome }) => outcome !== 'nxdomain')
    return { kind: exists ? 'no_records' : 'nxdomain' }
  }
  const signature = await findSignature(domain, { soa, ds }, query)
  return signature.kind === 'signature' ? { kind: 'found', records: { ...records, ...signature.found } } : signature
}

type Query = (name: string, type: RecordType) => Promise<DnsReply>
type Failure = Extract<LookupResult, { kind: 'timeout' | 'unavailable' }>
type Signature = { readonly kind: 'signature'; readonly found: Pick<RecordSet, 'dnssec' | 'validated'> }

const ANSWERS: ReadonlySet<DnsOutcome> = new Set<DnsOutcome>(['answer', 'nodata', 'nxdomain'])

function failureOf({ outcome }: DnsReply, question: string): Failure | null {
  if (ANSWERS.has(outcome)) return null
  return outcome === 'timeout' ? { kind: 'timeout' } : { kind: 'unavailable', why: outcome, question }
}

/** Whether the zone that holds the name has a DS record at its parent. */
async function findSignature(
  domain: string,
  { soa, ds }: { readonly soa: DnsReply; readonly ds: DnsReply },
  query: Query,
): Promise<Signature | Failure> {
  let name = domain
  let reply = soa
  let zone = zoneOf(name, reply)
  while (zone === null) {
    name = name.includes('.') ? name.slice(name.indexOf('.') + 1) : ''
    reply = await query(name, 'SOA')
    const failure = failureOf(reply, `${name} SOA`)
    if (failure) return failure
    zone = name === '' ? '' : zoneOf(name, reply)
  }
  const signed = zone === domain ? ds : await query(zone, 'DS')
  const failure = failureOf(signed, `${zone} DS`)
  if (failure) return failure
  const dnssec = ownRecords(signed.answers, zone, 'DS').length > 0
  const validated = dnssec && signed.flags?.authenticData === true
  return { kind: 'signature', found: { dnssec, validated } }
}

/** The zone that holds the name, from the reply to an SOA query; null if the reply is about another name. */
function zoneOf(name: string, { answers, authority }: DnsReply): string | null {
  if (ownRecords(answers, name, 'SOA').length > 0) return name
  // After a CNAME, the SOA belongs to the target's zone.
  if (ownRecords(answers, name, 'CNAME').length > 0) return null
  const soa = authority.find((record) => record.type === 'SOA')
  return soa !== undefined && isWithin(name, soa.name) ? soa.name : null
}

/** Records at the name itself, without following CNAMEs. */
const ownRecords = <T extends RecordType>(answers: readonly DnsRecord[], name: string, type: T) =>
  answers.filter((record) => record.name === name && record.type === type) as Extract<DnsRecord, { type: T }>[]

function withAddresses(records: readonly { readonly host: string }[], query: Query): Promise<RecordSet['ns']> {
  const hosts = [...new Set(records.map(({ host }) => host))].toSorted()
  return Promise.all(
    hosts.map(async (host, at) => ({ host, ip: at < MAX_HOSTS ? ((await firstAddress(host, query)) ?? '') : '' })),
  )
}

async function firstAddress(host: string, query: Query): Promise<string | undefined> {
  const [ipv4] = recordsFor((await query(host, 'A')).answers, host, 'A')
  if (ipv4) return ipv4.address
  return recordsFor((await query(host, 'AAAA')).answers, host, 'AAAA')[0]?.address
}

/** The mailbox is encoded as a name: its first label, with dots escaped, is the part before the `@`. */
function soaOf(soa: Soa | undefined): RecordSet['soa'] {
  if (soa === undefined) return null
  const { primary, mailbox, serial, refresh, retry, expire, minimum } = soa
  const [local = '', ...rest] = nameLabels(mailbox).map((label) => label.toString('utf8'))
  const email = rest.length === 0 ? local : `${local}@${rest.join('.').toLowerCase()}`
  return { primary, email, serial, refresh, retry, expire, minimum }
}
