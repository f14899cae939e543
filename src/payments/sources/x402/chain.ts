import { decodeAbiParameters } from '../../../kernel/ethereum/abi.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { parseExecution } from '../../../protocols/ethereum/execution.ts'
import { isHex, parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc, RpcCall, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import { parseReceipt, TransactionError } from '../../../protocols/ethereum/transactions.ts'
import type { Hex } from '../../scheme.ts'
import type { Token } from './network.ts'
import { encodeAuthorizationState, type LogEntry, type Transfer } from './transfer.ts'

export type Head = { readonly number: number; readonly timestamp: number }
export type Receipt = {
  readonly transaction: Hex
  readonly succeeded: boolean
  readonly blockNumber: number
  readonly entries: readonly LogEntry[]
}
export type AuthorizationState = { readonly isUsed: boolean; readonly head: Head }

/** Reads the token through a JSON-RPC node. Every result is validated; each method is one request. */
export type TokenChain = {
  /** Whether its nonce was used or cancelled, and the latest block of the node that says so. */
  state(transfer: Transfer, signal: AbortSignal): Promise<AuthorizationState>
  /** The same, if two nodes agree. Throws UpstreamError otherwise. A single configured node is trusted. */
  agreedState(transfer: Transfer, signal: AbortSignal): Promise<AuthorizationState>
  /** Whether its nonce was used or cancelled in this block or before. A node without the block fails. */
  isUsedAt(transfer: Transfer, blockNumber: number, signal: AbortSignal): Promise<boolean>
  /** The receipt of the one that is in a block; null if none is yet. */
  receipt(hashes: readonly Hex[], signal: AbortSignal): Promise<Receipt | null>
  /** The call data of a transaction in a block. */
  input(hash: Hex, signal: AbortSignal): Promise<Hex>
}

const MAX_UINT256 = 2n ** 256n - 1n
const MAX_INTEGER = BigInt(Number.MAX_SAFE_INTEGER)

export const viewCall = ({ address }: Token, data: Hex, block: Hex | 'latest' = 'latest'): RpcCall => ({
  method: 'eth_call',
  params: [{ to: address, data }, block],
})

export function createTokenChain(rpc: Pick<EthereumRpc, 'ask' | 'agree'>, token: Token): TokenChain {
  const stateCalls = (transfer: Transfer, block: Hex | 'latest'): RpcCall[] => [
    viewCall(token, encodeAuthorizationState(transfer), block),
    { method: 'eth_getBlockByNumber', params: [block, false] },
  ]
  const parseState = ([used, block]: RpcOutcome[]): AuthorizationState => ({
    isUsed: parseBool(used),
    head: parseHead(resultOf(block)),
  })
  return {
    state: (transfer, signal) => rpc.ask(stateCalls(transfer, 'latest'), { signal, read: parseState }),
    async agreedState(transfer, signal) {
      const found = await rpc.agree(
        {
          calls: (block) => stateCalls(transfer, block),
          read: parseState,
          blockNumber: ({ head }) => head.number,
          isSame: (one, other) => one.isUsed === other.isUsed,
        },
        signal,
      )
      return found.kind === 'agreed' ? found.answer : failNode('no second one confirms what it says of a payment')
    },
    isUsedAt: (transfer, blockNumber, signal) =>
      rpc.ask([viewCall(token, encodeAuthorizationState(transfer), `0x${blockNumber.toString(16)}`)], {
        signal,
        read: ([used]) => parseBool(used),
      }),
    input: (hash, signal) =>
      rpc.ask([{ method: 'eth_getTransactionByHash', params: [hash] }], {
        signal,
        read([outcome]) {
          const { input } = (resultOf(outcome) ?? {}) as Record<string, unknown>
          return isHex(input) ? input : failNode('a transaction has no input')
        },
      }),
    receipt(hashes, signal) {
      const calls = hashes.map((hash) => ({ method: 'eth_getTransactionReceipt', params: [hash] }))
      const read = (outcomes: RpcOutcome[]) =>
        hashes.map((hash, at) => parseReceiptWithLogs(resultOf(outcomes[at]), hash)).find((one) => one !== null) ?? null
      return rpc.ask(calls, { signal, read })
    },
  }
}

export function parseBool(outcome: RpcOutcome | undefined): boolean {
  const number = parseUint256(outcome)
  return number <= 1n ? number === 1n : failNode('the token did not return a boolean')
}

export function parseUint256(outcome: RpcOutcome | undefined): bigint {
  const result = resultOf(outcome)
  const isWord = isHex(result) && result.length === 66
  return (isWord ? parseQuantity(result, MAX_UINT256) : null) ?? failNode('the token did not return a uint256')
}

/** Only a revert by the token itself counts as a refusal; any other failure is the node's. */
export function parseRevertReason(outcome: RpcOutcome | undefined): string | null {
  const execution = parseExecution(outcome)
  if (execution.kind === 'returned') return null
  if (execution.kind === 'reverted') return decodeErrorString(execution.data)
  return failNode('it could not simulate a transfer')
}

const ERROR_STRING_SELECTOR = '0x08c379a0'

function decodeErrorString(data: Hex): string {
  if (!data.startsWith(ERROR_STRING_SELECTOR)) return ''
  try {
    return decodeAbiParameters([{ type: 'string' }], `0x${data.slice(10)}`)[0]
  } catch {
    return ''
  }
}

export function parseHead(block: unknown): Head {
  const { number, timestamp } = (block ?? {}) as Record<string, unknown>
  const [height, time] = [parseQuantity(number, MAX_INTEGER), parseQuantity(timestamp, MAX_INTEGER)]
  if (height === null || time === null) return failNode('the block has no number or time')
  return { number: Number(height), timestamp: Number(time) }
}

/** Null if the transaction is in no block yet. */
export function parseReceiptWithLogs(value: unknown, hash: Hex): Receipt | null {
  try {
    const receipt = parseReceipt(value, hash)
    if (!receipt) return null
    const { succeeded, blockNumber } = receipt
    return { transaction: hash, succeeded, blockNumber, entries: parseLogEntries((value as { logs?: unknown }).logs) }
  } catch (error) {
    if (error instanceof TransactionError) return failNode('its receipt is invalid', error)
    throw error
  }
}

export function parseLogEntries<T extends LogEntry>(value: unknown): T[] {
  if (Array.isArray(value) && value.every(isLogEntry)) return value as T[]
  return failNode('its log is invalid')
}

const isLogEntry = (value: unknown): value is LogEntry => {
  const { address, topics, data } = (value ?? {}) as Record<string, unknown>
  return isHex(address) && isHex(data) && Array.isArray(topics) && topics.every(isHex)
}

export function resultOf(outcome: RpcOutcome | undefined): unknown {
  if (outcome?.ok) return outcome.result
  return failNode(outcome ? `it answered ${outcome.code}: ${outcome.message}` : 'it did not answer')
}

export function failNode(why: string, cause?: unknown): never {
  throw new UpstreamError('unavailable', `a node of the chain failed: ${why}`, { cause })
}
