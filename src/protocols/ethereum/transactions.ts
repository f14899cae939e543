import { type Hex, readQuantity } from './hex.ts'

/** What a node says of a transaction that stands in a block. */
export type Receipt = {
  readonly succeeded: boolean
  readonly blockNumber: number
  readonly gasUsed: number
  readonly effectiveGasPrice: bigint
}

/** What was read is no transaction, or another one than was asked for. */
export class TransactionError extends Error {
  override readonly name = 'TransactionError'
}

const MAX_INTEGER = BigInt(Number.MAX_SAFE_INTEGER)
/** Far above anything that was ever paid; what is larger is a mistake or a lie. */
export const MAX_GAS_PRICE = 2n ** 96n
/** A block has room for some tens of millions. */
export const MAX_GAS = 10n ** 12n

/** Null where there is none yet. Throws TransactionError. */
export function readReceipt(value: unknown, hash: Hex): Receipt | null {
  const receipt = own(value, 'transactionHash', hash)
  // Some nodes have a receipt before there is a block.
  if (receipt === null || receipt['blockNumber'] === null) return null
  const status = readQuantity(receipt['status'], 1n)
  const blockNumber = readQuantity(receipt['blockNumber'], MAX_INTEGER)
  const gasUsed = readQuantity(receipt['gasUsed'], MAX_GAS)
  const effectiveGasPrice = readQuantity(receipt['effectiveGasPrice'], MAX_GAS_PRICE)
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

/** Whether the node has heard of it. Throws TransactionError. */
export const isKnown = (value: unknown, hash: Hex): boolean => own(value, 'hash', hash) !== null

/** The object, if it is about this transaction: a node that mixes up its answers must not tell us of somebody else's. */
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
