import { createNumberList } from '../number-list.ts'
import type { TokenizedText } from './tokenizer.ts'

const BLOCK_BITS = 25
const BLOCK = 1 << BLOCK_BITS
/** A number takes at most so many bytes. */
const WIDEST = 5

/**
 * The numbers of the words of very many texts as `words.wat` writes them, in blocks, so that nothing is ever copied to
 * make room. Each text is read again by its place.
 */
export function createTokenBuffer() {
  const blocks: Uint8Array[] = []
  const places = createNumberList()
  let block = new Uint8Array(0)
  let at = 0

  return {
    /** Another number may come with the words; -1 where none does. */
    add({ count, bytes, begin, end }: TokenizedText, another: number): void {
      const room = end - begin + 2 * WIDEST
      // A text too long for a block has one alone, and all places stay within the size of a block.
      if (at + room > Math.min(block.length, BLOCK)) {
        if (blocks.length === 2 ** 32 / BLOCK) throw new RangeError('More words than one segment can have.')
        block = new Uint8Array(Math.max(BLOCK, room))
        blocks.push(block)
        at = 0
      }
      places.push((blocks.length - 1) * BLOCK + at)
      at = write(block, at, another < 0 ? count : count + 1)
      if (another >= 0) at = write(block, at, another)
      block.set(bytes.subarray(begin, end), at)
      at += end - begin
    },
    done: (): TokenBuffer => ({ blocks, places: places.done() }),
  }
}

function write(block: Uint8Array, at: number, value: number): number {
  for (; value > 127; value >>>= 7) block[at++] = value | 128
  block[at++] = value
  return at
}

export type TokenBuffer = { readonly blocks: readonly Uint8Array[]; readonly places: Uint32Array }

/** The words of several texts, in their order. What is beyond `count` means nothing. */
export type Words = { readonly words: Uint32Array; readonly ends: Uint32Array; readonly count: number }

/** Reads the texts of these numbers, at most `most` of them; what was read before is overwritten. */
export function createTokenReader({ blocks, places }: TokenBuffer, most: number) {
  let words = new Uint32Array(1 << 16)
  const ends = new Uint32Array(most)
  return (numbers: Uint32Array): Words => {
    let count = 0
    for (let text = 0; text < numbers.length; text++) {
      const place = places[numbers[text]!]!
      const block = blocks[place >>> BLOCK_BITS]!
      let at = place & (BLOCK - 1)
      let left = -1
      // The first of a text says how many follow.
      do {
        let byte = block[at++]!
        let value = byte & 127
        for (let shift = 7; byte > 127; shift += 7) {
          byte = block[at++]!
          value |= (byte & 127) << shift
        }
        if (left >= 0) {
          words[count++] = value
          left--
          continue
        }
        left = value
        if (count + left > words.length) {
          const larger = new Uint32Array(Math.max(words.length * 2, count + left))
          larger.set(words)
          words = larger
        }
      } while (left > 0)
      ends[text] = count
    }
    return { words, ends, count }
  }
}
