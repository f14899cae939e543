import type { Day, TrademarkRecord } from '../../../record.ts'
import type { AsciiText, IndexedRecord } from '../segment.ts'

/**
 * A record as it is stored:
 *   one byte, 1 if all texts are ASCII; the five days, 32 bits each;
 *   as varints the numbers of pseudo marks, classes and events, and the byte length of each text;
 *   then the texts, in this order: serial, status, mark, pseudo marks, classes, owner, goods, attorney, events.
 * It is not compressed: that would halve the file, and take more time per record than the rest of an import.
 * See "Record body" in docs/trademark-index-format.md.
 */
const DAYS_OFFSET = 1
const HEADER_BYTES = DAYS_OFFSET + 5 * 4
const NO_DAY = 0xffff_ffff
const MAX_VARINT_BYTES = 5
/** Varints beside those of list members: three counts and six lengths. */
const FIXED_VARINTS = 3 + 6

/** An upper bound of the encoded size. */
export function maxBodyBytes(record: TrademarkRecord): number {
  const { serial, status, mark, pseudoMarks, classes, owner, goods, attorney, history } = record
  let units = serial.length + status.length + mark.length + owner.length + goods.length + attorney.length
  for (const list of [pseudoMarks, classes, history]) for (const text of list) units += text.length + MAX_VARINT_BYTES
  return HEADER_BYTES + FIXED_VARINTS * MAX_VARINT_BYTES + 3 * units
}

/** Encodes the record at `begin`, where there must be `maxBodyBytes` of space, and returns the end. */
export function encodeBody(record: TrademarkRecord, into: Buffer, begin: number): number {
  const texts = concatenateTexts(record)
  const at = writeHead(record, into, begin, 1, unitsOf)
  // As many bytes as UTF-16 units: the record is ASCII, as nearly all are.
  if (into.write(texts, at) === texts.length) return at + texts.length
  const from = writeHead(record, into, begin, 0, Buffer.byteLength)
  return from + into.write(texts, from)
}

function concatenateTexts({
  serial,
  status,
  mark,
  pseudoMarks,
  classes,
  owner,
  goods,
  attorney,
  history,
}: TrademarkRecord) {
  let text = serial + status + mark
  for (const one of pseudoMarks) text += one
  for (const one of classes) text += one
  text += owner + goods + attorney
  for (const one of history) text += one
  return text
}

const unitsOf = (text: string) => text.length

function writeHead(
  record: TrademarkRecord,
  into: Buffer,
  begin: number,
  isAscii: number,
  lengthOf: (text: string) => number,
): number {
  const { serial, status, mark, pseudoMarks, classes, owner, goods, attorney, history } = record
  into[begin] = isAscii
  let at = writeDay(into, begin + DAYS_OFFSET, record.statusDate)
  at = writeDay(into, at, record.filingDate)
  at = writeDay(into, at, record.registrationDate)
  at = writeDay(into, at, record.renewalDate)
  at = writeDay(into, at, record.transactionDate)
  at = writeCount(into, at, pseudoMarks.length)
  at = writeCount(into, at, classes.length)
  at = writeCount(into, at, history.length)
  at = writeCount(into, at, lengthOf(serial))
  at = writeCount(into, at, lengthOf(status))
  at = writeCount(into, at, lengthOf(mark))
  for (const one of pseudoMarks) at = writeCount(into, at, lengthOf(one))
  for (const one of classes) at = writeCount(into, at, lengthOf(one))
  at = writeCount(into, at, lengthOf(owner))
  at = writeCount(into, at, lengthOf(goods))
  at = writeCount(into, at, lengthOf(attorney))
  for (const one of history) at = writeCount(into, at, lengthOf(one))
  return at
}

const writeDay = (into: Buffer, at: number, day: Day | null) => into.writeUInt32LE(day ?? NO_DAY, at)

function writeCount(into: Buffer, at: number, count: number): number {
  for (; count > 127; count >>>= 7) into[at++] = count | 128
  into[at++] = count
  return at
}

/**
 * The header of the body that is being decoded. Module-level scratch, like `lengths`: decoding never yields to another one, and
 * a merge decodes millions of records, for each of which an object and an array would be garbage.
 */
const head = { pseudoMarkCount: 0, classes: 0, events: 0, count: 0, texts: 0 }
/** Byte length of each text. */
let lengths = new Uint32Array(64)

