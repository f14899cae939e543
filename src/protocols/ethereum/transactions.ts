import { type Hex, parseQuantity } from './hex.ts'

/** The receipt of a mined transaction. */
export type Receipt = {
  readonly succeeded: boolean
  readonly blockNumber: number
  readonly gasUsed: number
  readonly effectiveGasPrice: bigint
}

/** The response is not a transaction, or is about another one. */
export class TransactionError extends Error {
  override readonly name = 'TransactionError'
}

const MAX_INTEGER = BigInt(Number.MAX_SAFE_INTEGER)
/** Far above any price ever paid; larger values are rejected. */
export const MAX_GAS_PRICE = 2n ** 96n
/** Far above the gas limit of a block (tens of millions). */
export const MAX_GAS = 10n ** 12n

/** Null if the transaction is not mined yet. Throws TransactionError. */
export function parseReceipt(value: unknown, hash: Hex): Receipt | null {
  const receipt = own(value, 'transactionHash', hash)
  // Some nodes return a receipt before the transaction is mined.
  if (receipt === null || receipt['blockNumber'] === null) return null
  const status = parseQuantity(receipt['status'], 1n)
  const blockNumber = parseQuantity(receipt['blockNumber'], MAX_INTEGER)
  const gasUsed = parseQuantity(receipt['gasUsed'], MAX_GAS)
  const effectiveGasPrice = parseQuantity(receipt['effectiveGasPrice'], MAX_GAS_PRICE)
  if (status === null || blockNumber === null || gasUsed === null || effectiveGasPrice === null) {
    throw new TransactionError('the receipt is not complete')
  }
  return {
    succeeded: status === 1n,
    blockNumber: Number(blockNumber),
    gasUsed: Number(gasUsed),
    effectiveGasPrice,
  }
}

/** Whether the node knows the transaction. Throws TransactionError. */
export const isKnown = (value: unknown, hash: Hex): boolean => own(value, 'hash', hash) !== null

/** Checks that the object is about this transaction: a faulty node may return another one. */
function own(value: unknown, key: string, hash: Hex): Record<string, unknown> | null {
  if (value === null) return null
  if (typeof value !== 'object') throw new TransactionError('the answer is not about a transaction')
  const object = value as Record<string, unknown>
  const named = object[key]
  if (typeof named !== 'string' || named.toLowerCase() !== hash.toLowerCase()) {
    throw new TransactionError('the answer is about another transaction')
  }
  return object
}
