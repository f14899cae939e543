import { type DnsMessage, type DnsRecord, RCODES, type RecordType } from './message.ts'
import { isWithin } from './names.ts'

/** What the question comes to. Only the first four are answers; the others say why there is none. */
export type Outcome =
  /** There are records: of the type asked for, or an alias that leads elsewhere. */
  | 'answer'
  /** The name is there, records of this type are not. */
  | 'nodata'
  | 'nxdomain'
  /** Others are responsible: the authority section names the zone and its servers. */
  | 'referral'
  | 'servfail'
  | 'refused'
  | 'formerr'
  | 'notimp'
  /** Another code, which no question of ours should meet. */
  | 'rejected'
  /** The server is not responsible for what it was asked: it sends us up, elsewhere, or repeats hearsay. */
  | 'lame'
  /** The bytes that came back are no DNS message. */
  | 'malformed'
  /** Too long for a datagram, and not to be had over TCP either. */
  | 'truncated'
  | 'timeout'
  /** No server could even be sent the question. */
  | 'unreachable'
  /** We have too many questions of our own under way. */
  | 'overloaded'

export type Asked = {
  /** In lower case. */
  readonly name: string
  readonly type: RecordType
  /** Whether a recursor was asked; otherwise a server that should be responsible itself. */
  readonly recursion: boolean
  /** The zone the servers are responsible for, where that is known: they may only refer to what lies below it. */
  readonly zone?: string | undefined
}

const FAILURES = new Map<number, Outcome>([
  [RCODES.FORMERR, 'formerr'],
  [RCODES.SERVFAIL, 'servfail'],
  [RCODES.NOTIMP, 'notimp'],
  [RCODES.REFUSED, 'refused'],
])

/** What a message that is known to answer the question says. */
export function outcomeOf(message: DnsMessage, asked: Asked): Outcome {
  const { rcode } = message
  if (rcode !== RCODES.NOERROR && rcode !== RCODES.NXDOMAIN) return FAILURES.get(rcode) ?? 'rejected'
  return asked.recursion ? recursorOutcome(message, asked) : authorityOutcome(message, asked)
}

function recursorOutcome({ rcode, flags, answers }: DnsMessage, { name, type }: Asked): Outcome {
  if (rcode === RCODES.NXDOMAIN) return 'nxdomain'
  if (hasAnswer(answers, name, type)) return 'answer'
  // Something else than what was asked for, or a server that does not recurse and tells us to ask others.
  if (answers.length > 0 || (!flags.recursionAvailable && !flags.authoritative)) return 'lame'
  return 'nodata'
}

function authorityOutcome(message: DnsMessage, { name, type, zone }: Asked): Outcome {
  const { rcode, flags, answers, authority } = message
  if (rcode === RCODES.NOERROR && answers.length > 0) {
    return flags.authoritative && hasAnswer(answers, name, type) ? 'answer' : 'lame'
  }
  // A negative answer carries the SOA of the zone that lacks the name; without it, it is nobody's word (RFC 2308).
  const soa = authority.find((record) => record.type === 'SOA')
  if (soa !== undefined) {
    const responsible = isWithin(name, soa.name) && (zone === undefined || isWithin(soa.name, zone))
    if (!flags.authoritative || !responsible) return 'lame'
    return rcode === RCODES.NXDOMAIN ? 'nxdomain' : 'nodata'
  }
  const cut = referredZone(authority)
  const isBelow =
    cut !== null && cut !== '' && isWithin(name, cut) && (zone === undefined || isProperlyBelow(cut, zone))
  return rcode === RCODES.NOERROR && isBelow ? 'referral' : 'lame'
}

/** The zone all NS records of the section belong to; null where there is none or they belong to several. */
export function referredZone(authority: readonly DnsRecord[]): string | null {
  let zone: string | null = null
  for (const { type, name } of authority) {
    if (type !== 'NS') continue
    if (zone !== null && zone !== name) return null
    zone = name
  }
  return zone
}

const isProperlyBelow = (name: string, zone: string): boolean => name !== zone && isWithin(name, zone)

const hasAnswer = (answers: readonly DnsRecord[], name: string, type: RecordType): boolean =>
  answers.some((record) => record.name === name && record.type === 'CNAME') ||
  recordsFor(answers, name, type).length > 0

/** More aliases in a row than this lead nowhere. */
const MAX_CHAIN_LENGTH = 16

/** The records of a type at the end of the chain of aliases that starts at the name. */
export function recordsFor<T extends RecordType>(
  answers: readonly DnsRecord[],
  name: string,
  type: T,
): Extract<DnsRecord, { type: T }>[] {
  let owner = name
  for (let hop = 0; hop <= MAX_CHAIN_LENGTH; hop++) {
    const found = answers.filter((record) => record.type === type && record.name === owner)
    if (found.length > 0) return found as Extract<DnsRecord, { type: T }>[]
    const alias = answers.find((record) => record.type === 'CNAME' && record.name === owner)
    if (alias?.type !== 'CNAME') return []
    owner = alias.target
  }
  return []
}
