/** DNS messages (RFC 1035 and its successors) as plain data. Names have no trailing dot; the root is ''. */

export const TYPES = {
  A: 1,
  NS: 2,
  CNAME: 5,
  SOA: 6,
  MX: 15,
  TXT: 16,
  AAAA: 28,
  DS: 43,
  CAA: 257,
} as const

export type RecordType = keyof typeof TYPES

export const CLASS_IN = 1
/** EDNS0's pseudo-record in the additional section. */
export const TYPE_OPT = 41

export const RCODES = {
  NOERROR: 0,
  FORMERR: 1,
  SERVFAIL: 2,
  NXDOMAIN: 3,
  NOTIMP: 4,
  REFUSED: 5,
  BADVERS: 16,
} as const

/** `NXDOMAIN` for 3; an unknown code is `RCODE` and its number. */
export function rcodeName(rcode: number): string {
  return Object.entries(RCODES).find(([, code]) => code === rcode)?.[0] ?? `RCODE${rcode}`
}

export type DnsFlags = {
  readonly response: boolean
  /** AA: the server is authoritative for the zone. */
  readonly authoritative: boolean
  /** TC: the answer did not fit; retry over TCP. */
  readonly truncated: boolean
  readonly recursionDesired: boolean
  readonly recursionAvailable: boolean
  /** AD: the recursor has validated the answer. In a query: request this flag. */
  readonly authenticData: boolean
  readonly checkingDisabled: boolean
}

export type DnsQuestion = { readonly name: string; readonly type: number; readonly class: number }

export type Soa = {
  readonly primary: string
  /** The mailbox encoded as a name, original case kept: `admin\.dns.hosting.com`. */
  readonly mailbox: string
  readonly serial: number
  readonly refresh: number
  readonly retry: number
  readonly expire: number
  /** Maximum TTL of a negative answer, in seconds. */
  readonly minimum: number
}

export type RecordData =
  | { readonly type: 'A'; readonly address: string }
  | { readonly type: 'AAAA'; readonly address: string }
  | { readonly type: 'NS'; readonly host: string }
  | { readonly type: 'CNAME'; readonly target: string }
  | ({ readonly type: 'SOA' } & Soa)
  | { readonly type: 'MX'; readonly priority: number; readonly host: string }
  | { readonly type: 'TXT'; readonly chunks: readonly Uint8Array[] }
  | {
      readonly type: 'DS'
      readonly keyTag: number
      readonly algorithm: number
      readonly digestType: number
      /** In hexadecimal. */
      readonly digest: string
    }
  | { readonly type: 'CAA'; readonly flags: number; readonly tag: string; readonly value: Uint8Array }
  /** An unsupported type, or a class other than IN. */
  | { readonly type: 'other'; readonly code: number; readonly class: number; readonly data: Uint8Array }

/** Owner names and host names are in lower case. */
export type DnsRecord = { readonly name: string; readonly ttl: number } & RecordData

export type Edns = { readonly udpSize: number; readonly dnssecOk: boolean }

export type DnsMessage = {
  readonly id: number
  readonly opcode: number
  /** Includes the upper bits from EDNS0. */
  readonly rcode: number
  readonly flags: DnsFlags
  readonly questions: readonly DnsQuestion[]
  readonly answers: readonly DnsRecord[]
  readonly authority: readonly DnsRecord[]
  readonly additional: readonly DnsRecord[]
  /** Null if the sender does not support EDNS0. */
  readonly edns: Edns | null
}

/** The bytes are not a valid DNS message. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage'
}
