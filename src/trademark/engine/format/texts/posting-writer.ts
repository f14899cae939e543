import { CHUNK_SIZE, BITMAP_BYTES } from '../../wasm/kernel.ts'
import { createTokenReader, type TokenBuffer, type Words } from './token-buffer.ts'

/**
 * Posting lists: the ordinals of the texts that have a word, in result order. A list takes whole words of 32 bits and is
 *   plain: the ordinals; or
 *   chunked: `CHUNKED_FLAG` plus the number of chunks; for each chunk its number times 65,536 plus its size less one; then
 *   for each chunk a container: an array of the low 16 bits of its ordinals, or a bitmap.
 * See "Texts" in docs/trademark-index-format.md.
 */
export const CHUNKED_FLAG = 2 ** 31
/** A larger container is a bitmap: at worst twice the size of an array, and much faster to intersect. */
export const MAX_ARRAY_LENGTH = 2048

/** Size of a container in words of 32 bits. */
export const containerWords = (size: number) => (size > MAX_ARRAY_LENGTH ? BITMAP_BYTES / 4 : (size + 1) >>> 1)

/** The first posting lists are the texts of live and of dead marks; those of the words follow. */
export const LISTED_LIVES = ['live', 'dead'] as const

/** Kind of a list's container in the current chunk; 0 if the whole list is plain. */
const AS_ARRAY = 1
const AS_BITMAP = 2

type PostingLists = {
  /** End of each list in words of 32 bits; a list starts where the one before ends. */
  readonly ends: Uint32Array
  /** The lists, some at a time. */
  readonly lists: Iterable<Uint32Array>
}

/** Lists that are built together, in words of 32 bits: each part takes one pass over all texts. */
const PART_WORDS = 1 << 25

/** The posting lists of the words 0 to `count` - 1. `order` gives the document number of each ordinal. */
export function encodePostingLists(
  texts: TokenBuffer,
  order: Uint32Array,
  count: number,
  partWords = PART_WORDS,
): PostingLists {
  const read = createTokenReader(texts, order, CHUNK_SIZE)
  const tally = createTally(count)
  const layout = layOut(measure(order.length, read, tally, count))
  return { ends: layout.ends, lists: listsInParts(order.length, read, tally, layout, partWords) }
}

type Layout = ReturnType<typeof layOut>
type ReadTexts = (first: number, texts: number) => Words
type Tally = ReturnType<typeof createTally>

function* listsInParts(length: number, read: ReadTexts, tally: Tally, layout: Layout, partWords: number) {
  const { ends } = layout
  for (let from = 0, to = 0; from < ends.length; from = to) {
    const begin = from === 0 ? 0 : ends[from - 1]!
    to = from + 1
    while (to < ends.length && ends[to]! - begin <= partWords) to++
    yield fillLists(length, read, tally, layout, from, to)
  }
}

/** The lists of the words from `from` up to, not including, `to`. */
function fillLists(
  length: number,
  read: ReadTexts,
  tally: Tally,
  { ends, chunks, next, heads }: Layout,
  from: number,
  to: number,
): Uint32Array {
  const begin = from === 0 ? 0 : ends[from - 1]!
  const lists = new Uint32Array(ends[to - 1]! - begin)
  const halves = new Uint16Array(lists.buffer)
  /** Container kind of each word in the current chunk. */
  const kinds = new Uint8Array(to - from)
  /** Index of each word's next ordinal: in words of 32 bits if the list is plain, otherwise in half words. */
  const cursor = new Uint32Array(to - from)
  for (let word = from; word < to; word++) {
    cursor[word - from] = next[word]! - begin
    if (chunks[word]! > 0) lists[heads[word]! - 1 - begin] = CHUNKED_FLAG + chunks[word]!
  }
  for (let first = 0; first < length; first += CHUNK_SIZE) {
    const count = Math.min(CHUNK_SIZE, length - first)
    const texts = read(first, count)
    const { sizes, found } = tally.count(texts)
    for (let at = 0; at < found.length; at++) {
      const word = found[at]!
      if (word < from || word >= to || chunks[word] === 0) continue
      const size = sizes[word]!
      kinds[word - from] = size > MAX_ARRAY_LENGTH ? AS_BITMAP : AS_ARRAY
      lists[heads[word]!++ - begin] = first + size - 1
      cursor[word - from] = (next[word]! - begin) * 2
      next[word]! += containerWords(size)
    }
    const { words, ends: textEnds } = texts
    for (let low = 0, at = 0; low < count; low++)
      for (const end = textEnds[low]!; at < end; at++) {
        const word = words[at]! - from
        if (word < 0 || word >= kinds.length) continue
        const kind = kinds[word]!
        if (kind === AS_BITMAP) halves[cursor[word]! + (low >>> 4)]! |= 1 << (low & 15)
        else if (kind === AS_ARRAY) halves[cursor[word]!++] = low
        else lists[cursor[word]!++] = first + low
      }
    tally.clear(found)
  }
  return lists
}

type Measures = {
  /** For each word: its number of ordinals and of chunks, and the total size of its containers in words of 32 bits. */
  readonly counts: Uint32Array
  readonly chunks: Uint32Array
  readonly containerSizes: Uint32Array
}

function measure(length: number, read: ReadTexts, tally: Tally, count: number): Measures {
  const counts = new Uint32Array(count)
  const chunks = new Uint32Array(count)
  const containerSizes = new Uint32Array(count)
  for (let first = 0; first < length; first += CHUNK_SIZE) {
    const { sizes, found } = tally.count(read(first, Math.min(CHUNK_SIZE, length - first)))
    for (let at = 0; at < found.length; at++) {
      const word = found[at]!
      counts[word]! += sizes[word]!
      chunks[word]!++
      containerSizes[word]! += containerWords(sizes[word]!)
    }
    tally.clear(found)
  }
  return { counts, chunks, containerSizes }
}

/** Lays the lists out one after the other, each in its smaller layout; a plain list has 0 chunks from here on. */
function layOut({ counts, chunks, containerSizes }: Measures) {
  const { length } = counts
  const ends = new Uint32Array(length)
  const next = new Uint32Array(length)
  const heads = new Uint32Array(length)
  let end = 0
  for (let word = 0; word < length; word++) {
    const inChunks = 1 + chunks[word]! + containerSizes[word]!
    const isPlain = counts[word]! <= inChunks
    if (isPlain) chunks[word] = 0
    heads[word] = end + 1
    next[word] = isPlain ? end : end + 1 + chunks[word]!
    ends[word] = end += isPlain ? counts[word]! : inChunks
  }
  // Offsets in half words must fit in 32 bits.
  if (end >= 2 ** 31) throw new RangeError('The posting lists exceed what one segment can hold.')
  return { ends, chunks, next, heads }
}

/** Counts how many texts of a chunk have each word. */
function createTally(words: number) {
  const sizes = new Uint32Array(words)
  const all = new Uint32Array(words)
  return {
    count({ words, count }: Words) {
      let different = 0
      for (let at = 0; at < count; at++) {
        const word = words[at]!
        if (sizes[word]!++ === 0) all[different++] = word
      }
      return { sizes, found: all.subarray(0, different) }
    },
    clear(found: Uint32Array): void {
      for (let at = 0; at < found.length; at++) sizes[found[at]!] = 0
    },
  }
}
