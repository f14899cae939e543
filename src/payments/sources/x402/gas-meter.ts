import { LRUCache } from 'lru-cache'
import { parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import type { Hex } from '../../scheme.ts'

type Ask = Pick<EthereumRpc, 'ask'>

const MAX_SEEN_TRANSACTIONS = 10_000
const MAX_QUANTITY = 2n ** 128n

/** Reports what each mined transaction of the address has cost, when its receipt is first read; also of failed ones. */
export function meterGas<Rpc extends Ask>(rpc: Rpc, address: Hex, onGas: (wei: bigint, hash: Hex) => void): Rpc {
  const seen = new LRUCache<string, true>({ max: MAX_SEEN_TRANSACTIONS })
  const note = (outcome: RpcOutcome | undefined): void => {
    const receipt = outcome?.ok ? parseCost(outcome.result) : null
    if (!receipt || receipt.from !== address.toLowerCase() || seen.has(receipt.hash)) return
    seen.set(receipt.hash, true)
    onGas(receipt.wei, receipt.hash)
  }
  const ask: Ask['ask'] = (calls, options = {}) => {
    if (!calls.some(({ method }) => method === RECEIPT)) return rpc.ask(calls, options)
    type Answer = ReturnType<NonNullable<(typeof options)['read']>>
    const read = (outcomes: RpcOutcome[]): Answer => {
      for (const [at, { method }] of calls.entries()) if (method === RECEIPT) note(outcomes[at])
      return options.read ? options.read(outcomes) : (outcomes as Answer)
    }
    return rpc.ask(calls, { ...options, read })
  }
  return { ...rpc, ask }
}

const RECEIPT = 'eth_getTransactionReceipt'

/** Null if the transaction is in no block yet, or the receipt is incomplete. */
export function parseCost(result: unknown): { from: string; hash: Hex; wei: bigint } | null {
  const { from, transactionHash, gasUsed, effectiveGasPrice, l1Fee } = (result ?? {}) as Record<string, unknown>
  const gas = parseQuantity(gasUsed, MAX_QUANTITY)
  const price = parseQuantity(effectiveGasPrice, MAX_QUANTITY)
  if (gas === null || price === null || typeof from !== 'string' || typeof transactionHash !== 'string') return null
  // On Base the fee for data on Ethereum comes on top; other chains have none.
  const l1 = parseQuantity(l1Fee, MAX_QUANTITY) ?? 0n
  return { from: from.toLowerCase(), hash: transactionHash.toLowerCase() as Hex, wei: gas * price + l1 }
}
