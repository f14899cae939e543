import { serializeTransaction } from '../../../kernel/ethereum/signing.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { parseExecution } from '../../../protocols/ethereum/execution.ts'
import { parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { RpcCall, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import { MAX_GAS_PRICE } from '../../../protocols/ethereum/transactions.ts'
import type { Hex } from '../../scheme.ts'
import { failNode, parseUint256, resultOf } from './chain.ts'

export type Fees = { readonly maxFeePerGas: bigint; readonly maxPriorityFeePerGas: bigint }

/** How much gas may cost. Above it nothing is settled, and payments stay usable. */
export type GasCap = {
  /** Share of a payment that gas may cost, above 0 and at most 1. */
  readonly maxShare: number
  /** Dollars per ether that the share is converted with. */
  readonly maxEtherUsd: number
  /** An additional limit, in wei per gas. */
  readonly maxGasPrice?: bigint | undefined
}

/** What a node says about the price of gas. */
export type GasPrices = {
  readonly basePrice: bigint
  readonly tip: bigint
  /** What the chain charges for a transaction besides gas: its data on Ethereum, and the operator's fee. */
  readonly extraWei: bigint
}

/** Predeployed on chains of the OP stack, such as Base. */
const GAS_PRICE_ORACLE = '0x420000000000000000000000000000000000000F'
/** Of `getL1Fee(bytes)`. */
const GET_L1_FEE: Hex = '0x49948e0e'
/** Of `getOperatorFee(uint256)`. */
const GET_OPERATOR_FEE: Hex = '0x275aedd2'
/** Gas of a transfer to a new account, rounded up. */
export const TRANSFER_GAS = 105_000n
/** Priority fee if the node does not suggest one. */
const DEFAULT_TIP_WEI = 1_000_000n
/** The base fee may rise by this factor before a transaction is stuck; on Base that takes minutes. */
const BASE_FEE_HEADROOM = 3n
const MICROS = 1_000_000n
const WEI_PER_ETHER = 10n ** 18n
/** Stands for fees and nonce of a transaction that is not signed yet; zeros would compress too well. */
const TYPICAL = { nonce: 100_000, gas: 200_000n, maxFeePerGas: 16_123_457n, maxPriorityFeePerGas: 1_234_567n }

/** The most a settlement may cost, in wei, for a payment in millionths of a dollar. */
export const maxCostWei = ({ maxShare, maxEtherUsd }: GasCap, payment: bigint): bigint =>
  (payment * BigInt(Math.round(maxShare * Number(MICROS))) * WEI_PER_ETHER) / (MICROS * MICROS * BigInt(maxEtherUsd))

/** Asks for everything that determines the cost of a transaction. */
export function gasPriceCalls({ chainId, to, data }: { chainId: number; to: Hex; data: Hex }): RpcCall[] {
  const unsigned = serializeTransaction({ chainId, to, data, ...TYPICAL })
  const oracle = (input: string): RpcCall => ({
    method: 'eth_call',
    params: [{ to: GAS_PRICE_ORACLE, data: input }, 'latest'],
  })
  return [
    { method: 'eth_getBlockByNumber', params: ['latest', false] },
    { method: 'eth_maxPriorityFeePerGas', params: [] },
    oracle(`${GET_L1_FEE}${encodeBytes(unsigned)}`),
    oracle(`${GET_OPERATOR_FEE}${word(TRANSFER_GAS)}`),
  ]
}

/** Parses the answers to `gasPriceCalls`. */
export function parseGasPrices([block, priority, l1Fee, operatorFee]: readonly (RpcOutcome | undefined)[]): GasPrices {
  const { baseFeePerGas } = (resultOf(block) ?? {}) as Record<string, unknown>
  return {
    basePrice: parseQuantity(baseFeePerGas, MAX_GAS_PRICE) ?? failNode('the block has no base fee'),
    tip: (priority?.ok ? parseQuantity(priority.result, MAX_GAS_PRICE) : null) ?? DEFAULT_TIP_WEI,
    extraWei: parseOracle(l1Fee) + parseOracle(operatorFee),
  }
}

/** Zero without an oracle, and for a function that its version does not have. */
function parseOracle(outcome: RpcOutcome | undefined): bigint {
  const execution = parseExecution(outcome)
  if (execution.kind === 'reverted' || (execution.kind === 'returned' && execution.data === '0x')) return 0n
  return parseUint256(outcome)
}

/** The highest gas price, in wei, at which settling a payment stays within the cap; 0 if no price does. */
export function maxGasPriceFor(cap: GasCap, payment: bigint, { extraWei }: GasPrices, gas: bigint): bigint {
  const leftWei = maxCostWei(cap, payment) - extraWei
  const price = leftWei > 0n ? leftWei / gas : 0n
  return cap.maxGasPrice === undefined ? price : min(price, cap.maxGasPrice)
}

/** The fees to sign. Throws UpstreamError above the cap: nothing was sent, so the payment stays usable. */
export function chooseFees({ basePrice, tip }: GasPrices, maxGasPrice: bigint): Fees {
  if (basePrice >= maxGasPrice) throw new UpstreamError('unavailable', 'gas costs more than the settings allow')
  return computeFees(basePrice, tip, maxGasPrice)
}

export function computeFees(basePrice: bigint, tip: bigint, most: bigint): Fees {
  const maxFeePerGas = min(basePrice * BASE_FEE_HEADROOM + tip, most)
  return { maxFeePerGas, maxPriorityFeePerGas: min(tip, maxFeePerGas - basePrice) }
}

const word = (value: bigint): string => value.toString(16).padStart(64, '0')

function encodeBytes(bytes: Hex): string {
  const digits = bytes.slice(2)
  const padded = digits.padEnd(Math.ceil(digits.length / 64) * 64, '0')
  return `${word(32n)}${word(BigInt(digits.length / 2))}${padded}`
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
