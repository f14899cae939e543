import { closeSync, openSync } from 'node:fs'
import { openBlocks } from './blocks.ts'
import { readFully, type SegmentFile } from './segment-file.ts'
import type { SegmentReader } from './segment.ts'

/** The tombstones of a segment, which later segments put on it. */
export type Deletions = Pick<SegmentReader, 'tombstones' | 'deletedFrequency'>

const NO_DELETIONS: Deletions = { tombstones: null, deletedFrequency: () => 0 }

/** Opens a loaded segment for one thread; sections on disk are read through a file handle of its own. */
export function openSegment(
  { path, sections, disk }: SegmentFile,
  { tombstones, deletedFrequency }: Deletions = NO_DELETIONS,
): SegmentReader & { close(): void } {
  let handle = -1
  const missing = (section: string) => new Error(`${path} has no section ${section}.`)
  return {
    documents: openBlocks(sections['ids'] as Uint32Array).length,
    numbers(section) {
      const found = sections[section]
      if (!(found instanceof Uint32Array)) throw missing(section)
      return found
    },
    bytes(section) {
      const found = sections[section]
      if (!(found instanceof Uint8Array)) throw missing(section)
      return found
    },
    read(section, offset, into) {
      const place = disk[section]
      if (!place || offset + into.length > place.bytes) throw missing(section)
      if (handle < 0) handle = openSync(path, 'r')
      if (!readFully(handle, into, place.offset + offset)) throw missing(section)
    },
    tombstones,
    deletedFrequency,
    close() {
      if (handle >= 0) closeSync(handle)
      handle = -1
    },
  }
}
