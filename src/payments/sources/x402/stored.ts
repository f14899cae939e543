import type { Hex } from '../../scheme.ts'
import type { Payload } from './payload.ts'
import type { Transfer } from './transfer.ts'

/** A payment as it is written down, with what is needed to find it on its chain again. */
export type Stored = Payload & {
  /** Seconds since the epoch when it came: it was not used before. */
  readonly seenAt: number
  readonly chainId: number
  readonly asset: Hex
}

type Numbers = 'value' | 'validAfter' | 'validBefore'
/** JSON has no numbers that large. */
type Written = Omit<Stored, 'transfer'> & { readonly transfer: Omit<Transfer, Numbers> & Record<Numbers, string> }

export const writeStored = (stored: Stored): string =>
  JSON.stringify(stored, (_, value: unknown) => (typeof value === 'bigint' ? String(value) : value))

/** Only ever of what we wrote ourselves. */
export function readStored(text: string): Stored {
  const { transfer, ...rest } = JSON.parse(text) as Written
  const { value, validAfter, validBefore } = transfer
  const numbers = { value: BigInt(value), validAfter: BigInt(validAfter), validBefore: BigInt(validBefore) }
  return { ...rest, transfer: { ...transfer, ...numbers } }
}
