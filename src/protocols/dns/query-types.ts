import type { DnsFlags, DnsRecord, RecordType } from './message.ts'
import type { DnsOutcome } from './outcome.ts'
import type { ServerAddress } from './server-address.ts'

export type DnsRequest = {
  readonly name: string
  readonly type: RecordType
  /** Equivalent servers: tried one after the other until one gives a conclusive answer. */
  readonly servers: readonly ServerAddress[]
  /** True for recursors, false for authoritative servers. */
  readonly recursion: boolean
  /** The zone these servers are authoritative for. A referral to this zone or above counts as `lame`. */
  readonly zone?: string | undefined
  /** Set the DO bit: request signatures, and DS records with a referral. */
  readonly dnssec?: boolean | undefined
  /** Try healthy servers in the given order instead of spreading the load. */
  readonly inOrder?: boolean | undefined
  readonly timeoutMs: number
  readonly signal?: AbortSignal | undefined
}

type AttemptReport = {
  readonly server: string
  readonly tcp: boolean
  /** `silent` if nothing had come back when the query finished. */
  readonly result: DnsOutcome | 'silent'
}

export type DnsReply = {
  readonly outcome: DnsOutcome
  /** Null, like `flags` and `wire`, if nothing readable came back. */
  readonly rcode: number | null
  readonly flags: DnsFlags | null
  readonly answers: readonly DnsRecord[]
  readonly authority: readonly DnsRecord[]
  readonly additional: readonly DnsRecord[]
  readonly wire: Uint8Array | null
  /** The server that replied; null if none did. */
  readonly server: ServerAddress | null
  readonly tcp: boolean
  readonly elapsedMs: number
  readonly attempts: readonly AttemptReport[]
}
