import { decodeAggregate3 } from '../../src/protocols/ethereum/multicall.ts'
import { AGGREGATE3, joinReturned, splitAggregate } from './aggregate.ts'

export type RpcCall = { readonly id?: unknown; readonly method: string; readonly params?: readonly unknown[] }

/** What a node answered: the members of its answer besides the id. */
export type Answer = { readonly result: unknown } | { readonly error: unknown }

/** Answers of a node, kept to be given again. */
export type Memory = {
  learn(call: RpcCall, answer: Answer): void
  /** The answer as text: the rest of a JSON object whose first members have been written. */
  recall(call: RpcCall): string | undefined
}

/** What is committed to is a hash of something random, and never the same; the answer is. */
const COMMIT = /(0xf14fcbc8)[0-9a-f]{64}/

/**
 * Calls to `aggregate3` are remembered whole and in parts: viem puts the calls of requests that happen to come together
 * into one, and no two of these are alike.
 */
export function createMemory(): Memory {
  const whole = new Map<string, string>()
  const parts = new Map<string, { ok: boolean; data: string }>()

  return {
    learn(call, answer) {
      whole.set(keyOf(call), endOf(answer))
      const data = aggregateOf(call)
      if (data === undefined || !('result' in answer)) return
      const calls = splitAggregate(data)
      const returned = decodeAggregate3(answer.result, calls.length)
      if (joinReturned(returned) !== answer.result) throw new Error('An answer of Multicall3 was not understood.')
      for (const [at, { to, data: question }] of calls.entries()) parts.set(to + question, returned[at]!)
    },
    recall(call) {
      const known = whole.get(keyOf(call))
      if (known !== undefined) return known
      const data = aggregateOf(call)
      if (data === undefined) return undefined
      const returned = splitAggregate(data).map(({ to, data: question }) => parts.get(to + question))
      const found = returned.filter((part) => part !== undefined)
      return found.length === returned.length ? endOf({ result: joinReturned(found) }) : undefined
    },
  }
}

const keyOf = ({ method, params = [] }: RpcCall): string => JSON.stringify([method, params]).replace(COMMIT, '$1')

const endOf = (answer: Answer): string => JSON.stringify(answer).slice(1)

function aggregateOf({ method, params = [] }: RpcCall): string | undefined {
  const data = method === 'eth_call' ? (params[0] as { data?: unknown } | undefined)?.data : undefined
  return typeof data === 'string' && data.startsWith(AGGREGATE3) ? data : undefined
}
