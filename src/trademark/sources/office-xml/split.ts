import { isSpace, LESS_THAN } from './bytes.ts'
import { type DocumentState, MAX_MARKUP_BYTES, notRegister, readMarkup } from './document-markup.ts'
import { append, checkSize, findRecordEnd, type RecordBuffer } from './record-buffer.ts'
import { RegisterError } from './register-error.ts'

/** The largest known record has 11 MB. */
const MAX_RECORD_BYTES = 32 * 1024 * 1024
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const NOTHING = Buffer.alloc(0)

const cutOff = (where: string) => new RegisterError(`the XML is cut off ${where}`)

/** Reads plain records by itself, so that they need not be split off. */
export type PlainReader = {
  /** Reads records from this offset on. Returns the offset of the first one that it did not read. */
  read(chunk: Buffer, at: number): number
  /** How many it read then. */
  count(): number
}

const NOT_PLAIN: PlainReader = { read: (_chunk, at) => at, count: () => 0 }

export type Splitter = {
  /** The records that this chunk completes, without plain ones. Each is valid only until the next one is requested. */
  push(chunk: Buffer): Generator<Buffer>
  /** How many records there were so far, with plain ones. */
  records(): number
  /** Throws if the file ended too early. */
  end(): void
}

/** Splits a byte stream into `<case-file>…</case-file>` records, and validates the markup around them. */
export function createSplitter({ maxRecordBytes = MAX_RECORD_BYTES, plain = NOT_PLAIN } = {}): Splitter {
  /** The beginning of an incomplete record. */
  const held: RecordBuffer = { bytes: NOTHING, length: 0, maxBytes: maxRecordBytes }
  /** The beginning of an incomplete tag, comment or document type. */
  let rest = NOTHING
  let isStart = true
  let records = 0
  const state: DocumentState = { open: [], rootSeen: false, inRecord: false }

  /** Reads the markup between records. Returns the offset of the next record, or the end of the bytes. */
  const readBetween = (bytes: Buffer): number => {
    let at = 0
    while (true) {
      const next = bytes.indexOf(LESS_THAN, at)
      const textEnd = next === -1 ? bytes.length : next
      if (state.open.length === 0) {
        while (at < textEnd && isSpace(bytes[at])) at++
        if (at < textEnd) throw notRegister(state.rootSeen ? 'it goes on after its end' : 'this is not XML')
      }
      if (next === -1) return bytes.length
      at = readMarkup(state, bytes, next)
      if (state.inRecord) return at
      if (at === -1) {
        rest = Buffer.from(bytes.subarray(next))
        if (rest.length > MAX_MARKUP_BYTES) throw notRegister('a tag or declaration in it has no end')
        return bytes.length
      }
    }
  }

  function* push(chunk: Buffer): Generator<Buffer> {
    let bytes = chunk
    while (bytes.length > 0) {
      if (!state.inRecord) {
        if (rest.length > 0) bytes = Buffer.concat([rest, bytes])
        rest = NOTHING
        if (isStart) {
          const length = Math.min(bytes.length, 3)
          if (bytes.subarray(0, length).equals(BYTE_ORDER_MARK.subarray(0, length))) {
            if (length < 3) {
              rest = Buffer.from(bytes)
              return
            }
            bytes = bytes.subarray(3)
          }
          isStart = false
        }
        bytes = bytes.subarray(readBetween(bytes))
        continue
      }
      if (held.length === 0 && bytes.buffer === chunk.buffer) {
        const from = bytes.byteOffset - chunk.byteOffset
        const to = plain.read(chunk, from)
        if (to > from) {
          bytes = chunk.subarray(to)
          records += plain.count()
          state.inRecord = false
          continue
        }
      }
      const end = findRecordEnd(held, bytes)
      if (end === -1) {
        append(held, bytes, records + 1)
        return
      }
      let record = bytes.subarray(0, end)
      if (held.length > 0) {
        append(held, record, records + 1)
        record = held.bytes.subarray(0, held.length)
      } else checkSize(end, maxRecordBytes, records + 1)
      bytes = bytes.subarray(end)
      const isRead = held.length > 0 && plain.read(record, 0) === record.length
      held.length = 0
      state.inRecord = false
      records++
      if (!isRead) yield record
    }
  }

  const end = () => {
    if (state.inRecord) throw cutOff(`in the middle of record ${records + 1}`)
    if (rest.length > 0 || state.open.length > 0) throw cutOff(`after record ${records}`)
    if (!state.rootSeen) throw new RegisterError('the XML is empty')
  }

  return { push, records: () => records, end }
}
