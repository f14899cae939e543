import type { Clock } from '../../../kernel/clock.ts'
import { parseExecution } from '../../../protocols/ethereum/execution.ts'
import { isHex, parseQuantity } from '../../../protocols/ethereum/hex.ts'
import { encodeAggregate3 } from '../../../protocols/ethereum/multicall.ts'
import type { EthereumRpc, RpcCall, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import { MAX_GAS } from '../../../protocols/ethereum/transactions.ts'
import { type Hex, PaymentRefused } from '../../scheme.ts'
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
  /** The payer is a contract wallet, will be one, or is an account that delegates to one (EIP-7702). */
  readonly isContract: boolean
  /** The wallet is not deployed yet; the transaction deploys it first. */
  readonly isDeployment: boolean
  readonly isUsed: boolean
  readonly balance: bigint
  /** The token's revert reason; empty if it gives no text, null if the transfer would succeed. */
  readonly revertReason: string | null
  /** How to send it. */
  readonly call: { readonly to: Hex; readonly data: Hex }
  readonly gas: bigint
  readonly prices: GasPrices | null
}

type Needs = {
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly clock: Pick<Clock, 'monotonic'>
  readonly network: Network
  readonly token: Token
  /** Sends the transaction, and pays for its gas; undefined if a facilitator does. */
  readonly sender: { readonly address: Hex; readonly gasCap: GasCap } | undefined
  /** Contracts that may deploy the wallet of a payer, in lower case. */
  readonly walletFactories?: ReadonlySet<string> | undefined
}

/** Enough for a transfer of an account with its own key. Unused gas costs nothing. */
const GAS_LIMIT = 200_000n
/** No wallet needs as much; one that burns gas does not occupy the node for longer. */
const MAX_GAS_LIMIT = 3_000_000n
/** Executes several calls in one transaction; at this address on Base, as on most chains. */
const MULTICALL3: Hex = '0xca11bde05977b3631167028862be2a173976ca11'
const ZERO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'
/** Checks and the state they read may change between the estimate and the block: a margin of a fifth. */
const withMargin = (gas: bigint): bigint => (gas * 6n) / 5n
const quantity = (value: bigint): Hex => `0x${value.toString(16)}`

/**
 * Executes the real call without sending it. One request for a payer with its own key. The token asks a contract whether
 * it signed, and a contract can answer by what it sees of the transaction, so a second request estimates the gas of
 * exactly the transaction that would be sent.
 */
