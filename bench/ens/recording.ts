import { decodeAggregate3 } from '../../src/protocols/ethereum/multicall.ts'
import { AGGREGATE3, encodeResults, decodeCalls } from './aggregate3.ts'

export type RpcCall = { readonly id?: unknown; readonly method: string; readonly params?: readonly unknown[] }

/** A node's response without `jsonrpc` and `id`. */
export type RpcResult = { readonly result: unknown } | { readonly error: unknown }

/** Recorded responses of a node. */
export type Recording = {
  record(call: RpcCall, result: RpcResult): void
  /** The rest of the JSON object after `jsonrpc` and `id`; undefined if the call was not recorded. */
  replay(call: RpcCall): string | undefined
}

/** A commitment is a random hash, but the response to every one is the same: the key leaves the hash out. */
const COMMIT = /(0xf14fcbc8)[0-9a-f]{64}/

/**
 * Calls to `aggregate3` are recorded whole and in parts: viem batches the calls of concurrent requests, and every batch is
 * different.
 */
export function createRecording(): Recording {
  const whole = new Map<string, string>()
  const parts = new Map<string, { ok: boolean; data: string }>()

  return {
    record(call, result) {
      whole.set(keyOf(call), formatEnd(result))
      const data = aggregate3Data(call)
      if (data === undefined || !('result' in result)) return
      const calls = decodeCalls(data)
      const returned = decodeAggregate3(result.result, calls.length)
      if (encodeResults(returned) !== result.result) throw new Error('The response of Multicall3 could not be parsed.')
      for (const [at, { to, data: calldata }] of calls.entries()) parts.set(to + calldata, returned[at]!)
    },
    replay(call) {
      const known = whole.get(keyOf(call))
      if (known !== undefined) return known
      const data = aggregate3Data(call)
      if (data === undefined) return undefined
      const returned = decodeCalls(data).map(({ to, data: calldata }) => parts.get(to + calldata))
      const found = returned.filter((part) => part !== undefined)
      return found.length === returned.length ? formatEnd({ result: encodeResults(found) }) : undefined
    },
  }
}

const keyOf = ({ method, params = [] }: RpcCall): string => JSON.stringify([method, params]).replace(COMMIT, '$1')

const formatEnd = (result: RpcResult): string => JSON.stringify(result).slice(1)

function aggregate3Data({ method, params = [] }: RpcCall): string | undefined {
  const data = method === 'eth_call' ? (params[0] as { data?: unknown } | undefined)?.data : undefined
  return typeof data === 'string' && data.startsWith(AGGREGATE3) ? data : undefined
}
