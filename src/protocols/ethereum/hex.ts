import type { Hex } from '../../kernel/hex.ts'

export type { Hex }

const NO_DIGIT = /[^0-9a-fA-F]/

/** Whole bytes. Searches for a non-digit, because a regular expression over pairs overflows the stack on long input. */
export const isHex = (value: unknown): value is Hex =>
  typeof value === 'string' && value.length % 2 === 0 && value.startsWith('0x') && !NO_DIGIT.test(value.slice(2))

const QUANTITY = /^0x[0-9a-fA-F]{1,64}$/

/** Parses a JSON-RPC quantity; null if invalid or above `max`. */
export function parseQuantity(value: unknown, max: bigint): bigint | null {
  if (typeof value !== 'string' || !QUANTITY.test(value)) return null
  const number = BigInt(value)
  return number <= max ? number : null
}
