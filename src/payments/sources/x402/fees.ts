import { UpstreamError } from '../../../kernel/errors.ts'
import { parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc, RpcCall } from '../../../protocols/ethereum/rpc.ts'
import { MAX_GAS_PRICE } from '../../../protocols/ethereum/transactions.ts'
import { failNode, parseBool, resultOf, viewCall } from './chain.ts'
import type { Token } from './network.ts'
import { encodeAuthorizationState, type Transfer } from './transfer.ts'

export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

type Needs = { readonly rpc: Pick<EthereumRpc, 'ask'>; readonly token: Token; readonly maxGasPrice: bigint }

const FEE_CALLS: readonly RpcCall[] = [
  { method: 'eth_getBlockByNumber', params: ['latest', false] },
  { method: 'eth_maxPriorityFeePerGas', params: [] },
]

/** Priority fee if the node does not suggest one. */
const DEFAULT_TIP_WEI = 1_000_000n
/** The base fee may rise by this factor before a transaction is stuck; on Base that takes minutes. */
const BASE_FEE_HEADROOM = 3n

/** The current gas fees and whether the authorization is used already, in one request. */
export async function fetchSendConditions(
  { rpc, token, maxGasPrice }: Needs,
  transfer: Transfer,
  signal: AbortSignal,
): Promise<{ readonly isUsed: boolean; readonly fees: Fees }> {
  const calls = [viewCall(token, encodeAuthorizationState(transfer)), ...FEE_CALLS]
  const { isUsed, basePrice, tip } = await rpc.ask(calls, {
    signal,
    read([used, block, priority]) {
      const { baseFeePerGas } = (resultOf(block) ?? {}) as Record<string, unknown>
      return {
        isUsed: parseBool(used),
        basePrice: parseQuantity(baseFeePerGas, MAX_GAS_PRICE) ?? failNode('the block has no base fee'),
        tip: (priority?.ok ? parseQuantity(priority.result, MAX_GAS_PRICE) : null) ?? DEFAULT_TIP_WEI,
      }
    },
  })
  // Nothing was sent, so the payment stays usable.
  if (!isUsed && basePrice >= maxGasPrice)
    throw new UpstreamError('unavailable', 'gas costs more than the settings allow')
  return { isUsed, fees: computeFees(basePrice, tip, maxGasPrice) }
}

export function computeFees(basePrice: bigint, tip: bigint, most: bigint): Fees {
  const maxFeePerGas = min(basePrice * BASE_FEE_HEADROOM + tip, most)
  return { maxFeePerGas, maxPriorityFeePerGas: min(tip, maxFeePerGas - basePrice) }
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
