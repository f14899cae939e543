import {
  decodeFunctionData,
  encodeErrorResult,
  encodeFunctionResult,
  parseAbi,
  toEventSelector,
} from '../../kernel/ethereum/abi.ts'
import type { Hex } from '../scheme.ts'
import type { Event } from './blocks.ts'
import { REVERTED, RpcFault } from './rpc.ts'
import { createBalances, type Balances } from './token.ts'
import { encodeWord } from './rpc-values.ts'

const ABI = parseAbi([
  'function name() view returns (string)',
  'function symbol() view returns (string)',
  'function currency() view returns (string)',
  'function decimals() view returns (uint8)',
  'function paused() view returns (bool)',
  'function totalSupply() view returns (uint256)',
  'function balanceOf(address account) view returns (uint256)',
  'function transfer(address to, uint256 amount) returns (bool)',
  'function transferWithMemo(address to, uint256 amount, bytes32 memo)',
  'error InsufficientBalance(uint256 available, uint256 required, address token)',
  'error InvalidRecipient()',
])

const TRANSFER = toEventSelector('Transfer(address,address,uint256)')
const TRANSFER_WITH_MEMO = toEventSelector('TransferWithMemo(address,address,uint256,bytes32)')
/** Address prefix of tokens, which cannot receive transfers. */
const TOKEN_PREFIX = '0x20c000000000000000000000'

export type TempoCall = { readonly to: Hex; readonly data: Hex }

/** The parts of a TIP-20 dollar that payments need. */
export type Tip20 = {
  readonly address: Hex
  readonly balances: Balances
  /** Executes calls, all or none. Nothing changes before `commit`. Throws the revert. */
  run(sender: Hex, calls: readonly TempoCall[]): Execution
}

type Execution = { readonly returned: Hex; readonly events: readonly Event[]; commit(): void }
type Result = string | number | bigint | boolean
type Move = { readonly to: Hex; readonly amount: bigint }

export function createTip20(spelled: Hex): Tip20 {
  const address = spelled.toLowerCase() as Hex
  const purses = createBalances()
  const facts = { name: 'USDC.e', symbol: 'USDC.e', currency: 'USD', decimals: 6, paused: false } as const

  /** Executes one call. `available` includes the transfers of the calls before it. */
  function executeCall(sender: Hex, { to: contract, data }: TempoCall, available: (of: Hex) => bigint) {
    if (contract !== address) throw new RpcFault(REVERTED, 'execution reverted', '0x')
    const call = decode(data)
    const returning = (result: Result): Hex =>
      encodeFunctionResult({ abi: ABI, functionName: call.functionName, result })
    switch (call.functionName) {
      case 'balanceOf':
        return { returned: returning(available(call.args[0].toLowerCase() as Hex)), events: [] }
      case 'totalSupply':
        return { returned: returning(purses.supply()), events: [] }
      case 'transfer':
      case 'transferWithMemo':
        break
      default:
        return { returned: returning(facts[call.functionName]), events: [] }
    }
    const [payee, amount, memo] = call.args
    const to = payee.toLowerCase() as Hex
    if (BigInt(to) === 0n || to.startsWith(TOKEN_PREFIX)) throw revert({ errorName: 'InvalidRecipient' })
    const has = available(sender)
    if (has < amount) throw revert({ errorName: 'InsufficientBalance', args: [has, amount, address] })
    const parties = [encodeWord(sender), encodeWord(to)]
    const events: Event[] = [{ address, topics: [TRANSFER, ...parties], data: encodeWord(amount) }]
    if (memo !== undefined) {
      events.push({ address, topics: [TRANSFER_WITH_MEMO, ...parties, memo], data: encodeWord(amount) })
    }
    return { returned: memo === undefined ? returning(true) : ('0x' as const), events, move: { to, amount } }
  }

  return {
    address,
    balances: purses,
    run(sender, calls) {
      const moves: Move[] = []
      const available = (of: Hex): bigint =>
        moves.reduce(
          (sum, { to, amount }) => sum + (to === of ? amount : 0n) - (sender === of ? amount : 0n),
          purses.balanceOf(of),
        )
      const events: Event[] = []
      let returned: Hex = '0x'
      for (const call of calls) {
        const ran = executeCall(sender, call, available)
        if (ran.move) moves.push(ran.move)
        events.push(...ran.events)
        ;({ returned } = ran)
      }
      return {
        returned,
        events,
        commit() {
          for (const { to, amount } of moves) purses.move(sender, to, amount)
        },
      }
    },
  }
}

function decode(data: Hex) {
  try {
    return decodeFunctionData({ abi: ABI, data })
  } catch {
    throw new RpcFault(REVERTED, 'execution reverted', '0x')
  }
}

function revert(
  error: { errorName: 'InvalidRecipient' } | { errorName: 'InsufficientBalance'; args: readonly [bigint, bigint, Hex] },
): RpcFault {
  const data = encodeErrorResult({ abi: ABI, ...error })
  return new RpcFault(REVERTED, `execution reverted: ${error.errorName}`, data)
}
