import { CLASS_IN, type RecordType, TYPE_OPT, TYPES } from './message.ts'
import { MAX_NAME_BYTES, lower, writeName } from './name-codec.ts'

/** A query in wire format. */
export type EncodedQuery = {
  readonly bytes: Buffer
  /** Whether the bytes carry an id already: they may still be waiting to be sent with it. */
  hasId: boolean
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

/** Hand-written rather than through `encodeMessage`: this runs once per query. */
export function encodeQuery({ name, type, recursion, dnssec, edns }: Options): EncodedQuery {
  // Each dot becomes a length; the first length and the root label are added. Escapes and a last dot need less.
  const nameBytes = Math.min(name.length, MAX_NAME_BYTES) + 2
  const bytes = Buffer.allocUnsafe(HEADER_BYTES + nameBytes + 4 + (edns ? OPT_BYTES : 0))
  for (let at = 0; at < HEADER_BYTES; at++) bytes[at] = 0
  bytes[2] = recursion ? 0x01 : 0
  // AD in a query asks the recursor to say whether it has validated the answer (RFC 6840).
  bytes[3] = recursion ? 0x20 : 0
  bytes[5] = 1
  bytes[11] = edns ? 1 : 0
  let end = writeName(name, bytes, HEADER_BYTES)
  bytes[end++] = TYPES[type] >> 8
  bytes[end++] = TYPES[type] & 0xff
  bytes[end++] = 0
  bytes[end++] = CLASS_IN
  const questionEnd = end
  if (edns) {
    for (const last = end + OPT_BYTES; end < last; end++) bytes[end] = 0
    bytes[questionEnd + 2] = TYPE_OPT
    bytes[questionEnd + 3] = UDP_SIZE_BYTES >> 8
    bytes[questionEnd + 4] = UDP_SIZE_BYTES & 0xff
    bytes[questionEnd + 7] = dnssec ? 0x80 : 0
  }
  return { bytes: end === bytes.length ? bytes : bytes.subarray(0, end), hasId: false, questionEnd }
}

/** The query with this id: its own bytes the first time, then copies, because those sent before may still be queued. */
export function withId(query: EncodedQuery, id: number): Buffer {
  const bytes = query.hasId ? Buffer.from(query.bytes) : query.bytes
  query.hasId = true
  bytes[0] = id >> 8
  bytes[1] = id & 0xff
  return bytes
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
  for (let at = HEADER_BYTES; at < questionEnd; at++) {
    const theirs = answer[at]!
    const ours = bytes[at]!
    if (theirs !== ours && lower(theirs) !== lower(ours)) return false
  }
  return true
}
