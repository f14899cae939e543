import type { TrademarkRecord } from '../../record.ts'
import { maxBodyBytes, encodeBody } from '../format/records/body.ts'

/** Record versions with consecutive ids: their encoded bodies one after the other. */
export type RecordBatch = {
  readonly firstId: number
  readonly count: number
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Start offset of each body, and the end of the last one. */
  readonly offsets: Uint32Array<ArrayBuffer>
}

/** Small enough that a worker gets its first batch soon. */
const MAX_BATCH_RECORDS = 500
const BATCH_BYTES = 256 * 1024

/** Collects encoded bodies into batches and passes each full batch to `give`. */
export function createBatcher(firstId: number, give: (rows: RecordBatch) => void) {
  let offsets = new Uint32Array(MAX_BATCH_RECORDS + 1)
  let buffer = Buffer.alloc(0)
  let count = 0
  let begin = 0
  let nextId = firstId

  function flush(): void {
    if (count === 0) return
    const used = buffer.subarray(0, begin)
    // Copy if the buffer is less than half full: many small files may be waiting.
    const bytes = begin * 2 < buffer.length ? Uint8Array.from(used) : used
    give({ firstId: nextId - count, count, bytes, offsets })
    offsets = new Uint32Array(MAX_BATCH_RECORDS + 1)
    buffer = Buffer.alloc(0)
    count = begin = 0
  }

  function reserve(maxBytes: number): void {
    if (begin + maxBytes <= buffer.length) return
    flush()
    // Not from Node's shared pool: the whole ArrayBuffer is transferred to another thread.
    buffer = Buffer.allocUnsafeSlow(Math.max(BATCH_BYTES, maxBytes))
  }

  return {
    nextId: () => nextId,
    /** Encodes a body. It is part of the batch only after `keep`. */
    pack(record: TrademarkRecord): Uint8Array {
      reserve(maxBodyBytes(record))
      offsets[count + 1] = encodeBody(record, buffer, begin)
      return buffer.subarray(begin, offsets[count + 1])
    },
    /** Copies an encoded body. It is part of the batch only after `keep`. */
    copy(body: Uint8Array): void {
      reserve(body.length)
      buffer.set(body, begin)
      offsets[count + 1] = begin + body.length
    },
    /** Adds the body encoded last. */
    keep(): void {
      begin = offsets[++count]!
      nextId++
      if (count === MAX_BATCH_RECORDS) flush()
    },
    /** Adds bodies that another thread encoded, without a copy. The buffer must not be used afterwards. */
    give(bytes: Uint8Array<ArrayBuffer>, ends: Uint32Array): void {
      flush()
      const all = new Uint32Array(ends.length + 1)
      all.set(ends, 1)
      nextId += ends.length
      give({ firstId: nextId - ends.length, count: ends.length, bytes, offsets: all })
    },
    flush,
  }
}
