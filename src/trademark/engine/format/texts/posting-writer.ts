import { CHUNK_SIZE, BITMAP_BYTES } from '../../wasm/kernel.ts'
import { createTokenReader, type TokenBuffer, type Words } from './token-buffer.ts'

/**
 * Which texts have a word, by their place in the order of answers. A list takes whole numbers of 32 bits and is one of
 *   plain: the places;
 *   in chunks: `CHUNKED_FLAG` plus the number of its chunks; of each chunk its number times 65,536 plus the places in it less
 *   one; then of each chunk the low halves of its places, or where they are many, a map of bits.
 */
export const CHUNKED_FLAG = 2 ** 31
/** More places of a chunk than these are a map: twice the room at worst, and much faster to search. */
export const LONGEST = 2048

/** Of a chunk with so many places, in numbers of 32 bits. */
export const containerWords = (places: number) => (places > LONGEST ? BITMAP_BYTES / 4 : (places + 1) >>> 1)

/** The first lists are of the texts of live and of dead marks; after them come those of the words. */
export const LISTED_LIVES = ['live', 'dead'] as const

/** Of the part of a list that is in one chunk; 0 where the whole list is plain. */
const AS_LIST = 1
const AS_MAP = 2

type Lists = {
  /** Where the list of each word ends, in numbers of 32 bits; it begins where the one before ends. */
  readonly ends: Uint32Array
  readonly lists: Uint32Array
}

/** Lists of the words 0 to `count` - 1 in these texts, whose order of answers is given. */
export function packLists(texts: TokenBuffer, order: Uint32Array, count: number): Lists {
  const read = createTokenReader(texts, CHUNK_SIZE)
  const tally = createTally(count)
  const { ends, chunks, next, heads } = layOut(measure(order, read, tally, count))
  const lists = new Uint32Array(ends.at(-1) ?? 0)
  for (let word = 0; word < count; word++) if (chunks[word]! > 0) lists[heads[word]! - 1] = CHUNKED_FLAG + chunks[word]!
  const halves = new Uint16Array(lists.buffer)
  /** What a word's list is at this chunk, and where its next place goes: in numbers where it is plain, else in halves. */
  const kinds = new Uint8Array(count)
  const cursor = next.slice()
  for (let first = 0; first < order.length; first += CHUNK_SIZE) {
    const numbers = order.subarray(first, first + CHUNK_SIZE)
    const texts = read(numbers)
    const { sizes, found } = tally.count(texts)
    for (let at = 0; at < found.length; at++) {
      const word = found[at]!
      if (chunks[word] === 0) continue
      const size = sizes[word]!
      kinds[word] = size > LONGEST ? AS_MAP : AS_LIST
      lists[heads[word]!++] = first + size - 1
      cursor[word] = next[word]! * 2
      next[word]! += containerWords(size)
    }
    const { words, ends: textEnds } = texts
    for (let low = 0, at = 0; low < numbers.length; low++)
      for (const end = textEnds[low]!; at < end; at++) {
        const word = words[at]!
        const kind = kinds[word]!
        if (kind === AS_MAP) halves[cursor[word]! + (low >>> 4)]! |= 1 << (low & 15)
        else if (kind === AS_LIST) halves[cursor[word]!++] = low
        else lists[cursor[word]!++] = first + low
      }
    tally.clear(found)
  }
  return { ends, lists }
}

type Measures = {
  /** How many places a word has, in how many chunks they are, and how much room those take. */
  readonly places: Uint32Array
  readonly chunks: Uint32Array
  readonly room: Uint32Array
}

function measure(
  order: Uint32Array,
  read: (numbers: Uint32Array) => Words,
  tally: ReturnType<typeof createTally>,
  count: number,
): Measures {
  const places = new Uint32Array(count)
  const chunks = new Uint32Array(count)
  const room = new Uint32Array(count)
  for (let first = 0; first < order.length; first += CHUNK_SIZE) {
    const { sizes, found } = tally.count(read(order.subarray(first, first + CHUNK_SIZE)))
    for (let at = 0; at < found.length; at++) {
      const word = found[at]!
      places[word]! += sizes[word]!
      chunks[word]!++
      room[word]! += containerWords(sizes[word]!)
    }
    tally.clear(found)
  }
  return { places, chunks, room }
}

/** Every list as the smaller of its two kinds, one after the other. What is plain has no chunks from here on. */
function layOut({ places, chunks, room }: Measures) {
  const { length } = places
  const ends = new Uint32Array(length)
  const next = new Uint32Array(length)
  const heads = new Uint32Array(length)
  let end = 0
  for (let word = 0; word < length; word++) {
    const inChunks = 1 + chunks[word]! + room[word]!
    const isPlain = places[word]! <= inChunks
    if (isPlain) chunks[word] = 0
    heads[word] = end + 1
    next[word] = isPlain ? end : end + 1 + chunks[word]!
    ends[word] = end += isPlain ? places[word]! : inChunks
  }
  // Halves are counted with 32 bits, too.
  if (end >= 2 ** 31) throw new RangeError('The lists are too large for one segment.')
  return { ends, chunks, next, heads }
}

/** Counts in how many of the texts of a chunk each word is. */
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
