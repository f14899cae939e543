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
import type { Call, Chain, Draft, Hex, Reading, Returned, TransactionState, Trial } from '../chain/chain.ts'

type Needs = {
  readonly rpc: Pick<EthereumRpc, 'ask' | 'agree'>
  /** The address of Multicall3. */
  readonly multicall: Hex
}

type Outcomes = readonly RpcOutcome[]

const GAS_PRICE: RpcCall = { method: 'eth_gasPrice', params: [] }
const NOBODY: Hex = '0x0000000000000000000000000000000000000000'
/** More than there is, and too little to overflow in a contract that adds to it. */
const PLENTY = '0xffffffffffffffffffffffffffffffff'
/** The last second of the year 9999: what is later can be no date. */
const LATEST_SECOND = 253_402_300_799

/** The chain as JSON-RPC nodes tell it. What they say is checked before it is believed, and the next one asked if not. */
export function rpcChain({ rpc, multicall }: Needs): Chain {
  const block = [
    { to: multicall, data: GET_BLOCK_NUMBER },
    { to: multicall, data: GET_BLOCK_TIMESTAMP },
  ]
  const reading = (calls: readonly Call[], at: Hex | 'latest' = 'latest'): RpcCall => {
    const data = encodeAggregate3([...block, ...calls])
    return { method: 'eth_call', params: [{ to: multicall, data }, at] }
  }
  return {
    read: (calls, signal) => rpc.ask([reading(calls)], { signal, read: ([all]) => readAll(all, calls.length) }),
    async readAgreed(calls, signal) {
      const question = {
        calls: (at: Hex | 'latest') => [reading(calls, at)],
        read: ([all]: Outcomes) => readAll(all, calls.length),
        blockNumber: ({ block }: Reading) => block.number,
        isSame: isDeepStrictEqual,
      }
      const agreement = await rpc.agree<Reading>(question, signal)
      return agreement.kind === 'agreed' ? { kind: 'agreed', ...agreement.answer } : agreement
    },
    readWithGasPrice: (calls, signal) =>
      rpc.ask([reading(calls), GAS_PRICE], {
        signal,
        read([all, price]) {
          const gasPrice = numberOf(price, MAX_GAS_PRICE) ?? fail('it does not tell the gas price')
          return { ...readAll(all, calls.length), gasPrice }
        },
      }),
    async tryOut(draft, signal) {
      const isPaid = draft.value > 0n
      const trial = await rpc.ask(trialOf(draft, isPaid), { signal, read: readTrial })
      if (trial) return trial
      // A node that lends nothing: on mainnet the zero address has plenty of its own, and what is paid for may be paid
      // by anybody. One that asks for a purse where nothing is paid: it is lent.
      const again = isPaid ? trialOf({ ...draft, from: NOBODY }, false) : trialOf(draft, true)
      const second = await rpc.ask(again, { signal, read: readTrial })
      return second ?? fail('it judges the sender instead of the transaction')
    },
    transaction(hash, signal) {
      const questions = ['eth_getTransactionReceipt', 'eth_getTransactionByHash']
      const calls = questions.map((method) => ({ method, params: [hash] }))
      return rpc.ask(calls, { signal, read: (outcomes) => readTransaction(outcomes, hash) })
    },
  }
}

function readAll(outcome: RpcOutcome | undefined, count: number): Reading {
  try {
    const [number, timestamp, ...returned] = decodeAggregate3(resultOf(outcome), count + 2)
    return {
      returned,
      block: {
        number: integerOf(number, Number.MAX_SAFE_INTEGER),
        timestamp: integerOf(timestamp, LATEST_SECOND),
      },
    }
  } catch (error) {
    if (error instanceof MulticallError) return fail('its answer to Multicall3 cannot be read', error)
    throw error
  }
}

function integerOf(returned: Returned | undefined, most: number): number {
  const isWord = returned?.ok === true && returned.data.length === 66
  const number = isWord ? Number(returned.data) : Number.NaN
  return number <= most ? number : fail('it does not tell the block')
}

/** Where the sender may be short of what is paid, the node is told to imagine otherwise: we ask about the contract. */
function trialOf({ from = NOBODY, to, data, value }: Draft, isSponsored: boolean): RpcCall[] {
  const plain = [{ from, to, data, ...(value > 0n && { value: `0x${value.toString(16)}` }) }, 'latest']
  const params = isSponsored ? [...plain, { [from]: { balance: PLENTY } }] : plain
  const trial = [{ method: 'eth_call', params }, GAS_PRICE, { method: 'eth_estimateGas', params }]
  // Many nodes that lend to a call do not lend to an estimate; most senders can pay for themselves.
  return isSponsored ? [...trial, { method: 'eth_estimateGas', params: plain }] : trial
}

/** Null where the node judged the sender's purse instead of the transaction. */
function readTrial([call, gasPrice, ...estimates]: Outcomes): Trial | null {
  const execution = parseExecution(call)
  switch (execution.kind) {
    case 'unfunded':
    case 'refused':
      return null
    case 'failed':
      return fail(`it could not try out a transaction: ${execution.why}`)
    case 'returned':
    case 'reverted':
      return {
        outcome: { ok: execution.kind === 'returned', data: execution.data },
        gas: estimates.map((gas) => numberOf(gas, MAX_GAS)).find((gas) => gas !== null) ?? null,
        gasPrice: numberOf(gasPrice, MAX_GAS_PRICE),
      }
  }
}

function readTransaction([first, second]: Outcomes, hash: Hex): TransactionState {
  try {
    const receipt = parseReceipt(resultOf(first), hash)
    if (receipt) return { kind: 'mined', ...receipt }
    return { kind: isKnown(resultOf(second), hash) ? 'pending' : 'unseen' }
  } catch (error) {
    if (error instanceof TransactionError) return fail('its answer about a transaction cannot be read', error)
    throw error
  }
}

function resultOf(outcome: RpcOutcome | undefined): unknown {
  if (outcome?.ok) return outcome.result
  return fail(outcome ? `it answered ${outcome.code}: ${outcome.message}` : 'it did not answer')
}

const numberOf = (outcome: RpcOutcome | undefined, most: bigint): bigint | null =>
  outcome?.ok ? parseQuantity(outcome.result, most) : null

function fail(why: string, cause?: unknown): never {
  throw new UpstreamError('unavailable', `an Ethereum node failed: ${why}`, { cause })
}
