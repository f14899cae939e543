import { notRegister } from './document-markup.ts'

const RECORD_END = Buffer.from('</case-file>')
const MIN_BUFFER_BYTES = 64 * 1024

/** Joins a record that spans chunks. The buffer is reused for the next record. */
export type RecordBuffer = { bytes: Buffer; length: number; readonly maxBytes: number }

export function append(buffer: RecordBuffer, bytes: Buffer, record: number): void {
  const length = buffer.length + bytes.length
  checkSize(length, buffer.maxBytes, record)
  if (length > buffer.bytes.length) {
    const larger = Buffer.allocUnsafe(Math.max(length, buffer.bytes.length * 2, MIN_BUFFER_BYTES))
    buffer.bytes.copy(larger, 0, 0, buffer.length)
    buffer.bytes = larger
  }
  bytes.copy(buffer.bytes, buffer.length)
  buffer.length = length
}

export function checkSize(length: number, maxBytes: number, record: number): void {
  if (length > maxBytes) throw notRegister(`record ${record} is larger than ${maxBytes} bytes`)
}

/** The offset after the open record in this chunk, or -1. Its end tag may begin in an earlier chunk. */
export function findRecordEnd({ bytes, length }: RecordBuffer, chunk: Buffer): number {
  if (length > 0) {
    const before = bytes.subarray(Math.max(0, length - RECORD_END.length + 1), length)
    const seam = Buffer.concat([before, chunk.subarray(0, RECORD_END.length - 1)])
    const at = seam.indexOf(RECORD_END)
    if (at !== -1) return at + RECORD_END.length - before.length
  }
  const at = chunk.indexOf(RECORD_END)
  return at === -1 ? -1 : at + RECORD_END.length
}
