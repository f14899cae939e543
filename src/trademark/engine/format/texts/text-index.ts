import type { Life } from '../../../search-index.ts'
import { tieKeyOf } from '../../../tie-rank.ts'
import type { Field } from '../../search/store.ts'
import { type Blocks, blockValueAt, openBlocks } from '../blocks.ts'
import { CHUNK_SIZE, BITMAP_BYTES } from '../../wasm/kernel.ts'
import { openBitPacked, valueAt } from '../bit-packed.ts'
import type { SegmentReader } from '../segment.ts'
import { createChunks, createWorkingSet, pageOf, totalOf, type Chunks } from './chunks.ts'
import { openTermDictionary } from './term-dictionary.ts'
import { LISTED_LIVES } from './posting-writer.ts'
import type { Memory } from './memory.ts'
import { openPostingLists } from './posting-reader.ts'

/** The matching texts; ordinals are in result order. */
export type Matches = { readonly total: number; ordinals(offset: number, limit: number): number[] }

const NOTHING: Matches = { total: 0, ordinals: () => [] }

export const chunkCount = (segment: SegmentReader) => Math.ceil(segment.documents / CHUNK_SIZE)

/** Memory that `openTextIndex` pins for this segment. */
export const pinnedBytes = (segment: SegmentReader) =>
  segment.tombstones === null ? 0 : chunkCount(segment) * BITMAP_BYTES

/** One text field (goods or owner) of one segment. */
export function openTextIndex(segment: SegmentReader, field: Field, memory: Memory) {
  const wordOf = openTermDictionary(field, segment)
  const lists = openPostingLists(segment, field, memory)
  const order = openBlocks(segment.numbers(`${field}.order`))
  const serials = openBlocks(segment.numbers('serials'))
  const tieRanks = openBitPacked(segment.numbers('tie-ranks'))
  const sizes = segment.numbers(`${field}.sizes`)
  const sizeEnds = segment.numbers(`${field}.size-ends`)
  const result = createWorkingSet(memory, chunkCount(segment))
  const tombstones = tombstonesInOrder(segment, order, memory)

  function listsOf(words: readonly string[], life: Life): number[] | null {
    const wanted = life === 'all' ? [] : [LISTED_LIVES.indexOf(life)]
    for (const word of words) {
      const number = wordOf(word)
      if (number < 0) return null
      wanted.push(number + LISTED_LIVES.length)
    }
    return wanted.sort((a, b) => lists.wordsIn(a) - lists.wordsIn(b))
  }

  return {
    number: (ordinal: number) => blockValueAt(order, ordinal),
    /** Orders texts with equally many words; the lower key comes first. */
    tieKey(ordinal: number): number {
      const number = blockValueAt(order, ordinal)
      return tieKeyOf(valueAt(tieRanks, number), blockValueAt(serials, number))
    },
    /** The number of different words of each of these ordinals, which must rise. */
    sizesAt(ordinals: readonly number[]): number[] {
      let step = 0
      return ordinals.map((ordinal) => {
        while (sizeEnds[step]! <= ordinal) step++
        return sizes[step]!
      })
    },
    /** Texts with all these words. Valid until the next `find` in the same memory. */
    find(words: readonly string[], life: Life): Matches {
      const wanted = listsOf(words, life)
      if (wanted === null || wanted.length === 0) return NOTHING
      let found = lists.of(wanted[0]!)
      if (wanted.length > 1 || tombstones !== null) {
        result.put(found)
        // Shortest list first: once the result is empty, the long ones need not be read.
        for (let at = 1; at < wanted.length && totalOf(result.chunks) > 0; at++) result.intersect(lists.of(wanted[at]!))
        if (tombstones !== null) result.subtract(tombstones)
        found = result.chunks
      }
      return { total: totalOf(found), ordinals: (offset, limit) => pageOf(memory, found, offset, limit) }
    },
  }
}

/** The segment's tombstones as a set of text ordinals. */
function tombstonesInOrder({ tombstones }: SegmentReader, order: Blocks, { kernel, pin }: Memory): Chunks | null {
  if (tombstones === null) return null
  const chunks = createChunks(Math.ceil(order.length / CHUNK_SIZE))
  const begin = pin(chunks.at.length * BITMAP_BYTES)
  chunks.isBitmap.fill(1)
  for (let chunk = 0; chunk < chunks.at.length; chunk++) chunks.at[chunk] = begin + chunk * BITMAP_BYTES
  for (let ordinal = 0; ordinal < order.length; ordinal++) {
    const number = blockValueAt(order, ordinal)
    if (((tombstones[number >>> 3]! >>> (number & 7)) & 1) === 0) continue
    kernel.bytes[begin + (ordinal >>> 3)]! |= 1 << (ordinal & 7)
    chunks.sizes[ordinal >>> 16]!++
  }
  return chunks
}