export function createTrial({ rpc, clock, network, token, sender, walletFactories }: Needs) {
  const from = sender?.address ?? ZERO_ADDRESS
  const to = token.address
  type Call = Trial['call']
  /** Of a transfer by an account: all have the same size. They change with the blocks, so they are kept for one. */
  let known: { readonly prices: GasPrices; readonly atMs: number } | undefined
  /** Undefined also if they would refuse the transfer: only new prices do that. */
  const knownPrices = ({ value }: Transfer): GasPrices | undefined => {
    if (!sender || !known || clock.monotonic() - known.atMs >= 1000 * network.blockSeconds) return undefined
    const { prices } = known
    return prices.basePrice < maxGasPriceFor(sender.gasCap, value, prices, TRANSFER_GAS) ? prices : undefined
  }

  async function estimate(transfer: Transfer, call: Call, prices: GasPrices | null, signal: AbortSignal) {
    // Without a key of our own the facilitator decides; the call still shows whether the wallet signed.
    if (!sender || !prices) {
      const read = ([outcome]: RpcOutcome[]) => ({ revertReason: parseRevertReason(outcome), gas: GAS_LIMIT })
      return rpc.ask([{ method: 'eth_call', params: [{ from, ...call }, 'latest'] }], { signal, read })
    }
    const most = maxGasPriceFor(sender.gasCap, transfer.value, prices, TRANSFER_GAS)
    const { maxFeePerGas, maxPriorityFeePerGas } = chooseFees(prices, most)
    const fees = { maxFeePerGas: quantity(maxFeePerGas), maxPriorityFeePerGas: quantity(maxPriorityFeePerGas) }
    const calls: RpcCall[] = [
      { method: 'eth_estimateGas', params: [{ from, ...call, ...fees, gas: quantity(MAX_GAS_LIMIT) }, 'latest'] },
      // A call of an address without code succeeds and does nothing.
      { method: 'eth_getCode', params: [call.to, 'latest'] },
      ...gasPriceCalls({ chainId: network.chainId, ...call }),
    ]
    return rpc.ask(calls, {
      signal,
      read([outcome, code, ...gasOutcomes]) {
        if (!parseCode(code)) return failNode(`there is no contract at ${call.to}`)
        return { ...parseEstimate(outcome), prices: parseGasPrices(gasOutcomes) }
      },
    })
  }

  /** Deploys the wallet and makes the transfer, in one transaction; null if we do not deploy it. */
  function deploymentCall(transfer: Transfer): Call | null {
    const { deployment } = transfer
    if (!sender || !deployment || !walletFactories?.has(deployment.factory)) return null
    const data = encodeAggregate3([
      // It may fail if somebody else has deployed the wallet meanwhile. The transfer decides.
      { to: deployment.factory, data: deployment.data },
      { to, data: encodeTransfer(transfer, true), mustSucceed: true },
    ])
    return { to: MULTICALL3, data }
  }

  return async (transfer: Transfer, signal: AbortSignal): Promise<Trial> => {
    const own = { to, data: encodeTransfer(transfer, false) }
    const kept = knownPrices(transfer)
    const asksPrices = sender !== undefined && kept === undefined
    const atMs = clock.monotonic()
    const calls: RpcCall[] = [
      viewCall(token, encodeAuthorizationState(transfer)),
      viewCall(token, encodeBalanceOf(transfer)),
      { method: 'eth_getCode', params: [transfer.from, 'latest'] },
      { method: 'eth_call', params: [{ from, ...own, gas: quantity(GAS_LIMIT) }, 'latest'] },
      ...(asksPrices ? gasPriceCalls({ chainId: network.chainId, ...own }) : []),
    ]
    const { attempted, hasCode, ...first } = await rpc.ask(calls, {
      signal,
      read: ([used, balance, code, trial, ...gasOutcomes]) => ({
        isUsed: parseBool(used),
        balance: parseUint256(balance),
        hasCode: parseCode(code),
        prices: asksPrices ? parseGasPrices(gasOutcomes) : (kept ?? null),
        attempted: trial,
      }),
    })
    if (asksPrices && first.prices) known = { prices: first.prices, atMs }
    const plain = { ...first, isContract: hasCode, isDeployment: false, call: own, gas: GAS_LIMIT }
    if (first.isUsed || first.balance < transfer.value) return { ...plain, revertReason: '' }
    if (hasCode) {
      const call = { to, data: encodeTransfer(transfer, true) }
      return { ...plain, call, ...(await estimate(transfer, call, first.prices, signal)) }
    }
    const revertReason = parseRevertReason(attempted)
    const call = revertReason === null ? null : deploymentCall(transfer)
    if (!call) return { ...plain, revertReason }
    const estimated = await estimate(transfer, call, first.prices, signal)
    return { ...plain, isContract: true, isDeployment: true, call, ...estimated }
  }
}

/** Throws PaymentRefused if the price covers a transfer, but not the deployment of the wallet besides. */
export function assertCoversDeployment(cap: GasCap, { value }: Transfer, { isDeployment, prices, gas }: Trial): void {
  if (!isDeployment || !prices) return
  const covers = (needed: bigint) => prices.basePrice < maxGasPriceFor(cap, value, prices, needed)
  if (covers(gas) || !covers(TRANSFER_GAS)) return
  const sentence =
    'The price does not cover the deployment of the wallet; deploy the wallet first, with any transaction.'
  throw new PaymentRefused('verification-failed', sentence)
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

/** How nodes say that a call needs more gas than it was given. */
const OUT_OF_GAS = /gas required exceeds|exceeds allowance|out of gas/i

function parseEstimate(outcome: RpcOutcome | undefined): { revertReason: string | null; gas: bigint } {
  if (outcome?.ok) {
    const gas = parseQuantity(outcome.result, MAX_GAS) ?? failNode('its gas estimate is invalid')
    return { revertReason: null, gas: withMargin(gas) }
  }
  if (parseExecution(outcome).kind === 'reverted') return { revertReason: parseRevertReason(outcome), gas: GAS_LIMIT }
  if (OUT_OF_GAS.test(outcome?.message ?? '')) return { revertReason: '', gas: GAS_LIMIT }
  return failNode('it could not estimate the gas of a transfer')
}
