import { toEventSelector } from 'viem/utils'
import { parseReceipt } from '../../../protocols/ethereum/transactions.ts'
import type { Hex } from '../../scheme.ts'
import type { Transfer } from './transaction.ts'

/** What a node says became of a transfer: undefined where it does not know it. */
export type TransferOutcome = 'paid' | 'failed' | undefined

const TRANSFER_WITH_MEMO = toEventSelector('TransferWithMemo(address,address,uint256,bytes32)')

/** The node contradicts itself. */
export class ReceiptError extends Error {
  override readonly name = 'ReceiptError'
}

/** Throws TransactionError or ReceiptError where the receipt is not one of this transfer. */
export function parseTransferOutcome(value: unknown, transfer: Transfer, payer: Hex): TransferOutcome {
  const receipt = parseReceipt(value, transfer.hash)
  if (!receipt) return undefined
  if (!receipt.succeeded) return 'failed'
  const { logs } = value as { readonly logs?: unknown }
  // A transfer that succeeds tells of itself: who says the one must be able to show the other.
  if (!Array.isArray(logs) || !logs.some((log) => isLogOf(log, transfer, payer))) {
    throw new ReceiptError('the receipt does not show the transfer')
  }
  return 'paid'
}

function isLogOf(value: unknown, { token, recipient, amount, memo }: Transfer, payer: Hex): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { address, topics, data } = value as Readonly<Record<string, unknown>>
  if (!Array.isArray(topics)) return false
  const told = [address, ...(topics as readonly unknown[]), data]
  const expected = [token, TRANSFER_WITH_MEMO, word(payer), word(recipient), memo, word(`0x${amount.toString(16)}`)]
  return told.length === expected.length && expected.every((each, at) => lower(told[at]) === each)
}

const word = (value: Hex): Hex => `0x${value.slice(2).padStart(64, '0')}`
const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)
