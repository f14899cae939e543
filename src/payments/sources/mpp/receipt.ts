import { parseReceipt } from '../../../protocols/ethereum/transactions.ts'
import type { Hex } from '../../scheme.ts'

/** The outcome of a transfer; undefined if the node does not know the transaction. */
export type TransferOutcome = 'paid' | 'failed' | undefined

/** A transfer as its event shows it. */
export type ExpectedTransfer = {
  readonly token: Hex
  readonly recipient: Hex
  readonly amount: bigint
  readonly isMemo: (memo: Hex) => boolean
}

/** Of `TransferWithMemo(address,address,uint256,bytes32)`. */
const TRANSFER_WITH_MEMO: Hex = '0x57bc7354aa85aed339e000bccffabbc529466af35f0772c8f8ee1145927de7f0'

/** The receipt contradicts itself. */
export class ReceiptError extends Error {
  override readonly name = 'ReceiptError'
}

/** Throws TransactionError or ReceiptError if the receipt does not belong to this transfer. */
export function parseTransferOutcome(
  value: unknown,
  transfer: { readonly hash: Hex; readonly memo: Hex } & Omit<ExpectedTransfer, 'isMemo'>,
  payer: Hex,
): TransferOutcome {
  const receipt = parseReceipt(value, transfer.hash)
  if (!receipt) return undefined
  if (!receipt.succeeded) return 'failed'
  // A successful transfer emits an event, so a receipt without it is wrong.
  const expected = { ...transfer, isMemo: (memo: Hex) => memo === transfer.memo }
  if (!showsTransfer(value, expected, payer)) throw new ReceiptError('the receipt does not show the transfer')
  return 'paid'
}

/** A sent transaction: undefined if it is not mined, `shows` if it makes the expected transfer. */
export function parsePushedTransfer(
  value: unknown,
  hash: Hex,
  expected: ExpectedTransfer,
  payer: Hex,
): { readonly succeeded: boolean; readonly shows: boolean; readonly blockNumber: number } | undefined {
  const receipt = parseReceipt(value, hash)
  if (!receipt) return undefined
  const { succeeded, blockNumber } = receipt
  return { succeeded, shows: showsTransfer(value, expected, payer), blockNumber }
}

/** The filter for `eth_getLogs` that finds a transfer by its memo, whatever the hash of its transaction. */
export const logFilter = (
  { token, recipient, memo }: Pick<ExpectedTransfer, 'token' | 'recipient'> & { readonly memo: Hex },
  payer: Hex,
) => ({ address: token, topics: [TRANSFER_WITH_MEMO, word(payer), word(recipient), memo] })

/** Hash of the transaction of the first log that shows the transfer. */
export function parseLogs(
  logs: unknown,
  transfer: { readonly memo: Hex } & Omit<ExpectedTransfer, 'isMemo'>,
  payer: Hex,
): Hex | undefined {
  if (!Array.isArray(logs)) throw new ReceiptError('the logs are not a list')
  const expected = { ...transfer, isMemo: (memo: Hex) => memo === transfer.memo }
  const found: unknown = logs.find((log) => isLogOf(log, expected, payer))
  const hash = (found as { readonly transactionHash?: unknown } | undefined)?.transactionHash
  if (found !== undefined && !isHash(hash)) throw new ReceiptError('the log does not name its transaction')
  return hash as Hex | undefined
}

const isHash = (value: unknown): value is Hex => typeof value === 'string' && /^0x[\da-f]{64}$/i.test(value)

function showsTransfer(value: unknown, expected: ExpectedTransfer, payer: Hex): boolean {
  const { logs } = value as { readonly logs?: unknown }
  return Array.isArray(logs) && logs.some((log) => isLogOf(log, expected, payer))
}

function isLogOf(value: unknown, { token, recipient, amount, isMemo }: ExpectedTransfer, payer: Hex): boolean {
  if (typeof value !== 'object' || value === null) return false
  const { address, topics, data } = value as Readonly<Record<string, unknown>>
  if (!Array.isArray(topics) || topics.length !== 4) return false
  const [event, from, to, memo] = topics.map(lower)
  const actual = [lower(address), event, from, to, lower(data)]
  const wanted = [token, TRANSFER_WITH_MEMO, word(payer), word(recipient), word(`0x${amount.toString(16)}`)]
  return wanted.every((each, at) => actual[at] === each) && isHash(memo) && isMemo(memo)
}

const word = (value: Hex): Hex => `0x${value.slice(2).padStart(64, '0')}`
const lower = (value: unknown): unknown => (typeof value === 'string' ? value.toLowerCase() : value)
