import type { TrademarkRecord } from '../../record.ts'
import { maxBodyBytes, encodeBody } from '../format/records/body.ts'

/** Versions of records with consecutive ids, as they are kept: one body after the other. */
export type RecordBatch = {
  readonly firstId: number
  readonly count: number
  readonly bytes: Uint8Array<ArrayBuffer>
  /** Where each body begins, and behind the last where it ends. */
  readonly places: Uint32Array<ArrayBuffer>
}

/** As many are put together: few enough to be soon with whoever waits for them. */
const MOST = 500
const ROOM = 256 * 1024

/** Bodies, put one after the other into rows that `give` then gets. */
export function createBatcher(firstId: number, give: (rows: RecordBatch) => void) {
  let places = new Uint32Array(MOST + 1)
  let room = Buffer.alloc(0)
  let count = 0
  let begin = 0
  let nextId = firstId

  function flush(): void {
    if (count === 0) return
    const used = room.subarray(0, begin)
    // Files may have few records each, and very many files may wait.
    const bytes = begin * 2 < room.length ? Uint8Array.from(used) : used
    give({ firstId: nextId - count, count, bytes, places })
    places = new Uint32Array(MOST + 1)
    room = Buffer.alloc(0)
    count = begin = 0
  }

  return {
    nextId: () => nextId,
    /** The body of the next one: it may still be looked at, and is put only by `keep`. */
    pack(record: TrademarkRecord): Uint8Array {
      const most = maxBodyBytes(record)
      if (begin + most > room.length) {
        flush()
        // Not from the pool that small ones share: these go to another thread, with all that is in their memory.
        room = Buffer.allocUnsafeSlow(Math.max(ROOM, most))
      }
      places[count + 1] = encodeBody(record, room, begin)
      return room.subarray(begin, places[count + 1])
    },
    /** Puts what was packed last. */
    keep(): void {
      begin = places[++count]!
      nextId++
      if (count === MOST) flush()
    },
    flush,
  }
}
