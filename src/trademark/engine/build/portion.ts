import { isSparse, type Sparse } from '../../sources/office-xml/extract.ts'
import type { RecordSink } from '../../sources/office-xml/read-register.ts'
import type { TrademarkRecord } from '../../record.ts'
import { decodeBody, encodeBody, maxBodyBytes } from '../format/records/body.ts'
import { createPlainRecords } from './plain-records.ts'

type ReadRecord = TrademarkRecord | Sparse

/** Records on their way between threads: encoded bodies one after the other, and the details of sparse ones. */
export type Portion = {
  readonly bytes: Uint8Array<ArrayBuffer>
  readonly ends: Uint32Array<ArrayBuffer>
  readonly sparse: readonly SparseDetails[]
}
type SparseDetails = {
  readonly at: number
  readonly details: Omit<Sparse, 'record'>
  readonly isEmpty: boolean
}

/** Large enough to make the cost of a message negligible. */
const PORTION_BYTES = 512 * 1024

export type PortionWriter = RecordSink & {
  /** The portions that are full, or all if `isEnd`. */
  take(isEnd: boolean): Portion[]
}

/** Collects the records of a file, in their order, into portions. */
export function createPortionWriter(): PortionWriter {
  const records = createPlainRecords()
  let full: Portion[] = []
  let sparse: SparseDetails[] = []

  function flush(): void {
    if (records.size().records === 0) return
    full.push({ ...records.take(), sparse })
    sparse = []
  }

  return {
    plain: records.plain,
    add(found: ReadRecord): void {
      const record = isSparse(found) ? found.record : found
      const maxBytes = record === null ? 0 : maxBodyBytes(record)
      const write = (into: Buffer, begin: number) => (record === null ? begin : encodeBody(record, into, begin))
      if (!records.add(maxBytes, write)) {
        flush()
        // A record longer than the buffer is a portion of its own.
        if (!records.add(maxBytes, write)) {
          const bytes = Buffer.allocUnsafeSlow(maxBytes)
          full.push({ bytes, ends: Uint32Array.of(write(bytes, 0)), sparse: detailsOf(found, 0) })
          return
        }
      }
      sparse.push(...detailsOf(found, records.size().records - 1))
    },
    take(isEnd) {
      if (isEnd || records.size().bytes >= PORTION_BYTES) flush()
      const taken = full
      full = []
      return taken
    },
  }
}

function detailsOf(found: ReadRecord, at: number): SparseDetails[] {
  if (!isSparse(found)) return []
  const { record, ...details } = found
  return [{ at, details, isEmpty: record === null }]
}

/** Visits the records of a portion. Sparse ones are decoded; the body of a complete one is bytes[begin, end). */
export function eachRecord(
  { bytes, ends, sparse }: Portion,
  visitSparse: (found: Sparse) => void,
  visitBody: (bytes: Uint8Array, begin: number, end: number) => void,
): void {
  let next = 0
  for (let at = 0, begin = 0; at < ends.length; begin = ends[at++]!) {
    const of = sparse[next]
    if (of?.at === at) {
      next++
      visitSparse({ ...of.details, record: of.isEmpty ? null : decodeBody(bytes, begin) })
    } else visitBody(bytes, begin, ends[at]!)
  }
}
