import { type Hex, isHex } from './hex.ts'
import type { RpcOutcome } from './json-rpc.ts'

/** The result of an `eth_call`. */
export type Execution =
  | { readonly kind: 'returned'; readonly data: Hex }
  /** The contract reverted with this data; empty if it stopped without data. */
  | { readonly kind: 'reverted'; readonly data: Hex }
  /** The sender has insufficient funds; the contract was not executed. */
  | { readonly kind: 'unfunded' }
  /** The node rejects the request's format. */
  | { readonly kind: 'refused' }
  /** Any other error of the node. */
  | { readonly kind: 'failed'; readonly why: string }

/** geth's error code for reverts, also used by most other nodes. */
const REVERTED = 3
/** Invalid request, method or parameters. */
const REFUSED = new Set([-32_600, -32_601, -32_602])

/** Nodes share no error code for this, so match the message. */
const UNFUNDED = /insufficient (?:funds|balance)|enough (?:funds|balance)/i
/** Messages for a failed execution. */
const STOPPED = /revert|invalid opcode|bad instruction|invalid jump|stack (?:under|over)flow|out of gas|vm execution/i

export function parseExecution(outcome: RpcOutcome | undefined): Execution {
  if (!outcome) return { kind: 'failed', why: 'there is no answer' }
  if (outcome.ok) {
    if (!isHex(outcome.result)) return { kind: 'failed', why: 'the result is not bytes' }
    return { kind: 'returned', data: outcome.result.toLowerCase() as Hex }
  }
  const { code, message, data } = outcome
  const saysRevert = code === REVERTED || (data !== undefined && data !== '0x')
  if (saysRevert) return { kind: 'reverted', data: data ?? '0x' }
  if (UNFUNDED.test(message)) return { kind: 'unfunded' }
  if (REFUSED.has(code)) return { kind: 'refused' }
  if (STOPPED.test(message)) return { kind: 'reverted', data: '0x' }
  return { kind: 'failed', why: `${code}: ${message}` }
}
