import { type DnsMessage, type DnsRecord, RCODES, type RecordType } from './message.ts'
import { isWithin } from './name-codec.ts'

/** The result of a query. Only the first four are answers; the others say why there is no answer. */
export type DnsOutcome =
  /** Records of the requested type, or a CNAME. */
  | 'answer'
  /** The name exists but has no records of this type. */
  | 'nodata'
  | 'nxdomain'
  /** Delegated: the authority section names the zone and its servers. */
  | 'referral'
  | 'servfail'
  | 'refused'
  | 'formerr'
  | 'notimp'
  /** Any other response code; none is expected for our queries. */
  | 'rejected'
  /** The server is not authoritative: it refers up or elsewhere, or gives a cached answer. */
  | 'lame'
  /** The reply is not a valid DNS message. */
  | 'malformed'
  /** Too long for a datagram, and TCP failed too. */
  | 'truncated'
  | 'timeout'
  /** The query could not be sent to any server. */
  | 'unreachable'
  /** Our own queue is full. */
  | 'overloaded'

export type QueryTarget = {
  /** In lower case. */
  readonly name: string
  readonly type: RecordType
  /** True for a recursor, false for an authoritative server. */
  readonly recursion: boolean
  /** The zone the servers are authoritative for, if known. Valid referrals are to zones below it. */
  readonly zone?: string | undefined
}

const FAILURES = new Map<number, DnsOutcome>([
  [RCODES.FORMERR, 'formerr'],
  [RCODES.SERVFAIL, 'servfail'],
  [RCODES.NOTIMP, 'notimp'],
  [RCODES.REFUSED, 'refused'],
])

/** Classifies a message already known to answer this query. */
export function classifyReply(message: DnsMessage, asked: QueryTarget): DnsOutcome {
  const { rcode } = message
  if (rcode !== RCODES.NOERROR && rcode !== RCODES.NXDOMAIN) return FAILURES.get(rcode) ?? 'rejected'
  return asked.recursion ? recursorOutcome(message, asked) : authorityOutcome(message, asked)
}

function recursorOutcome({ rcode, flags, answers }: DnsMessage, { name, type }: QueryTarget): DnsOutcome {
  if (rcode === RCODES.NXDOMAIN) return 'nxdomain'
  if (hasAnswer(answers, name, type)) return 'answer'
  // Records we did not ask for, or a server without recursion that refers us to others.
  if (answers.length > 0 || (!flags.recursionAvailable && !flags.authoritative)) return 'lame'
  return 'nodata'
}

function authorityOutcome(message: DnsMessage, { name, type, zone }: QueryTarget): DnsOutcome {
  const { rcode, flags, answers, authority } = message
  if (rcode === RCODES.NOERROR && answers.length > 0) {
    return flags.authoritative && hasAnswer(answers, name, type) ? 'answer' : 'lame'
  }
  // A negative answer must carry the SOA of the zone that lacks the name (RFC 2308).
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

/** The zone that all NS records of the section belong to; null if there are no NS records or several zones. */
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

/** Longest CNAME chain that is followed. */
const MAX_CHAIN_LENGTH = 16

/** The records of a type, after following CNAMEs from the name. */
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
