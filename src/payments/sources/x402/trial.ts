import { parseExecution } from '../../../protocols/ethereum/execution.ts'
import { isHex, parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc, RpcCall, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import { MAX_GAS } from '../../../protocols/ethereum/transactions.ts'
import type { Hex } from '../../scheme.ts'
import { failNode, parseBool, parseRevertReason, parseUint256, resultOf, viewCall } from './chain.ts'
import {
  chooseFees,
  type Fees,
  type GasCap,
  gasPriceCalls,
  type GasPrices,
  maxGasPriceFor,
  parseGasPrices,
  TRANSFER_GAS,
} from './fees.ts'
import type { Network, Token } from './network.ts'
import { encodeAuthorizationState, encodeBalanceOf, encodeTransfer, type Transfer } from './transfer.ts'

/** What would happen if the transfer was sent now. */
export type Trial = {
  /** Whether the payer's address has code: a contract wallet, or an account that delegates to one (EIP-7702). */
  readonly isContract: boolean
  readonly isUsed: boolean
  readonly balance: bigint
  /** The token's revert reason; empty if it gives no text, null if the transfer would succeed. */
  readonly revertReason: string | null
  /** How to send it. */
  readonly gas: bigint
  readonly prices: GasPrices | null
}

type Needs = {
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly network: Network
  readonly token: Token
  /** Sends the transaction, and pays for its gas; undefined if a facilitator does. */
  readonly sender: { readonly address: Hex; readonly gasCap: GasCap } | undefined
}

/** Enough for a transfer of an account with its own key. Unused gas costs nothing. */
const GAS_LIMIT = 200_000n
const ZERO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'
/** Checks and the state they read may change between the estimate and the block: a margin of a fifth. */
const withMargin = (gas: bigint): bigint => (gas * 6n) / 5n
const quantity = (value: bigint): Hex => `0x${value.toString(16)}`

/**
 * Executes the real call without sending it. One request for a payer with its own key. The token asks a contract whether
 * it signed, and a contract can answer by what it sees of the transaction, so a second request estimates the gas of
 * exactly the transaction that would be sent.
 */
export function createTrial({ rpc, network, token, sender }: Needs) {
  const from = sender?.address ?? ZERO_ADDRESS
  const to = token.address

  async function estimate(transfer: Transfer, prices: GasPrices | null, signal: AbortSignal) {
    const call = { from, to, data: encodeTransfer(transfer, true) }
    // Without a key of our own the facilitator decides; the call still shows whether the wallet signed.
    if (!sender || !prices) {
      const read = ([outcome]: RpcOutcome[]) => ({ revertReason: parseRevertReason(outcome), gas: GAS_LIMIT })
      return rpc.ask([{ method: 'eth_call', params: [call, 'latest'] }], { signal, read })
    }
    const most = maxGasPriceFor(sender.gasCap, transfer.value, prices, TRANSFER_GAS)
    const { maxFeePerGas, maxPriorityFeePerGas } = chooseFees(prices, most)
    const fees = { maxFeePerGas: quantity(maxFeePerGas), maxPriorityFeePerGas: quantity(maxPriorityFeePerGas) }
    return rpc.ask([{ method: 'eth_estimateGas', params: [{ ...call, ...fees }, 'latest'] }], {
      signal,
      read: ([outcome]) => parseEstimate(outcome),
    })
  }

  return async (transfer: Transfer, signal: AbortSignal): Promise<Trial> => {
    const data = encodeTransfer(transfer, false)
    const attempt = { from, to, data, gas: quantity(GAS_LIMIT) }
    const calls: RpcCall[] = [
      viewCall(token, encodeAuthorizationState(transfer)),
      viewCall(token, encodeBalanceOf(transfer)),
      { method: 'eth_getCode', params: [transfer.from, 'latest'] },
      { method: 'eth_call', params: [attempt, 'latest'] },
      ...(sender ? gasPriceCalls({ chainId: network.chainId, to, data }) : []),
    ]
    const { attempted, ...first } = await rpc.ask(calls, {
      signal,
      read: ([used, balance, code, trial, ...gasOutcomes]) => ({
        isUsed: parseBool(used),
        balance: parseUint256(balance),
        isContract: parseCode(code),
        prices: sender ? parseGasPrices(gasOutcomes) : null,
        attempted: trial,
      }),
    })
    if (first.isUsed || first.balance < transfer.value) return { ...first, revertReason: '', gas: GAS_LIMIT }
    if (first.isContract) return { ...first, ...(await estimate(transfer, first.prices, signal)) }
    return { ...first, revertReason: parseRevertReason(attempted), gas: GAS_LIMIT }
  }
}

/** What the transfer is expected to use; a contract's is estimated. */
export const expectedGas = ({ isContract, gas }: Trial): bigint => (isContract ? gas : TRANSFER_GAS)

/** The fees to sign for a transfer that was tried. Throws UpstreamError if gas costs too much. */
export function feesFor(cap: GasCap, { value }: Transfer, trial: Trial): Fees {
  const { prices } = trial
  if (!prices) throw new RangeError('a trial without gas prices')
  return chooseFees(prices, maxGasPriceFor(cap, value, prices, expectedGas(trial)))
}

function parseCode(outcome: RpcOutcome | undefined): boolean {
  const code = resultOf(outcome)
  return isHex(code) ? code !== '0x' : failNode('the code of an account is not bytes')
}

function parseEstimate(outcome: RpcOutcome | undefined): { revertReason: string | null; gas: bigint } {
  if (outcome?.ok) {
    const gas = parseQuantity(outcome.result, MAX_GAS) ?? failNode('its gas estimate is invalid')
    return { revertReason: null, gas: withMargin(gas) }
  }
  if (parseExecution(outcome).kind !== 'reverted') return failNode('it could not estimate the gas of a transfer')
  return { revertReason: parseRevertReason(outcome), gas: GAS_LIMIT }
}
