import { join } from 'node:path'
import type { SegmentEntry } from '../manifest.ts'
import { decodeBlocks } from './blocks.ts'
import { readSections, type SegmentFile } from './segment-file.ts'
import type { Deletions } from './segment-reader.ts'
import { openStringTable } from './string-table.ts'

/** Opens a segment's tombstone file. */
export function openTombstones({ sections }: SegmentFile): Deletions {
  const words = openStringTable('words', sections)
  const counts = sections['counts'] as Uint32Array
  return {
    tombstones: sections['bits'] as Uint8Array,
    deletedFrequency: (word) => {
      const at = words.find(word)
      return at < 0 ? 0 : counts[at]!
    },
  }
}

/** The record ids of a segment by document number; they rise. Loads only that section. */
export const loadIds = (folder: string, { part }: SegmentEntry): Uint32Array =>
  decodeBlocks(readSections(join(folder, part.name), (name) => name === 'ids').sections['ids'] as Uint32Array)

/** A private copy of a segment's tombstone bitmap, which the caller may change. */
export function loadTombstoneBits(folder: string, { documents, superseded }: SegmentEntry): Uint8Array {
  const bits = new Uint8Array(Math.ceil(documents / 8))
  if (superseded) bits.set(readSections(join(folder, superseded.part.name)).sections['bits'] as Uint8Array)
  return bits
}

export const isBitSet = (bits: Uint8Array, at: number) => (bits[at >> 3]! & (1 << (at & 7))) !== 0
