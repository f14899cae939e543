import { type Hex, isHex } from './hex.ts'
import type { RpcOutcome } from './messages.ts'

/** What came of an `eth_call`. */
export type Execution =
  | { readonly kind: 'returned'; readonly data: Hex }
  /** The contract said no, with these bytes; none where it just stopped. */
  | { readonly kind: 'reverted'; readonly data: Hex }
  /** The sender could not pay for it, and the contract was never asked. */
  | { readonly kind: 'unfunded' }
  /** The node does not take what was asked in this form. */
  | { readonly kind: 'refused' }
  /** Anything else: the node's own trouble. */
  | { readonly kind: 'failed'; readonly why: string }

/** The code geth introduced for reverts, which most others use as well. */
const REVERTED = 3
/** Invalid request, method or parameters. */
const REFUSED = new Set([-32_600, -32_601, -32_602])

/** There is no code for it that all nodes share, so their words have to do. */
const UNFUNDED = /insufficient (?:funds|balance)|enough (?:funds|balance)/i
/** Ways in which a contract stops. */
const STOPPED = /revert|invalid opcode|bad instruction|invalid jump|stack (?:under|over)flow|out of gas|vm execution/i

export function readExecution(outcome: RpcOutcome | undefined): Execution {
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
