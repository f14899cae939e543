import { decodeAbiParameters } from 'viem/utils'
import { UpstreamError } from '../../../kernel/errors.ts'
import { parseExecution } from '../../../protocols/ethereum/execution.ts'
import { isHex, parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc, RpcCall, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import { parseReceipt, TransactionError } from '../../../protocols/ethereum/transactions.ts'
import type { Hex } from '../../scheme.ts'
import type { Token } from './network.ts'
import { askBalance, askWhetherUsed, type LogEntry, takeTransfer, type Transfer } from './transfer.ts'

/** What came of trying a transfer out, without taking it. */
export type Trial = {
  readonly isUsed: boolean
  readonly balance: bigint
  /** What the token says against it; empty where it says nothing in words. Null where it would go through. */
  readonly objection: string | null
}

export type Head = { readonly number: number; readonly timestamp: number }
export type Receipt = { readonly succeeded: boolean; readonly entries: readonly LogEntry[] }

/** The token as a JSON-RPC node tells of it. Whatever it says is checked first; each question is one request. */
export type TokenChain = {
  tryOut(transfer: Transfer, from: Hex, signal: AbortSignal): Promise<Trial>
  /** Whether its nonce was used or cancelled, and how far the chain is that says so. */
  state(transfer: Transfer, signal: AbortSignal): Promise<{ readonly isUsed: boolean; readonly head: Head }>
  /** Null where there is none yet. */
  receipt(hash: Hex, signal: AbortSignal): Promise<Receipt | null>
}

/** Enough for a first payment to somebody. What is not used costs nothing. */
export const GAS_LIMIT = 200_000n
const MAX_UINT = 2n ** 256n - 1n
const MAX_INTEGER = BigInt(Number.MAX_SAFE_INTEGER)

export const viewOf = ({ address }: Token, data: Hex): RpcCall => ({
  method: 'eth_call',
  params: [{ to: address, data }, 'latest'],
})

const LATEST_BLOCK: RpcCall = { method: 'eth_getBlockByNumber', params: ['latest', false] }

export function createTokenChain(rpc: Pick<EthereumRpc, 'ask'>, token: Token): TokenChain {
  return {
    tryOut(transfer, from, signal) {
      const attempt = { from, to: token.address, data: takeTransfer(transfer), gas: `0x${GAS_LIMIT.toString(16)}` }
      const calls = [
        viewOf(token, askWhetherUsed(transfer)),
        viewOf(token, askBalance(transfer)),
        { method: 'eth_call', params: [attempt, 'latest'] },
      ]
      return rpc.ask(calls, {
        signal,
        read: ([used, balance, trial]) => ({
          isUsed: readFlag(used),
          balance: readNumber(balance),
          objection: readObjection(trial),
        }),
      })
    },
    state: (transfer, signal) =>
      rpc.ask([viewOf(token, askWhetherUsed(transfer)), LATEST_BLOCK], {
        signal,
        read: ([used, block]) => ({ isUsed: readFlag(used), head: readHead(resultOf(block)) }),
      }),
    receipt: (hash, signal) =>
      rpc.ask([{ method: 'eth_getTransactionReceipt', params: [hash] }], {
        signal,
        read: ([outcome]) => readReceiptWithLog(resultOf(outcome), hash),
      }),
  }
}

export function readFlag(outcome: RpcOutcome | undefined): boolean {
  const number = readNumber(outcome)
  return number <= 1n ? number === 1n : fail('it did not say yes or no')
}

function readNumber(outcome: RpcOutcome | undefined): bigint {
  const result = resultOf(outcome)
  const isWord = isHex(result) && result.length === 66
  return (isWord ? parseQuantity(result, MAX_UINT) : null) ?? fail('the token did not answer with a number')
}

/** Who cannot be tried out is not judged: only the token itself may say no. */
function readObjection(outcome: RpcOutcome | undefined): string | null {
  const execution = parseExecution(outcome)
  if (execution.kind === 'returned') return null
  if (execution.kind === 'reverted') return reasonIn(execution.data)
  return fail('it could not try out a transfer')
}

const ERROR_OF_STRING = '0x08c379a0'

function reasonIn(data: Hex): string {
  if (!data.startsWith(ERROR_OF_STRING)) return ''
  try {
    return decodeAbiParameters([{ type: 'string' }], `0x${data.slice(10)}`)[0]
  } catch {
    return ''
  }
}

export function readHead(block: unknown): Head {
  const { number, timestamp } = (block ?? {}) as Record<string, unknown>
  const [height, time] = [parseQuantity(number, MAX_INTEGER), parseQuantity(timestamp, MAX_INTEGER)]
  if (height === null || time === null) return fail('it does not tell of a block')
  return { number: Number(height), timestamp: Number(time) }
}

function readReceiptWithLog(value: unknown, hash: Hex): Receipt | null {
  try {
    const receipt = parseReceipt(value, hash)
    return receipt && { succeeded: receipt.succeeded, entries: readEntries((value as { logs?: unknown }).logs) }
  } catch (error) {
    if (error instanceof TransactionError) return fail('its receipt cannot be read', error)
    throw error
  }
}

export function readEntries<T extends LogEntry>(value: unknown): T[] {
  if (Array.isArray(value) && value.every(isEntry)) return value as T[]
  return fail('its log cannot be read')
}

const isEntry = (value: unknown): value is LogEntry => {
  const { address, topics, data } = (value ?? {}) as Record<string, unknown>
  return isHex(address) && isHex(data) && Array.isArray(topics) && topics.every(isHex)
}

export function resultOf(outcome: RpcOutcome | undefined): unknown {
  if (outcome?.ok) return outcome.result
  return fail(outcome ? `it answered ${outcome.code}: ${outcome.message}` : 'it did not answer')
}

export function fail(why: string, cause?: unknown): never {
  throw new UpstreamError('unavailable', `a node of the chain failed: ${why}`, { cause })
}
