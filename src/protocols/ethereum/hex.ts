import type { Hex } from '../../kernel/hex.ts'

export type { Hex }

const NO_DIGIT = /[^0-9a-fA-F]/

/** Whole bytes. One look for a foreign letter: a pattern that repeats pairs runs out of stack on a long answer. */
export const isHex = (value: unknown): value is Hex =>
  typeof value === 'string' && value.length % 2 === 0 && value.startsWith('0x') && !NO_DIGIT.test(value.slice(2))

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/

/** A number as nodes write it, or null where it is none or above `most`. */
export function readQuantity(value: unknown, most: bigint): bigint | null {
  if (typeof value !== 'string' || !QUANTITY.test(value)) return null
  const number = BigInt(value)
  return number <= most ? number : null
}
