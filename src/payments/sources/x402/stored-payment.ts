import type { Hex } from '../../scheme.ts'
import type { Payload } from './payload.ts'
import type { Transfer } from './transfer.ts'

/** A payment as the ledger stores it, with what is needed to find it on its chain. */
export type StoredPayment = Payload & {
  /** When it was received, in seconds since the epoch. It was not used before. */
  readonly seenAt: number
  readonly chainId: number
  readonly asset: Hex
}

type BigIntField = 'value' | 'validAfter' | 'validBefore'
/** JSON numbers are too small for these, so they are strings. */
type SerializedPayment = Omit<StoredPayment, 'transfer'> & {
  readonly transfer: Omit<Transfer, BigIntField> & Record<BigIntField, string>
}

export const encodeStoredPayment = (stored: StoredPayment): string =>
  JSON.stringify(stored, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/** For text from `encodeStoredPayment` only; nothing is validated. */
export function decodeStoredPayment(text: string): StoredPayment {
  const stored = JSON.parse(text) as SerializedPayment
  const { transfer } = stored
  const { value, validAfter, validBefore } = transfer
  const numbers = { value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) }
  return { ...stored, transfer: { ...transfer, ...numbers } }
}
