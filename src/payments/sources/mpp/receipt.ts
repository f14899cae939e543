import { toEventSelector } from 'viem/utils'
import { parseReceipt } from '../../../protocols/ethereum/transactions.ts'
import type { Hex } from '../../scheme.ts'
import type { Transfer } from './transaction.ts'

/** The outcome of a transfer; undefined if the node does not know the transaction. */
export type TransferOutcome = 'paid' | 'failed' | undefined

const TRANSFER_WITH_MEMO = toEventSelector('TransferWithMemo(address,address,uint256,bytes32)')

/** The receipt contradicts itself. */
export class ReceiptError extends Error {
  override readonly name = 'ReceiptError'
}

/** Throws TransactionError or ReceiptError if the receipt does not belong to this transfer. */
export function parseTransferOutcome(value: unknown, transfer: Transfer, payer: Hex): TransferOutcome {
  const receipt = parseReceipt(value, transfer.hash)
  if (!receipt) return undefined
  if (!receipt.succeeded) return 'failed'
  const { logs } = value as { readonly logs?: unknown }
  // A successful transfer emits an event, so a receipt without it is wrong.
  if (!Array.isArray(logs) || !logs.some((log) => isLogOf(log, transfer, payer))) {
    throw new ReceiptError('the receipt does not show the transfer')
  }
  return 'paid'
}

function isLogOf(value: unknown, { token, recipient, amount, memo }: Transfer, payer: Hex): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { address, topics, data } = value as Readonly<Record<string, unknown>>
  if (!Array.isArray(topics)) return false
  const actual = [address, ...(topics as readonly unknown[]), data]
  const expected = [token, TRANSFER_WITH_MEMO, word(payer), word(recipient), memo, word(`0x${amount.toString(16)}`)]
  return actual.length === expected.length && expected.every((each, at) => lower(actual[at]) === each)
}

const word = (value: Hex): Hex => `0x${value.slice(2).padStart(64, '0')}`
const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)
