import type { Hex } from '../../scheme.ts'
import type { Payload } from './payload.ts'
import type { Transfer } from './transfer.ts'

/** A payment as it is written down, with what is needed to find it on its chain again. */
export type StoredPayment = Payload & {
  /** Seconds since the epoch when it came: it was not used before. */
  readonly seenAt: number
  readonly chainId: number
  readonly asset: Hex
}

type BigIntField = 'value' | 'validAfter' | 'validBefore'
/** JSON has no numbers that large. */
type SerializedPayment = Omit<StoredPayment, 'transfer'> & {
  readonly transfer: Omit<Transfer, BigIntField> & Record<BigIntField, string>
}

export const encodeStoredPayment = (stored: StoredPayment): string =>
  JSON.stringify(stored, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/** Only ever of what we wrote ourselves. */
export function decodeStoredPayment(text: string): StoredPayment {
  const { transfer, ...rest } = JSON.parse(text) as SerializedPayment
  const { value, validAfter, validBefore } = transfer
  const numbers = { value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) }
  return { ...rest, transfer: { ...transfer, ...numbers } }
}
