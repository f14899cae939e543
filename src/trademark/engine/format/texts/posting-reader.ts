import { CHUNK_SIZE } from '../../wasm/kernel.ts'
import type { SegmentReader } from '../segment.ts'
import { createChunks, type Chunks } from './chunks.ts'
import { CHUNKED_FLAG, MAX_ARRAY_LENGTH, containerWords } from './posting-writer.ts'
import type { Memory } from './memory.ts'

/** The posting lists of one field of a segment, read from disk on demand and cached in the ring buffer. */
export function openPostingLists(segment: SegmentReader, name: string, memory: Memory) {
  const section = `${name}.lists.disk`
  const ends = segment.numbers(`${name}.list-ends`)
  const count = Math.ceil(segment.documents / CHUNK_SIZE)
  const known = new Map<number, Chunks>()
  const { bytes } = memory.kernel
  const words = new Uint32Array(bytes.buffer)

  const beginOf = (list: number) => (list === 0 ? 0 : ends[list - 1]!)
  const wordsIn = (list: number) => ends[list]! - beginOf(list)

  function read(list: number): Chunks {
    const size = wordsIn(list) * 4
    // The first word of an allocation of zero bytes belongs to another list.
    if (size === 0) return createChunks(count)
    const begin = memory.allocate(size, () => known.delete(list))
    segment.read(section, beginOf(list) * 4, bytes.subarray(begin, begin + size))
    const first = words[begin / 4]!
    return first >= CHUNKED_FLAG ? inChunks(begin / 4, first - CHUNKED_FLAG) : plain(begin / 4, size / 4)
  }

  function inChunks(begin: number, length: number): Chunks {
    const chunks = createChunks(count)
    let offset = begin + 1 + length
    for (let at = begin + 1; at <= begin + length; at++) {
      const chunk = words[at]! >>> 16
      const size = (words[at]! & 0xffff) + 1
      chunks.at[chunk] = offset * 4
      chunks.sizes[chunk] = size
      chunks.isBitmap[chunk] = size > MAX_ARRAY_LENGTH ? 1 : 0
      offset += containerWords(size)
    }
    return chunks
  }

  /** Converts the list in place to arrays of 16-bit values, which take half the space. */
  function plain(begin: number, length: number): Chunks {
    const chunks = createChunks(count)
    const halves = begin * 2
    const view = new Uint16Array(bytes.buffer)
    for (let at = 0; at < length; at++) {
      const ordinal = words[begin + at]!
      const chunk = ordinal >>> 16
      if (chunks.sizes[chunk]!++ === 0) chunks.at[chunk] = (halves + at) * 2
      view[halves + at] = ordinal & 0xffff
    }
    return chunks
  }

  return {
    /** Stored size of a list in words of 32 bits: a rough measure of its length. */
    wordsIn,
    of(list: number): Chunks {
      let chunks = known.get(list)
      if (!chunks) known.set(list, (chunks = read(list)))
      return chunks
    },
  }
}
