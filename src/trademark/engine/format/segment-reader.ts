import { closeSync, openSync } from 'node:fs'
import { openBlocks } from './blocks.ts'
import { readFully, type SegmentFile } from './segment-file.ts'
import type { SegmentReader } from './segment.ts'

/** What later segments changed about one. */
export type Deletions = Pick<SegmentReader, 'superseded' | 'forgotten'>

const NOTHING: Deletions = { superseded: null, forgotten: () => 0 }

/** A segment that was read, ready for one thread; what stays on the disk is read through a handle of its own. */
export function openSegment(
  { path, sections, disk }: SegmentFile,
  { superseded, forgotten }: Deletions = NOTHING,
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
    superseded,
    forgotten,
    close() {
      if (handle >= 0) closeSync(handle)
      handle = -1
    },
  }
}
