import { CHUNK } from '../kernel/kernel.ts'
import type { OpenSegment } from '../part.ts'
import { createChunks, type Chunks } from './chunks.ts'
import { CHUNKED, LONGEST, roomOf } from './lists.ts'
import type { Memory } from './memory.ts'

/** The lists of a segment, read from the disk when they are asked for, and kept as long as there is room. */
export function openLists(segment: OpenSegment, name: string, memory: Memory) {
  const section = `${name}.lists.disk`
  const ends = segment.numbers(`${name}.list-ends`)
  const count = Math.ceil(segment.documents / CHUNK)
  const known = new Map<number, Chunks>()
  const { bytes } = memory.kernel
  const words = new Uint32Array(bytes.buffer)

  const beginOf = (list: number) => (list === 0 ? 0 : ends[list - 1]!)
  const roomFor = (list: number) => ends[list]! - beginOf(list)

  function read(list: number): Chunks {
    const size = roomFor(list) * 4
    // The first word of an allocation of zero bytes belongs to another list.
    if (size === 0) return createChunks(count)
    const begin = memory.lend(size, () => known.delete(list))
    segment.read(section, beginOf(list) * 4, bytes.subarray(begin, begin + size))
    const first = words[begin / 4]!
    return first >= CHUNKED ? inChunks(begin / 4, first - CHUNKED) : plain(begin / 4, size / 4)
  }

  function inChunks(begin: number, length: number): Chunks {
    const chunks = createChunks(count)
    let place = begin + 1 + length
    for (let at = begin + 1; at <= begin + length; at++) {
      const chunk = words[at]! >>> 16
      const size = (words[at]! & 0xffff) + 1
      chunks.at[chunk] = place * 4
      chunks.sizes[chunk] = size
      chunks.isMap[chunk] = size > LONGEST ? 1 : 0
      place += roomOf(size)
    }
    return chunks
  }

  /** Becomes lists of low halves where it lies: they take half the room. */
  function plain(begin: number, length: number): Chunks {
    const chunks = createChunks(count)
    const halves = begin * 2
    const view = new Uint16Array(bytes.buffer)
    for (let at = 0; at < length; at++) {
      const place = words[begin + at]!
      const chunk = place >>> 16
      if (chunks.sizes[chunk]!++ === 0) chunks.at[chunk] = (halves + at) * 2
      view[halves + at] = place & 0xffff
    }
    return chunks
  }

  return {
    /** How long a list is, roughly. */
    roomFor,
    of(list: number): Chunks {
      let chunks = known.get(list)
      if (!chunks) known.set(list, (chunks = read(list)))
      return chunks
    },
  }
}
