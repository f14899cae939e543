import type { Random } from '../../kernel/random.ts'

/** The draws that a query needs. */
export type FastRandom = Pick<Random, 'fraction' | 'below'>

const WORD_BYTES = 4
const BUFFERED_WORDS = 1024
const WORD_LIMIT = 2 ** 32

/**
 * Draws from bytes that are taken from `random` a few thousand at a time: every query draws its id and its port, and
 * each single draw from the system's generator costs more than encoding the query. As unpredictable as `random`; a limit
 * that is a power of two is exactly uniform, any other up to one part in 2 ** 32 / limit.
 */
export function createBufferedRandom(random: Random): FastRandom {
  let words: DataView = new DataView(new ArrayBuffer(0))
  let at = 0

  const fraction = (): number => {
    if (at >= words.byteLength) {
      const { buffer, byteOffset, byteLength } = random.bytes(WORD_BYTES * BUFFERED_WORDS)
      words = new DataView(buffer, byteOffset, byteLength)
      at = 0
    }
    const word = words.getUint32(at)
    at += WORD_BYTES
    return word / WORD_LIMIT
  }

  return { fraction, below: (limit) => Math.floor(fraction() * limit) }
}
