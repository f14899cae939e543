import { UpstreamError } from '../../../kernel/errors.ts'
import { parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc, RpcCall } from '../../../protocols/ethereum/rpc.ts'
import { MAX_GAS_PRICE } from '../../../protocols/ethereum/transactions.ts'
import { fail, readFlag, resultOf, viewOf } from './chain.ts'
import type { Token } from './network.ts'
import { askWhetherUsed, type Transfer } from './transfer.ts'

export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

type Needs = { readonly rpc: Pick<EthereumRpc, 'ask'>; readonly token: Token; readonly maxGasPrice: bigint }

const QUESTIONS: readonly RpcCall[] = [
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  { method: 'eth_maxPriorityFeePerGas', params: [] },
]

/** Where a node does not say what those who make the blocks want. */
const USUAL_TIP = 1_000_000n
/** The price of gas may rise so much before a transaction is stuck: on Base it takes minutes. */
const ROOM = 3n

/** What gas costs now and whether the transfer is used already, in one request. */
export async function askConditions(
  { rpc, token, maxGasPrice }: Needs,
  transfer: Transfer,
  signal: AbortSignal,
): Promise<{ readonly isUsed: boolean; readonly fees: Fees }> {
  const calls = [viewOf(token, askWhetherUsed(transfer)), ...QUESTIONS]
  const { isUsed, basePrice, tip } = await rpc.ask(calls, {
    signal,
    read([used, block, priority]) {
      const { baseFeePerGas } = (resultOf(block) ?? {}) as Record<string, unknown>
      return {
        isUsed: readFlag(used),
        basePrice: parseQuantity(baseFeePerGas, MAX_GAS_PRICE) ?? fail('it does not tell the price of gas'),
        tip: (priority?.ok ? parseQuantity(priority.result, MAX_GAS_PRICE) : null) ?? USUAL_TIP,
      }
    },
  })
  // Nothing is sent, so the payment is as good as before.
  if (!isUsed && basePrice >= maxGasPrice)
    throw new UpstreamError('unavailable', 'gas costs more than the settings allow')
  return { isUsed, fees: feesFor(basePrice, tip, maxGasPrice) }
}

export function feesFor(basePrice: bigint, tip: bigint, most: bigint): Fees {
  const maxFeePerGas = least(basePrice * ROOM + tip, most)
  return { maxFeePerGas, maxPriorityFeePerGas: least(tip, maxFeePerGas - basePrice) }
}

const least = (a: bigint, b: bigint): bigint => (a < b ? a : b)
