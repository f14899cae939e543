import { createNumberList } from '../number-list.ts'
import type { TokenizedText } from './tokenizer.ts'

const BLOCK_BITS = 25
const BLOCK_BYTES = 1 << BLOCK_BITS
const MAX_VARINT_BYTES = 5

/**
 * The word numbers of all texts as varints, as `tokenizer.wat` writes them. Kept in blocks, so that growing copies nothing.
 * Texts are read again by document number.
 */
export function createTokenBuffer() {
  const blocks: Uint8Array[] = []
  const places = createNumberList()
  let block = new Uint8Array(0)
  let at = 0

  return {
    /** `extra` is one more number to store with the text; -1 for none. */
    add({ count, bytes, begin, end }: TokenizedText, extra: number): void {
      const maxBytes = end - begin + 2 * MAX_VARINT_BYTES
      // A text too long for a block gets a block of its own; offsets stay below BLOCK_BYTES.
      if (at + maxBytes > Math.min(block.length, BLOCK_BYTES)) {
        if (blocks.length === 2 ** 32 / BLOCK_BYTES) throw new RangeError('The texts exceed what one segment can hold.')
        block = new Uint8Array(Math.max(BLOCK_BYTES, maxBytes))
        blocks.push(block)
        at = 0
      }
      places.push((blocks.length - 1) * BLOCK_BYTES + at)
      at = write(block, at, extra < 0 ? count : count + 1)
      if (extra >= 0) at = write(block, at, extra)
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

/** The word numbers of several texts and the end of each text; only the first `count` numbers are valid. */
export type Words = { readonly words: Uint32Array; readonly ends: Uint32Array; readonly count: number }

/** Decodes the texts of these documents, at most `maxTexts` of them. The result is overwritten by the next call. */
export function createTokenReader({ blocks, places }: TokenBuffer, maxTexts: number) {
  let words = new Uint32Array(1 << 16)
  const ends = new Uint32Array(maxTexts)
  return (numbers: Uint32Array): Words => {
    let count = 0
    for (let text = 0; text < numbers.length; text++) {
      const place = places[numbers[text]!]!
      const block = blocks[place >>> BLOCK_BITS]!
      let at = place & (BLOCK_BYTES - 1)
      let remaining = -1
      // The first varint of a text is the number of words.
      do {
        let byte = block[at++]!
        let value = byte & 127
        for (let shift = 7; byte > 127; shift += 7) {
          byte = block[at++]!
          value |= (byte & 127) << shift
        }
        if (remaining >= 0) {
          words[count++] = value
          remaining--
          continue
        }
        remaining = value
        if (count + remaining > words.length) {
          const larger = new Uint32Array(Math.max(words.length * 2, count + remaining))
          larger.set(words)
          words = larger
        }
      } while (remaining > 0)
      ends[text] = count
    }
    return { words, ends, count }
  }
}
