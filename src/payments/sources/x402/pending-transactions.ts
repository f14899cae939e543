import type { Hex } from '../../scheme.ts'
import { computeFees, type Fees, type GasCap, type GasPrices, maxGasPriceFor } from './fees.ts'
import type { Transfer } from './transfer.ts'

/** What a transaction calls. */
export type TransactionCall = { readonly to: Hex; readonly data: Hex; readonly gas: bigint }

/** A transaction that was sent, and of which it is not known whether it is in a block. */
export type PendingTransaction = {
  readonly nonce: number
  readonly transfer: Transfer
  readonly call: TransactionCall
  /** What it is expected to use, for the cap. */
  readonly expectedGas: bigint
  readonly fees: Fees
  readonly raw: Hex
  /** The newest first, then those it replaced. One of them at most can be mined. */
  readonly hashes: readonly Hex[]
  readonly sentAtMs: number
}

const STUCK_AFTER_MS = 30_000
/** An empty transaction to ourselves uses up a nonce. */
const EMPTY_GAS = 21_000n
/** Nodes require a tenth more for a replacement; this is an eighth. */
const raise = (price: bigint): bigint => (price * 9n + 7n) / 8n

/** Old transactions that hold up the account: the first one, and those that bid less than gas costs now. */
export function findStuck(
  pending: Iterable<PendingTransaction>,
  { basePrice }: GasPrices,
  nowMs: number,
): readonly PendingTransaction[] {
  const isOld = ({ sentAtMs }: PendingTransaction) => nowMs - sentAtMs >= STUCK_AFTER_MS
  const all = [...pending]
  // Asked before every transaction; with many payments there are hundreds, and none is old.
  if (!all.some(isOld)) return []
  const inOrder = all.toSorted((one, other) => one.nonce - other.nonce)
  return inOrder.filter((one, at) => isOld(one) && (at === 0 || one.fees.maxFeePerGas < basePrice))
}

/**
 * Call and fees of a replacement within the cap; null if gas costs too much. A payment that has expired is replaced by an
 * empty transaction, because its transfer would fail.
 */
export function planReplacement(
  { transfer, call, expectedGas, fees }: PendingTransaction,
  { cap, prices, nowMs, own }: { cap: GasCap; prices: GasPrices; nowMs: number; own: Hex },
): { readonly call: TransactionCall; readonly fees: Fees } | null {
  const isExpired = BigInt(Math.floor(nowMs / 1000)) >= transfer.validBefore
  const next: TransactionCall = isExpired ? { to: own, data: '0x', gas: EMPTY_GAS } : call
  const most = maxGasPriceFor(cap, transfer.value, prices, isExpired ? EMPTY_GAS : expectedGas)
  const raised = raiseFees(fees, prices, most)
  return raised && { call: next, fees: raised }
}

/** At least an eighth more than before; null above `most`. */
export function raiseFees(before: Fees, { basePrice, tip }: GasPrices, most: bigint): Fees | null {
  if (basePrice >= most) return null
  const wanted = computeFees(basePrice, tip, most)
  const maxFeePerGas = max(wanted.maxFeePerGas, raise(before.maxFeePerGas))
  const maxPriorityFeePerGas = max(wanted.maxPriorityFeePerGas, raise(before.maxPriorityFeePerGas))
  return maxFeePerGas > most || maxPriorityFeePerGas > maxFeePerGas ? null : { maxFeePerGas, maxPriorityFeePerGas }
}

const max = (a: bigint, b: bigint): bigint => (a > b ? a : b)