function readHead(bytes: Uint8Array, begin: number): void {
  let at = begin + HEADER_BYTES
  const next = () => {
    let byte = bytes[at++]!
    let count = byte & 127
    for (let shift = 7; byte > 127; shift += 7) {
      byte = bytes[at++]!
      count |= (byte & 127) << shift
    }
    return count
  }
  head.pseudoMarkCount = next()
  head.classes = next()
  head.events = next()
  head.count = 6 + head.pseudoMarkCount + head.classes + head.events
  if (head.count > lengths.length) lengths = new Uint32Array(2 * head.count)
  for (let text = 0; text < head.count; text++) lengths[text] = next()
  head.texts = at
}

/** Decodes the record whose body starts at `begin`. */
export function decodeBody(bytes: Uint8Array, begin = 0): TrademarkRecord {
  const body = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  readHead(body, begin)
  const { pseudoMarkCount, classes, events } = head
  const next = body[begin] === 1 ? asciiTexts(body) : utf8Texts(body)
  const some = (count: number) => {
    const texts: string[] = []
    for (let one = 0; one < count; one++) texts.push(next())
    return texts
  }
  const serial = next()
  const status = next()
  return {
    serial,
    mark: next(),
    pseudoMarks: some(pseudoMarkCount),
    status,
    statusDate: readDay(body, begin, 0),
    filingDate: readDay(body, begin, 1),
    registrationDate: readDay(body, begin, 2),
    renewalDate: readDay(body, begin, 3),
    transactionDate: readDay(body, begin, 4)!,
    classes: some(classes),
    owner: next(),
    goods: next(),
    attorney: next(),
    history: some(events),
  }
}

/** What a segment needs of the record whose body starts at `begin`: most texts stay in these bytes. */
export function decodeIndexed(bytes: Uint8Array, begin = 0): IndexedRecord {
  // Only ASCII can stay encoded.
  if (bytes[begin] !== 1) return decodeBody(bytes, begin)
  const serial = serialOf(bytes, begin)
  const { pseudoMarkCount, classes } = head
  let text = 1
  let at = head.texts + lengths[0]!
  const next = () => {
    const from = at
    at += lengths[text++]!
    return shortText(bytes, from, at)
  }
  const range = (): AsciiText => ({ bytes, begin: at, end: (at += lengths[text++]!) })
  const some = <T>(count: number, one: () => T): readonly T[] => {
    if (count === 0) return NOTHING
    const texts: T[] = []
    for (let done = 0; done < count; done++) texts.push(one())
    return texts
  }
  return {
    serial,
    status: next(),
    mark: range(),
    pseudoMarks: some(pseudoMarkCount, range),
    classes: some(classes, next),
    filingDate: readDay(bytes, begin, 1),
    registrationDate: readDay(bytes, begin, 2),
    renewalDate: readDay(bytes, begin, 3),
    owner: range(),
    goods: range(),
  }
}

const NOTHING: readonly never[] = []
/** `000` to `999`: a status and a class have three digits, and their strings need not be made again. */
const THREE_DIGITS = Array.from({ length: 1000 }, (_, number) => String(number).padStart(3, '0'))

function shortText(bytes: Uint8Array, begin: number, end: number): string {
  if (end - begin === 3) {
    const [a, b, c] = [bytes[begin]! - 48, bytes[begin + 1]! - 48, bytes[begin + 2]! - 48]
    if (a >= 0 && a <= 9 && b >= 0 && b <= 9 && c >= 0 && c <= 9) return THREE_DIGITS[100 * a + 10 * b + c]!
  }
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength).toString('latin1', begin, end)
}

/**
 * The serial number of the body at `begin`, which with the transaction date is all that most records of an import are asked for.
 */
export function serialOf(bytes: Uint8Array, begin: number): number {
  readHead(bytes, begin)
  let serial = 0
  for (let at = head.texts; at < head.texts + lengths[0]!; at++) serial = serial * 10 + bytes[at]! - 0x30
  return serial
}

export const transactionDateOf = (bytes: Uint8Array, begin: number): Day => readDay(bytes, begin, 4)!

/** Returns one text after the other. ASCII is decoded in one call; the texts are slices of it. */
function asciiTexts(body: Buffer): () => string {
  let end = head.texts
  for (let text = 0; text < head.count; text++) end += lengths[text]!
  const whole = body.toString('latin1', head.texts, end)
  let text = 0
  let from = 0
  return () => whole.slice(from, (from += lengths[text++]!))
}

function utf8Texts(body: Buffer): () => string {
  let text = 0
  let from = head.texts
  return () => body.toString('utf8', from, (from += lengths[text++]!))
}

function readDay(body: Uint8Array, begin: number, which: number): Day | null {
  const at = begin + DAYS_OFFSET + 4 * which
  const day = (body[at]! | (body[at + 1]! << 8) | (body[at + 2]! << 16) | (body[at + 3]! << 24)) >>> 0
  return day === NO_DAY ? null : day
}
