import { isDeepStrictEqual } from 'node:util'
import { UpstreamError } from '../../kernel/errors.ts'
import { parseExecution } from '../../protocols/ethereum/execution.ts'
import { parseQuantity } from '../../protocols/ethereum/hex.ts'
import {
  decodeAggregate3,
  encodeAggregate3,
  GET_BLOCK_NUMBER,
  GET_BLOCK_TIMESTAMP,
  MulticallError,
} from '../../protocols/ethereum/multicall.ts'
import type { EthereumRpc, RpcCall, RpcOutcome } from '../../protocols/ethereum/rpc.ts'
import {
  isKnown,
  MAX_GAS,
  MAX_GAS_PRICE,
  parseReceipt,
  TransactionError,
} from '../../protocols/ethereum/transactions.ts'
import type { Hex } from '../../kernel/hex.ts'
import type {
  Call,
  Chain,
  TransactionDraft,
  ReadResult,
  CallResult,
  TransactionState,
  Simulation,
} from '../chain/chain.ts'

type Needs = {
  readonly rpc: Pick<EthereumRpc, 'ask' | 'agree'>
  /** The address of Multicall3. */
  readonly multicall: Hex
}

type Outcomes = readonly RpcOutcome[]

const GAS_PRICE: RpcCall = { method: 'eth_gasPrice', params: [] }
const ZERO_ADDRESS: Hex = '0x0000000000000000000000000000000000000000'
/** More ether than exists, yet small enough that adding to it does not overflow. */
const SPONSORED_BALANCE = '0xffffffffffffffffffffffffffffffff'
/** The last second of the year 9999. */
const MAX_TIMESTAMP_SECONDS = 253_402_300_799

/** The chain through JSON-RPC nodes. Every answer is validated; if it is invalid, the next node is tried. */
export function rpcChain({ rpc, multicall }: Needs): Chain {
  const block = [
    { to: multicall, data: GET_BLOCK_NUMBER },
    { to: multicall, data: GET_BLOCK_TIMESTAMP },
  ]
  const aggregate = (calls: readonly Call[], at: Hex | 'latest' = 'latest'): RpcCall => {
    const data = encodeAggregate3([...block, ...calls])
    return { method: 'eth_call', params: [{ to: multicall, data }, at] }
  }
  return {
    read: (calls, signal) =>
      rpc.ask([aggregate(calls)], { signal, read: ([all]) => decodeAggregate(all, calls.length) }),
    async readAgreed(calls, signal) {
      const query = {
        calls: (at: Hex | 'latest') => [aggregate(calls, at)],
        read: ([all]: Outcomes) => decodeAggregate(all, calls.length),
        blockNumber: ({ block }: ReadResult) => block.number,
        isSame: isDeepStrictEqual,
      }
      const agreement = await rpc.agree<ReadResult>(query, signal)
      return agreement.kind === 'agreed' ? { kind: 'agreed', ...agreement.answer } : agreement
    },
    readWithGasPrice: (calls, signal) =>
      rpc.ask([aggregate(calls), GAS_PRICE], {
        signal,
        read([all, price]) {
          const gasPrice = quantityOf(price, MAX_GAS_PRICE) ?? fail('it did not return the gas price')
          return { ...decodeAggregate(all, calls.length), gasPrice }
        },
      }),
    async simulate(draft, signal) {
      const isPaid = draft.value > 0n
      const simulation = await rpc.ask(simulationCalls(draft, isPaid), { signal, read: decodeSimulation })
      if (simulation) return simulation
      // The node checked the sender's balance and ignored, or was not given, a balance override. Anyone may pay, and on
      // mainnet the zero address has enough ether: retry from there. An unpaid call is retried with an override.
      const again = isPaid ? simulationCalls({ ...draft, from: ZERO_ADDRESS }, false) : simulationCalls(draft, true)
      const second = await rpc.ask(again, { signal, read: decodeSimulation })
      return second ?? fail("it rejects the sender's balance instead of simulating the transaction")
    },
    transaction(hash, signal) {
      const methods = ['eth_getTransactionReceipt', 'eth_getTransactionByHash']
      const calls = methods.map((method) => ({ method, params: [hash] }))
      return rpc.ask(calls, { signal, read: (outcomes) => decodeTransactionState(outcomes, hash) })
    },
  }
}

function decodeAggregate(outcome: RpcOutcome | undefined, count: number): ReadResult {
  try {
    const [number, timestamp, ...returned] = decodeAggregate3(resultOf(outcome), count + 2)
    return {
      returned,
      block: {
        number: integerOf(number, Number.MAX_SAFE_INTEGER),
        timestamp: integerOf(timestamp, MAX_TIMESTAMP_SECONDS),
      },
    }
  } catch (error) {
    if (error instanceof MulticallError) return fail('its answer to Multicall3 cannot be decoded', error)
    throw error
  }
}

function integerOf(returned: CallResult | undefined, max: number): number {
  const isWord = returned?.ok === true && returned.data.length === 66
  const number = isWord ? Number(returned.data) : Number.NaN
  return number <= max ? number : fail('it did not return the block')
}

/** A sponsored call overrides the sender's balance: the simulation is about the contract, not about the sender's funds. */
function simulationCalls({ from = ZERO_ADDRESS, to, data, value }: TransactionDraft, isSponsored: boolean): RpcCall[] {
  const plain = [{ from, to, data, ...(value > 0n && { value: `0x${value.toString(16)}` }) }, 'latest']
  const params = isSponsored ? [...plain, { [from]: { balance: SPONSORED_BALANCE } }] : plain
  const simulation = [{ method: 'eth_call', params }, GAS_PRICE, { method: 'eth_estimateGas', params }]
  // Many nodes support balance overrides in eth_call but not in eth_estimateGas, so estimate without one, too.
  return isSponsored ? [...simulation, { method: 'eth_estimateGas', params: plain }] : simulation
}

/** Null if the node rejected the sender's balance instead of simulating the transaction. */
function decodeSimulation([call, gasPrice, ...estimates]: Outcomes): Simulation | null {
  const execution = parseExecution(call)
  switch (execution.kind) {
    case 'unfunded':
    case 'refused':
      return null
    case 'failed':
      return fail(`it could not simulate a transaction: ${execution.why}`)
    case 'returned':
    case 'reverted':
      return {
        outcome: { ok: execution.kind === 'returned', data: execution.data },
        gas: estimates.map((gas) => quantityOf(gas, MAX_GAS)).find((gas) => gas !== null) ?? null,
        gasPrice: quantityOf(gasPrice, MAX_GAS_PRICE),
      }
  }
}

function decodeTransactionState([first, second]: Outcomes, hash: Hex): TransactionState {
  try {
    const receipt = parseReceipt(resultOf(first), hash)
    if (receipt) return { kind: 'mined', ...receipt }
    return { kind: isKnown(resultOf(second), hash) ? 'pending' : 'unseen' }
  } catch (error) {
    if (error instanceof TransactionError) return fail('its answer about a transaction cannot be decoded', error)
    throw error
  }
}

function resultOf(outcome: RpcOutcome | undefined): unknown {
  if (outcome?.ok) return outcome.result
  return fail(outcome ? `it answered ${outcome.code}: ${outcome.message}` : 'it did not answer')
}

const quantityOf = (outcome: RpcOutcome | undefined, max: bigint): bigint | null =>
  outcome?.ok ? parseQuantity(outcome.result, max) : null

function fail(reason: string, cause?: unknown): never {
  throw new UpstreamError('unavailable', `an Ethereum node failed: ${reason}`, { cause })
}
