import type { Random } from '../../src/kernel/random.ts'

/**
 * A random generator that can be reseeded for any record: the values for record 5,000,000 do not depend on whether the
 * records before it were generated. So a register of any size needs no memory.
 */
export type Dice = Pick<Random, 'fraction' | 'below'> & {
  /** Reseeds: the values from here on depend only on the seed, the index and the purpose. */
  reseed(index: number, purpose: number): void
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

const WARM_UP_ROUNDS = 12

/** sfc32, the "small fast counter" generator by Chris Doty-Humphrey; 128 bits of state. */
export function createDice(seed: number): Dice {
  let a = 0
  let b = 0
  let c = 0
  let counter = 1
  const next = (): number => {
    const sum = (a + b + counter) | 0
    counter = (counter + 1) | 0
    a = b ^ (b >>> 9)
    b = (c + (c << 3)) | 0
    c = ((c << 21) | (c >>> 11)) + sum
    return sum >>> 0
  }
  const fraction = () => next() / 0x1_0000_0000
  const below = (limit: number) => Math.floor(fraction() * limit)
  return {
    fraction,
    below,
    reseed(index, purpose) {
      a = seed | 0
      b = index | 0
      c = purpose | 0
      counter = 1
      // Discard the first values: those of neighbouring seeds are correlated.
      for (let round = 0; round < WARM_UP_ROUNDS; round++) next()
    },
    chance: (probability) => fraction() < probability,
    pick: (from) => from[below(from.length)]!,
  }
}
