import type { Store } from '../search/store.ts'
import { openRecordStore } from '../format/records/record-store.ts'
import { openTombstones } from '../format/tombstones.ts'
import { openSegment } from '../format/segment-reader.ts'
import { openStore } from '../format/segment-store.ts'
import type { LoadedIndex } from './messages.ts'

/** A store over the loaded files, for this thread. */
export function openLoaded({ folder, lastId, segments }: LoadedIndex): Store {
  const records = openRecordStore(folder, lastId)
  const opened = segments.map(({ file, superseded }) => {
    const segment = openSegment(file, superseded ? openTombstones(superseded) : undefined)
    // Opens the file now: a newer index may delete it, and an open handle stays valid.
    for (const section of Object.keys(file.disk).slice(0, 1)) segment.read(section, 0, new Uint8Array(0))
    return segment
  })
  const store = openStore(opened, records.read)
  return {
    ...store,
    close() {
      store.close()
      for (const segment of opened) segment.close()
      records.close()
    },
  }
}
