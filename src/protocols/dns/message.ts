/** The words of DNS (RFC 1035 and its followers) as plain data. Names are without a trailing dot; the root is ''. */

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
/** EDNS0's own type: it stands among the additional records but is none. */
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

/** `NXDOMAIN` for 3; a code without a name here is `RCODE` and its number. */
export function rcodeName(rcode: number): string {
  return Object.entries(RCODES).find(([, code]) => code === rcode)?.[0] ?? `RCODE${rcode}`
}

export type Flags = {
  readonly response: boolean
  /** AA: the server speaks for the zone itself. */
  readonly authoritative: boolean
  /** TC: there was more than fits; ask again over TCP. */
  readonly truncated: boolean
  readonly recursionDesired: boolean
  readonly recursionAvailable: boolean
  /** AD: the recursor has validated all of it. In a question: tell me whether you have. */
  readonly authenticData: boolean
  readonly checkingDisabled: boolean
}

export type Question = { readonly name: string; readonly type: number; readonly class: number }

export type Soa = {
  readonly primary: string
  /** The mailbox in the form of a name, in the case it was sent: `admin\.dns.hosting.com`. */
  readonly mailbox: string
  readonly serial: number
  readonly refresh: number
  readonly retry: number
  readonly expire: number
  /** How long, in seconds, a negative answer may be kept at most. */
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
  /** A type we have no use for, or a class other than IN. */
  | { readonly type: 'other'; readonly code: number; readonly class: number; readonly data: Uint8Array }

/** Owner names and host names are in lower case. */
export type DnsRecord = { readonly name: string; readonly ttl: number } & RecordData

export type Edns = { readonly udpSize: number; readonly dnssecOk: boolean }

export type DnsMessage = {
  readonly id: number
  readonly opcode: number
  /** With the upper bits that EDNS0 adds. */
  readonly rcode: number
  readonly flags: Flags
  readonly questions: readonly Question[]
  readonly answers: readonly DnsRecord[]
  readonly authority: readonly DnsRecord[]
  readonly additional: readonly DnsRecord[]
  /** Null where the sender does not speak EDNS0. */
  readonly edns: Edns | null
}

/** The bytes are not a DNS message, or break one of its rules. */
export class MalformedMessage extends Error {
  override readonly name = 'MalformedMessage'
}
