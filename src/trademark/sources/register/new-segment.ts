import type { SegmentEntry } from '../manifest.ts'
import { buildHere, buildInThread, type Building, type Rows } from './building.ts'
import { nobody } from './points.ts'
import { nameSegment } from './publish.ts'
import type { Work } from './work.ts'

/** Where `Work` does not say it. */
export const FEW = 5000
/** Rows that are sent to the thread at a time, and how many may be on their way to it. */
const PORTION = 500
const MOST_AHEAD = 50_000

/**
 * The segment of what an import brings, from this id on. Once there is much for it, a thread builds it while more is being
 * read; it cannot know what will be superseded by a later file of the same import.
 */
export function createNewSegment(folder: string, from: number, { onProgress, signal, at = nobody, few = FEW }: Work) {
  let building: Building | null = null
  /** All versions up to this one are in the building. */
  let sent = from
  /** All versions up to this one belong to files that were taken in whole. */
  let kept = from
  let rows: Rows = { ids: [], bodies: [] }
  let count = 0
  let added = 0
  let hasRoom = () => {}
  let isReading = true

  function onAdded(records: number): void {
    added = records
    hasRoom()
    if (!isReading && records <= count)
      onProgress?.({ phase: 'indexing', name: '', done: records, total: count, records: count })
  }

  function start(): Building {
    const one: Building = buildInThread(folder, (records) => building === one && onAdded(records))
    return one
  }

  /** All versions up to this one; those that are not at hand are in the records. */
  function send(lastId: number): void {
    if (lastId === sent) return
    building ??= start()
    const first = rows.ids[0] ?? lastId + 1
    if (first > sent + 1) building.add(idsBetween(sent, first - 1))
    if (rows.ids.length > 0) building.addRows(rows)
    rows = { ids: [], bodies: [] }
    count += lastId - sent
    sent = lastId
  }

  return {
    put(id: number, body: string): void {
      rows.ids.push(id)
      rows.bodies.push(body)
      if (building ? rows.ids.length >= PORTION : id - sent >= few) send(id)
    },
    /** Resolves when the thread has caught up, so that what it has yet to do does not pile up. */
    async room(): Promise<void> {
      if (count - added < MOST_AHEAD) return
      await new Promise<void>((resolve) => (hasRoom = () => count - added < MOST_AHEAD && resolve()))
    },
    /** The file is taken in: all versions up to this one stay. */
    keep(lastId: number): void {
      kept = lastId
      if (lastId - sent >= few) send(lastId)
    },
    /** The file is not taken in: what was put since the last that was, was never there. */
    async drop(): Promise<void> {
      const isKept = rows.ids.filter((id) => id <= kept).length
      rows = { ids: rows.ids.slice(0, isKept), bodies: rows.bodies.slice(0, isKept) }
      if (sent <= kept) return
      const spoiled = building
      building = null
      await spoiled?.close()
      sent = from
      count = added = 0
      rows = { ids: [], bodies: [] }
      if (kept - sent >= few) send(kept)
    },
    /** The segment with all versions up to this one; those that are gone may be in it. */
    async finish(lastId: number, gone: Uint32Array): Promise<SegmentEntry> {
      isReading = false
      if (building) send(lastId)
      else {
        const without = new Set(gone)
        building = buildHere(folder)
        building.add(idsBetween(from, lastId).filter((id) => !without.has(id)))
      }
      return unlessAborted(nameSegment(folder, building, at), signal)
    },
    close: async () => building?.close(),
  }
}

export type NewSegment = ReturnType<typeof createNewSegment>

const idsBetween = (from: number, to: number) => Uint32Array.from({ length: to - from }, (_, at) => from + 1 + at)

/** Whoever gives up need not wait for a thread. */
export async function unlessAborted<T>(work: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return work
  work.catch(() => {})
  signal.throwIfAborted()
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason as Error)
  signal.addEventListener('abort', abort, { once: true })
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
