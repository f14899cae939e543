import { decodeRlp, type Rlp } from '../../../kernel/ethereum/rlp.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'

export { encodeRlp, type Rlp } from '../../../kernel/ethereum/rlp.ts'

/** The year 9999. */
const MAX_TIMESTAMP_SECONDS = 253_402_300_799n

/** Null if the bytes are not an RLP list. */
export function decodeRlpList(bytes: Hex): readonly Rlp[] | null {
  try {
    const list = decodeRlp(bytes)
    return Array.isArray(list) ? (list as readonly Rlp[]) : null
  } catch {
    return null
  }
}

export const isList = (item: Rlp | undefined): item is readonly Rlp[] => Array.isArray(item)
export const isEmptyList = (item: Rlp | undefined): boolean => isList(item) && item.length === 0
export const isAddress = (item: Rlp | undefined): item is Hex => typeof item === 'string' && item.length === 42

/** Throws PaymentRefused. */
export function parseNumber(item: Rlp | undefined): bigint {
  if (item === '0x') return 0n
  if (typeof item !== 'string' || item.length > 66 || item.startsWith('0x00')) {
    throw malformed('A number of the transaction is not well formed.')
  }
  return BigInt(item)
}

/** Throws PaymentRefused. */
export function parseSeconds(item: Rlp | undefined): number {
  const seconds = parseNumber(item)
  if (seconds > MAX_TIMESTAMP_SECONDS) throw malformed('A time of the transaction is not well formed.')
  return Number(seconds)
}

export const malformed = (sentence: string) => new PaymentRefused('malformed-credential', sentence)
