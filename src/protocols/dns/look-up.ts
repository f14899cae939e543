import type { Clock } from '../../kernel/clock.ts'
import type { DnsClient, DnsReply } from './client.ts'
import type { DnsRecord, RecordType, Soa } from './message.ts'
import { isWithin, nameLabels } from './names.ts'
import { type Outcome, recordsFor } from './outcome.ts'
import type { ServerAddress } from './server-address.ts'

/** What DNS holds at a name. */
export type RecordSet = {
  readonly a: readonly string[]
  readonly aaaa: readonly string[]
  /** `.` as host says that the name takes no mail. */
  readonly mx: readonly { readonly host: string; readonly priority: number }[]
  /** `ip` is the host's first address, and empty where it has none or none could be found. */
  readonly ns: readonly { readonly host: string; readonly ip: string }[]
  readonly txt: readonly string[]
  readonly cname: string | null
  /** Null for a name that is not the top of its zone. */
  readonly soa: (Omit<Soa, 'mailbox'> & { readonly email: string }) | null
  /** Whether the name's zone has a DS record at its parent. */
  readonly dnssec: boolean
  /** Whether the recursor has validated that. */
  readonly validated: boolean
}

export type LookUp =
  | { readonly kind: 'found'; readonly records: RecordSet }
  | { readonly kind: 'nxdomain' }
  /** The name is there, but has none of the records we look for. */
  | { readonly kind: 'no_records' }
  | { readonly kind: 'timeout' }
  /** At least one of the questions came to nothing: a part of the answer would look like the whole. */
  | { readonly kind: 'unavailable'; readonly why: Outcome; readonly question: string }

export type LookUpQuestion = {
  /** In lower case, without a trailing dot. */
  readonly domain: string
  readonly recursors: readonly ServerAddress[]
  readonly deadlineMs: number
  readonly signal?: AbortSignal | undefined
}

/** Zones have up to thirteen name servers; who has more shows the addresses of the first. */
const MAX_HOSTS = 16

/**
 * Asks recursors for everything at once. A question that one recursor cannot answer goes to the next; if none can, the
 * whole look-up fails, since an empty list would say that there are no such records. Only the addresses of name
 * servers are left out where they cannot be found: a zone with one dead name server is still worth showing.
 */
export async function lookUp(
  { client, clock }: { readonly client: DnsClient; readonly clock: Clock },
  { domain, recursors, deadlineMs, signal }: LookUpQuestion,
): Promise<LookUp> {
  const startedAt = clock.monotonic()
  const ask: AskAbout = (name, type) => {
    const left = deadlineMs - (clock.monotonic() - startedAt)
    return client.ask({ name, type, servers: recursors, recursion: true, inOrder: true, deadlineMs: left, signal })
  }
  const nsAsked = ask(domain, 'NS')
  const [a, aaaa, mx, ns, txt, cname, soa, ds, hosts] = await Promise.all([
    ask(domain, 'A'),
    ask(domain, 'AAAA'),
    ask(domain, 'MX'),
    nsAsked,
    ask(domain, 'TXT'),
    ask(domain, 'CNAME'),
    ask(domain, 'SOA'),
    ask(domain, 'DS'),
    nsAsked.then(({ answers }) => withAddresses(ownRecords(answers, domain, 'NS'), ask)),
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
  const signature = await findSignature(domain, { soa, ds }, ask)
  return signature.kind === 'signature' ? { kind: 'found', records: { ...records, ...signature.found } } : signature
}

type AskAbout = (name: string, type: RecordType) => Promise<DnsReply>
type Failure = Extract<LookUp, { kind: 'timeout' | 'unavailable' }>
type Signature = { readonly kind: 'signature'; readonly found: Pick<RecordSet, 'dnssec' | 'validated'> }

const ANSWERS: ReadonlySet<Outcome> = new Set<Outcome>(['answer', 'nodata', 'nxdomain'])

function failureOf({ outcome }: DnsReply, question: string): Failure | null {
  if (ANSWERS.has(outcome)) return null
  return outcome === 'timeout' ? { kind: 'timeout' } : { kind: 'unavailable', why: outcome, question }
}

/** Whether the zone that holds the name has a DS record at its parent. */
async function findSignature(
  domain: string,
  { soa, ds }: { readonly soa: DnsReply; readonly ds: DnsReply },
  ask: AskAbout,
): Promise<Signature | Failure> {
  let name = domain
  let reply = soa
  let zone = zoneOf(name, reply)
  while (zone === null) {
    name = name.includes('.') ? name.slice(name.indexOf('.') + 1) : ''
    reply = await ask(name, 'SOA')
    const failure = failureOf(reply, `${name} SOA`)
    if (failure) return failure
    zone = name === '' ? '' : zoneOf(name, reply)
  }
  const signed = zone === domain ? ds : await ask(zone, 'DS')
  const failure = failureOf(signed, `${zone} DS`)
  if (failure) return failure
  const dnssec = ownRecords(signed.answers, zone, 'DS').length > 0
  const validated = dnssec && signed.flags?.authenticData === true
  return { kind: 'signature', found: { dnssec, validated } }
}

/** The zone that holds the name, by the answer to a question for its SOA; null where that speaks of another name. */
function zoneOf(name: string, { answers, authority }: DnsReply): string | null {
  if (ownRecords(answers, name, 'SOA').length > 0) return name
  // Behind an alias stands the zone of its target.
  if (ownRecords(answers, name, 'CNAME').length > 0) return null
  const soa = authority.find((record) => record.type === 'SOA')
  return soa !== undefined && isWithin(name, soa.name) ? soa.name : null
}

/** Records at the name itself, not behind an alias. */
const ownRecords = <T extends RecordType>(answers: readonly DnsRecord[], name: string, type: T) =>
  answers.filter((record) => record.name === name && record.type === type) as Extract<DnsRecord, { type: T }>[]

function withAddresses(records: readonly { readonly host: string }[], ask: AskAbout): Promise<RecordSet['ns']> {
  const hosts = [...new Set(records.map(({ host }) => host))].toSorted()
  return Promise.all(
    hosts.map(async (host, at) => ({ host, ip: at < MAX_HOSTS ? ((await firstAddress(host, ask)) ?? '') : '' })),
  )
}

async function firstAddress(host: string, ask: AskAbout): Promise<string | undefined> {
  const [ipv4] = recordsFor((await ask(host, 'A')).answers, host, 'A')
  if (ipv4) return ipv4.address
  return recordsFor((await ask(host, 'AAAA')).answers, host, 'AAAA')[0]?.address
}

/** The mailbox is written as a name: its first label, in which dots are escaped, stands before the `@`. */
function soaOf(soa: Soa | undefined): RecordSet['soa'] {
  if (soa === undefined) return null
  const { primary, mailbox, serial, refresh, retry, expire, minimum } = soa
  const [local = '', ...rest] = nameLabels(mailbox).map((label) => label.toString('utf8'))
  const email = rest.length === 0 ? local : `${local}@${rest.join('.').toLowerCase()}`
  return { primary, email, serial, refresh, retry, expire, minimum }
}
