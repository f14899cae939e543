import type { Life } from '../../../search-index.ts'
import { tieKeyOf } from '../../../tie-rank.ts'
import type { Field } from '../../search/store.ts'
import { type Blocks, blockValueAt, openBlocks } from '../blocks.ts'
import { CHUNK_SIZE, BITMAP_BYTES } from '../../wasm/kernel.ts'
import { openBitPacked, valueAt } from '../bit-packed.ts'
import type { SegmentReader } from '../segment.ts'
import { createChunks, createWorkingSet, placesOf, totalOf, type Chunks } from './chunks.ts'
import { openTermDictionary } from './term-dictionary.ts'
import { LISTED_LIVES } from './posting-writer.ts'
import type { Memory } from './memory.ts'
import { openPostingLists } from './posting-reader.ts'

/** Places in the order of answers. */
export type Matches = { readonly total: number; places(offset: number, limit: number): number[] }

const NOTHING: Matches = { total: 0, places: () => [] }

export const chunkCount = (segment: SegmentReader) => Math.ceil(segment.documents / CHUNK_SIZE)

/** What `openTextIndex` keeps in memory of this segment. */
export const pinnedBytes = (segment: SegmentReader) =>
  segment.tombstones === null ? 0 : chunkCount(segment) * BITMAP_BYTES

/** The texts of one segment. */
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
    return wanted.sort((a, b) => lists.roomFor(a) - lists.roomFor(b))
  }

  return {
    number: (place: number) => blockValueAt(order, place),
    /** Which of two texts with as many words comes first: the one with the lower key. */
    tieKey(place: number): number {
      const number = blockValueAt(order, place)
      return tieKeyOf(valueAt(tieRanks, number), blockValueAt(serials, number))
    },
    /** Of these places, which rise: how many different words each text has. */
    sizesAt(places: readonly number[]): number[] {
      let step = 0
      return places.map((place) => {
        while (sizeEnds[step]! <= place) step++
        return sizes[step]!
      })
    },
    /** Texts with all these words. Holds until the next question to any text in the same memory. */
    find(words: readonly string[], life: Life): Matches {
      const wanted = listsOf(words, life)
      if (wanted === null || wanted.length === 0) return NOTHING
      let found = lists.of(wanted[0]!)
      if (wanted.length > 1 || tombstones !== null) {
        result.put(found)
        // Rarest first: once nothing is left, the long ones need not be read.
        for (let at = 1; at < wanted.length && totalOf(result.chunks) > 0; at++) result.and(lists.of(wanted[at]!))
        if (tombstones !== null) result.without(tombstones)
        found = result.chunks
      }
      return { total: totalOf(found), places: (offset, limit) => placesOf(memory, found, offset, limit) }
    },
  }
}

/** The segment's superseded records, in the order of answers. */
function tombstonesInOrder({ tombstones }: SegmentReader, order: Blocks, { kernel, keep }: Memory): Chunks | null {
  if (tombstones === null) return null
  const chunks = createChunks(Math.ceil(order.length / CHUNK_SIZE))
  const begin = keep(chunks.at.length * BITMAP_BYTES)
  chunks.isBitmap.fill(1)
  for (let chunk = 0; chunk < chunks.at.length; chunk++) chunks.at[chunk] = begin + chunk * BITMAP_BYTES
  for (let place = 0; place < order.length; place++) {
    const number = blockValueAt(order, place)
    if (((tombstones[number >>> 3]! >>> (number & 7)) & 1) === 0) continue
    kernel.bytes[begin + (place >>> 3)]! |= 1 << (place & 7)
    chunks.sizes[place >>> 16]!++
  }
  return chunks
}
