import type { Random } from '../../src/kernel/random.ts'

/**
 * Chance that can be turned to any thing of a register: what is thrown for record 5,000,000 is the same whether or not
 * the records before it were made. So a register needs no memory, however large it is.
 */
export type Dice = Pick<Random, 'fraction' | 'below'> & {
  /** The throws from here on belong to this thing. */
  turnTo(index: number, purpose: number): void
  chance(probability: number): boolean
  pick<T>(from: readonly T[]): T
}

/** The small fast counter of Chris Doty-Humphrey: 128 bits of state, so that no two things throw alike. */
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
    turnTo(index, purpose) {
      a = seed | 0
      b = index | 0
      c = purpose | 0
      counter = 1
      // So many throws until two neighbours have nothing in common any more.
      for (let round = 0; round < 12; round++) next()
    },
    chance: (probability) => fraction() < probability,
    pick: (from) => from[below(from.length)]!,
  }
}
