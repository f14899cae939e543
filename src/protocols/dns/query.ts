import { CLASS_IN, type RecordType, TYPE_OPT, TYPES } from './message.ts'
import { MAX_NAME_LENGTH, lower, writeName } from './names.ts'

/** A question in the form it is sent in, but for its id. */
export type Query = {
  readonly bytes: Buffer
  /** Where the question section ends: so much of an answer must be the same. */
  readonly questionEnd: number
}

const HEADER = 12
const OPT_LENGTH = 11
/** What fits through every network in one piece (DNS flag day 2020). */
const UDP_SIZE = 1232

type Options = {
  readonly name: string
  readonly type: RecordType
  readonly recursion: boolean
  readonly dnssec: boolean
  /** Left out for servers that do not understand it. */
  readonly edns: boolean
}

/** Room for the longest; everything is written here first, since only then its length is known. */
const draft = Buffer.alloc(HEADER + MAX_NAME_LENGTH + 1 + 4 + OPT_LENGTH)

/** The one message that is written for every question, so byte by byte. */
export function encodeQuery({ name, type, recursion, dnssec, edns }: Options): Query {
  draft.fill(0, 0, HEADER)
  draft[2] = recursion ? 0x01 : 0
  // Asked of a recursor, AD means: say whether you have validated it (RFC 6840).
  draft[3] = recursion ? 0x20 : 0
  draft[5] = 1
  draft[11] = edns ? 1 : 0
  let end = writeName(name, draft, HEADER)
  draft[end++] = TYPES[type] >> 8
  draft[end++] = TYPES[type] & 0xff
  draft[end++] = 0
  draft[end++] = CLASS_IN
  const questionEnd = end
  if (edns) {
    draft.fill(0, end, end + OPT_LENGTH)
    draft[end + 2] = TYPE_OPT
    draft[end + 3] = UDP_SIZE >> 8
    draft[end + 4] = UDP_SIZE & 0xff
    draft[end + 7] = dnssec ? 0x80 : 0
    end += OPT_LENGTH
  }
  const bytes = Buffer.allocUnsafe(end)
  draft.copy(bytes, 0, 0, end)
  return { bytes, questionEnd }
}

/** The query with an id of its own; a copy, since the one before may still be waiting to be sent. */
export function withId({ bytes }: Query, id: number): Buffer {
  const copy = Buffer.from(bytes)
  copy[0] = id >> 8
  copy[1] = id & 0xff
  return copy
}

/** Codes a server may answer with without repeating the question, since it could not read or would not look at it. */
const CODES_WITHOUT_QUESTION = new Set([1, 2, 4, 5])

/** Whether the bytes are an answer to this query, apart from the id. Reads no further than the question. */
export function answers({ bytes, questionEnd }: Query, answer: Uint8Array): boolean {
  if (answer.length < HEADER) return false
  const isResponse = (answer[2]! & 0x80) !== 0
  const isPlainQuery = (answer[2]! & 0x78) === 0
  if (!isResponse || !isPlainQuery) return false
  const questions = (answer[4]! << 8) | answer[5]!
  if (questions === 0) return CODES_WITHOUT_QUESTION.has(answer[3]! & 0xf)
  if (questions !== 1 || answer.length < questionEnd) return false
  // Lengths of labels are below the letters, so folding changes none of them.
  for (let at = HEADER; at < questionEnd; at++) if (lower(answer[at]!) !== lower(bytes[at]!)) return false
  return true
}
