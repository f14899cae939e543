import { BANG, isSpace, LESS_THAN, QUESTION, SLASH, tagEnd } from './bytes.ts'
import { checkDeclaration, doctypeEnd } from './prolog.ts'
import { RegisterError } from './register-error.ts'

/** The largest known record has 11 MB. */
const MAX_RECORD_BYTES = 32 * 1024 * 1024
/** The register's document type has 20 kB; other markup between records is shorter. */
const MAX_MARKUP_BYTES = 1024 * 1024
const MAX_DEPTH = 64

const RECORD_END = Buffer.from('</case-file>')
const ROOT = /^trademark-applications/
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf])
const NOTHING = Buffer.alloc(0)

const cutOff = (where: string) => new RegisterError(`the XML is cut off ${where}`)
const notRegister = (what: string) => new RegisterError(`the XML is refused: ${what}`)

export type Splitter = {
  /** The records that this chunk completes. Each is valid only until the next one is requested. */
  push(chunk: Buffer): Generator<Buffer>
  /** Throws if the file ended too early. */
  end(): void
}

/** Splits a byte stream into `<case-file>…</case-file>` records, and validates the markup around them. */
export function createSplitter({ maxRecordBytes = MAX_RECORD_BYTES } = {}): Splitter {
  /** The beginning of an incomplete record. */
  let held = NOTHING
  let heldLength = 0
  let inRecord = false
  /** The beginning of an incomplete tag, comment or document type. */
  let rest = NOTHING
  let isStart = true
  let rootSeen = false
  let records = 0
  const open: string[] = []

  const hold = (bytes: Buffer) => {
    const length = heldLength + bytes.length
    if (length > maxRecordBytes) throw notRegister(`record ${records + 1} is larger than ${maxRecordBytes} bytes`)
    if (length > held.length) {
      const larger = Buffer.allocUnsafe(Math.max(length, held.length * 2, 64 * 1024))
      held.copy(larger, 0, 0, heldLength)
      held = larger
    }
    bytes.copy(held, heldLength)
    heldLength = length
  }

  /** The offset after the open record in this chunk, or -1. Its end tag may begin in an earlier chunk. */
  const recordEnd = (chunk: Buffer, from: number): number => {
    if (heldLength > 0) {
      const before = held.subarray(Math.max(0, heldLength - RECORD_END.length + 1), heldLength)
      const seam = Buffer.concat([before, chunk.subarray(from, from + RECORD_END.length - 1)])
      const at = seam.indexOf(RECORD_END)
      if (at !== -1) return from + at + RECORD_END.length - before.length
    }
    const at = chunk.indexOf(RECORD_END, from)
    return at === -1 ? -1 : at + RECORD_END.length
  }

  const element = (name: string, closes: boolean, isEmpty: boolean) => {
    if (closes) {
      if (open.pop() !== name) throw new RegisterError('the XML is damaged: a tag closes what was not open')
      return
    }
    if (open.length === 0) {
      if (rootSeen) throw notRegister('it goes on after its end')
      if (/^html$/i.test(name)) throw notRegister('this is a web page and not a file of the register')
      if (!ROOT.test(name)) throw notRegister(`it begins with <${name.slice(0, 40)}> and is not a file of the register`)
      rootSeen = true
    }
    if (open.length === MAX_DEPTH) throw new RegisterError('the XML is damaged: its elements are nested too deep')
    if (!isEmpty) open.push(name)
  }

  /** Reads one tag, comment or declaration at its `<`. Returns the offset after it, or -1 if it is incomplete. */
  const markup = (bytes: Buffer, at: number): number => {
    const kind = bytes[at + 1]
    if (kind === undefined) return -1
    if (kind === QUESTION) {
      const end = bytes.indexOf('?>', at + 2)
      if (end === -1) return -1
      if (!rootSeen) checkDeclaration(bytes.toString('latin1', at, end))
      return end + 2
    }
    if (kind === BANG) return declaration(bytes, at)
    const end = tagEnd(bytes, at)
    if (end === -1) return -1
    const closes = kind === SLASH
    const isEmpty = !closes && bytes[end - 1] === SLASH
    const name = /^[^\s/>]*/.exec(bytes.toString('latin1', at + (closes ? 2 : 1), Math.min(end, at + 200)))![0]
    if (name === 'case-file' && !closes && rootSeen && open.length > 0) {
      inRecord = !isEmpty
      return isEmpty ? end + 1 : at
    }
    element(name, closes, isEmpty)
    return end + 1
  }

  const declaration = (bytes: Buffer, at: number): number => {
    const start = bytes.toString('latin1', at, at + 9)
    const closed = (closing: string, length: number) => {
      const end = bytes.indexOf(closing, at + length)
      return end === -1 ? -1 : end + closing.length
    }
    if (start.startsWith('<!--')) return closed('-->', 4)
    if (start === '<![CDATA[') {
      if (open.length === 0) throw notRegister('there is text around its root')
      return closed(']]>', 9)
    }
    if (start.toUpperCase() === '<!DOCTYPE') {
      if (rootSeen) throw notRegister('it has a document type in the middle')
      const text = bytes.toString('latin1', at, at + MAX_MARKUP_BYTES)
      const end = doctypeEnd(text.replace(/^<!doctype/i, '<!DOCTYPE'), (closing, from) => text.includes(closing, from))
      return end === -1 ? -1 : at + end
    }
    if (start.length < 9 && ['<!--', '<![CDATA[', '<!DOCTYPE'].some((whole) => whole.startsWith(start))) return -1
    throw notRegister('it holds a declaration')
  }

  /** Reads the markup between records. Returns the offset of the next record, or the end of the bytes. */
  const readBetween = (bytes: Buffer): number => {
    let at = 0
    while (true) {
      const next = bytes.indexOf(LESS_THAN, at)
      const textEnd = next === -1 ? bytes.length : next
      if (open.length === 0) {
        while (at < textEnd && isSpace(bytes[at])) at++
        if (at < textEnd) throw notRegister(rootSeen ? 'it goes on after its end' : 'this is not XML')
      }
      if (next === -1) return bytes.length
      at = markup(bytes, next)
      if (inRecord) return at
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
      if (!inRecord) {
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
      const end = recordEnd(bytes, 0)
      if (end === -1) {
        hold(bytes)
        return
      }
      let record = bytes.subarray(0, end)
      if (heldLength > 0) {
        hold(record)
        record = held.subarray(0, heldLength)
      } else if (end > maxRecordBytes) throw notRegister(`record ${records + 1} is larger than ${maxRecordBytes} bytes`)
      bytes = bytes.subarray(end)
      heldLength = 0
      inRecord = false
      records++
      yield record
    }
  }

  const end = () => {
    if (inRecord) throw cutOff(`in the middle of record ${records + 1}`)
    if (rest.length > 0 || open.length > 0) throw cutOff(`after record ${records}`)
    if (!rootSeen) throw new RegisterError('the XML is empty')
  }

  return { push, end }
}
