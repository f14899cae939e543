import type { Clock } from '../../kernel/clock.ts'
import type { Hex } from '../scheme.ts'
import { createBlocks } from './blocks.ts'
import { type Answering, answering, type Method, NOT_TAKEN, RpcFault } from './rpc.ts'
import { readTempoTransaction, type TempoTransaction } from './tempo-transaction.ts'
import { createTip20, type TempoCall } from './tip20.ts'
import { createSeen } from './token.ts'
import { addressOf, bytesOf, fieldsOf, numberOf, quantity, ZERO_ADDRESS } from './values.ts'

/** Tempo with one token on it, in this process and with money that is worth nothing. */
export type SimulatedTempo = Answering & {
  /** New money for an address, in millionths of a dollar. */
  fund(address: string, units: bigint): void
  balanceOf(address: string): bigint
  /** All money there is. */
  supply(): bigint
}

type Options = {
  readonly clock: Clock
  /** Address of the dollar payments are made in. */
  readonly token: Hex
  /** How many transactions are remembered. */
  readonly capacity?: number
}

const CHAIN_ID = 4217
const GENESIS_MS = Date.UTC(2026, 0, 1)
const BLOCK_MS = 500
const BASE_FEE = 20_000_000_000n
const GAS_OF_A_TRANSFER = 94_287n
/** Seconds a transaction with an expiring nonce may be good for. */
const LONGEST_VALIDITY = 30
const MAX_SEEN = 100_000

/**
 * What it does not prove about the real chain: that fees can be paid (none are taken, and the fee token is not looked
 * at), that a hardfork did not change the rules of expiring nonces, transfer policies, pauses, key authorizations,
 * signatures by passkeys or access keys, sponsors, nonces in sequence, finality, and how a real node words its refusals
 * or takes a transaction twice. A transaction is read by viem's own code for Tempo, not by ours.
 */
export function createSimulatedTempo({ clock, token: address, capacity = 10_000 }: Options): SimulatedTempo {
  const blocks = createBlocks({
    clock,
    chainId: CHAIN_ID,
    genesisMs: GENESIS_MS,
    blockMs: BLOCK_MS,
    capacity,
    baseFee: () => BASE_FEE,
  })
  const token = createTip20(address)
  const seen = createSeen(MAX_SEEN)

  async function send(raw: Hex): Promise<{ hash: Hex; receipt: object }> {
    const transaction = await readTempoTransaction(raw)
    // From here on nothing waits, so no other transaction comes in between.
    const { hash, from, calls, replay, validBefore, gas, maxFee, feeToken } = transaction
    mustBeValid(transaction, blocks.now())
    if (seen.has(replay)) {
      throw new RpcFault(NOT_TAKEN, 'Expiring nonce transaction replay: tx hash already seen and not expired')
    }
    seen.mustHaveRoom(blocks.now())
    seen.add(replay, validBefore)
    const execution = attempt(() => token.run(from, calls))
    execution?.commit()
    const receipt = blocks.mine({
      hash,
      from,
      to: calls[0]?.to ?? null,
      type: '0x76',
      nonce: 0n,
      input: '0x',
      succeeded: execution !== null,
      events: execution?.events ?? [],
      gas,
      gasUsed: gas < GAS_OF_A_TRANSFER ? gas : GAS_OF_A_TRANSFER,
      gasPrice: maxFee < BASE_FEE ? maxFee : BASE_FEE,
      extra: { feeToken: feeToken ?? token.address, feePayer: from },
    })
    return { hash, receipt }
  }

  const call = ([request]: readonly unknown[]): Hex => {
    const { from = ZERO_ADDRESS, to, data, input, calls, validBefore, validAfter, chainId } = fieldsOf(request)
    mustBeOurs(chainId === undefined ? CHAIN_ID : Number(numberOf(chainId)))
    const before = secondsOf(validBefore)
    if (before !== undefined) {
      mustBeInTime({ validBefore: before, validAfter: secondsOf(validAfter) ?? 0 }, blocks.now())
    }
    const asked = Array.isArray(calls) ? calls.map(callOf) : to === undefined ? [] : [callOf({ to, data, input })]
    // An account without code takes any call, and says nothing.
    if (!Array.isArray(calls) && asked.every((each) => each.to !== token.address)) return '0x'
    return token.run(addressOf(from), asked).returned
  }

  const methods: Record<string, Method> = {
    ...blocks.methods,
    eth_call: call,
    eth_estimateGas(params) {
      call(params)
      return quantity(GAS_OF_A_TRANSFER + 10_000n)
    },
    eth_getCode: ([of]) => (addressOf(of) === token.address ? '0xef' : '0x'),
    // There is no coin of its own on this chain; nodes show a number nobody has.
    eth_getBalance: () => quantity(0x9612084f0316e0ebd5182f398e5195a51b5ca47667d4c9b26c9b26c9b26c9b2n),
    eth_getTransactionCount: () => '0x0',
    eth_gasPrice: () => quantity(BASE_FEE),
    eth_maxPriorityFeePerGas: () => '0x0',
    eth_feeHistory: () => ({
      oldestBlock: blocks.methods['eth_blockNumber']!([]),
      baseFeePerGas: [quantity(BASE_FEE), quantity(BASE_FEE)],
      gasUsedRatio: [0],
      reward: [['0x0']],
    }),
    eth_sendRawTransaction: async ([raw]) => (await send(bytesOf(raw))).hash,
    eth_sendRawTransactionSync: async ([raw]) => (await send(bytesOf(raw))).receipt,
  }
  return {
    ...answering(methods),
    fund: token.purses.fund,
    balanceOf: token.purses.balanceOf,
    supply: token.purses.supply,
  }
}

function mustBeValid(transaction: TempoTransaction, now: number): void {
  mustBeOurs(transaction.chainId)
  if (transaction.gas < GAS_OF_A_TRANSFER) throw new RpcFault(NOT_TAKEN, 'intrinsic gas too low')
  if (transaction.maxFee < BASE_FEE) throw new RpcFault(NOT_TAKEN, 'max fee per gas less than block base fee')
  mustBeInTime(transaction, now)
}

function mustBeOurs(chainId: number): void {
  if (chainId !== CHAIN_ID) throw new RpcFault(NOT_TAKEN, 'invalid chain ID')
}

function mustBeInTime(
  { validBefore, validAfter }: { readonly validBefore: number; readonly validAfter: number },
  now: number,
): void {
  if (validBefore <= now) throw new RpcFault(NOT_TAKEN, `transaction expired: valid_before ${validBefore} <= ${now}`)
  if (validBefore > now + LONGEST_VALIDITY) {
    const most = now + LONGEST_VALIDITY
    throw new RpcFault(
      NOT_TAKEN,
      `Expiring nonce 'valid_before' ${validBefore} exceeds max allowed ${most} (must be within 30s)`,
    )
  }
  if (validAfter > now) throw new RpcFault(NOT_TAKEN, `transaction not valid yet: valid_after ${validAfter} > ${now}`)
}

const secondsOf = (value: unknown): number | undefined =>
  value === undefined || value === null ? undefined : Number(numberOf(value))

function callOf(value: unknown): TempoCall {
  const { to, data, input } = fieldsOf(value)
  return { to: addressOf(to), data: bytesOf(data ?? input ?? '0x') }
}

/** Null where a contract said no. */
function attempt<T>(run: () => T): T | null {
  try {
    return run()
  } catch (error) {
    if (error instanceof RpcFault) return null
    throw error
  }
}
