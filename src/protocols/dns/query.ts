import { CLASS_IN, type RecordType, TYPE_OPT, TYPES } from './message.ts'
import { MAX_NAME_BYTES, lower, writeName } from './name-codec.ts'

/** A query in wire format, with id 0. */
export type EncodedQuery = {
  readonly bytes: Buffer
  /** Offset after the question section. An answer must repeat the bytes up to here. */
  readonly questionEnd: number
}

const HEADER_BYTES = 12
const OPT_BYTES = 11
/** Fits through every network without fragmentation (DNS flag day 2020). */
const UDP_SIZE_BYTES = 1232

type Options = {
  readonly name: string
  readonly type: RecordType
  readonly recursion: boolean
  readonly dnssec: boolean
  /** False for servers that reject EDNS0. */
  readonly edns: boolean
}

/** Module-level scratch, large enough for the longest query: the length is known only after encoding, which is synchronous. */
const draft = Buffer.alloc(HEADER_BYTES + MAX_NAME_BYTES + 1 + 4 + OPT_BYTES)

/** Hand-written rather than through `encodeMessage`: this runs once per query. */
export function encodeQuery({ name, type, recursion, dnssec, edns }: Options): EncodedQuery {
  draft.fill(0, 0, HEADER_BYTES)
  draft[2] = recursion ? 0x01 : 0
  // AD in a query asks the recursor to say whether it has validated the answer (RFC 6840).
  draft[3] = recursion ? 0x20 : 0
  draft[5] = 1
  draft[11] = edns ? 1 : 0
  let end = writeName(name, draft, HEADER_BYTES)
  draft[end++] = TYPES[type] >> 8
  draft[end++] = TYPES[type] & 0xff
  draft[end++] = 0
  draft[end++] = CLASS_IN
  const questionEnd = end
  if (edns) {
    draft.fill(0, end, end + OPT_BYTES)
    draft[end + 2] = TYPE_OPT
    draft[end + 3] = UDP_SIZE_BYTES >> 8
    draft[end + 4] = UDP_SIZE_BYTES & 0xff
    draft[end + 7] = dnssec ? 0x80 : 0
    end += OPT_BYTES
  }
  const bytes = Buffer.allocUnsafe(end)
  draft.copy(bytes, 0, 0, end)
  return { bytes, questionEnd }
}

/** A copy of the query with this id; a copy because the previous one may still be waiting to be sent. */
export function withId({ bytes }: EncodedQuery, id: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[0] = id >> 8
  copy[1] = id & 0xff
  return copy
}

/** Response codes a server may send without repeating the question: FORMERR, SERVFAIL, NOTIMP and REFUSED. */
const CODES_WITHOUT_QUESTION = new Set([1, 2, 4, 5])

/** Whether the bytes answer this query. Ignores the id, and checks nothing after the question. */
export function isAnswerTo({ bytes, questionEnd }: EncodedQuery, answer: Uint8Array): boolean {
  if (answer.length < HEADER_BYTES) return false
  const isResponse = (answer[2]! & 0x80) !== 0
  const isPlainQuery = (answer[2]! & 0x78) === 0
  if (!isResponse || !isPlainQuery) return false
  const questions = (answer[4]! << 8) | answer[5]!
  if (questions === 0) return CODES_WITHOUT_QUESTION.has(answer[3]! & 0xf)
  if (questions !== 1 || answer.length < questionEnd) return false
  // Label lengths (at most 63) are below the letters, so folding case leaves them unchanged.
  for (let at = HEADER_BYTES; at < questionEnd; at++) if (lower(answer[at]!) !== lower(bytes[at]!)) return false
  return true
}
