import type { Clock } from '../../kernel/clock.ts'
import type { Hex } from '../scheme.ts'
import { createBlocks } from './blocks.ts'
import { type SimulatedNode, createSimulatedNode, type Method, TRANSACTION_REJECTED, RpcFault } from './rpc.ts'
import { createTempoAccounts } from './tempo-accounts.ts'
import { EXPIRING_NONCE_KEY, parseTempoTransaction, type TempoTransaction } from './tempo-transaction.ts'
import { createTip20, type TempoCall } from './tip20.ts'
import { createReplayGuard } from './token.ts'
import {
  type Fields,
  parseAddress,
  parseBytes,
  parseObject,
  parseQuantity,
  encodeQuantity,
  ZERO_ADDRESS,
} from './rpc-values.ts'

/** A simulated Tempo chain in this process, with one token. Its money is worth nothing. */
export type SimulatedTempo = SimulatedNode & {
  /** Mints tokens for an address, in millionths of a dollar. */
  fund(address: string, units: bigint): void
  balanceOf(address: string): bigint
  /** The account withdraws its authorization of an access key. */
  revokeKey(account: Hex, keyId: Hex): void
  /** Total token supply, in millionths of a dollar. */
  supply(): bigint
}

type Options = {
  readonly clock: Clock
  /** Address of the token that payments use. */
  readonly token: Hex
  /** Maximum number of transactions to keep. */
  readonly capacity?: number
}

const CHAIN_ID = 4217
const GENESIS_MS = Date.UTC(2026, 0, 1)
const BLOCK_MS = 500
const BASE_FEE_WEI = 20_000_000_000n
const TRANSFER_GAS = 94_287n
/** Maximum validity of a transaction with an expiring nonce. */
const MAX_VALIDITY_SECONDS = 30
const MAX_TRACKED_TRANSACTIONS = 100_000

/**
 * Does not simulate: fees (none are charged, and the fee token is ignored), changed rules of expiring nonces after a
 * hardfork, transfer policies, pauses, limits and scopes of access keys, multisig, sponsors, the exchange, a queue for
 * nonces to come, finality, and a real node's error messages or handling of duplicates. Transactions are decoded and
 * their signatures verified by ox, not by our code.
 */
export function createSimulatedTempo({ clock, token: address, capacity = 10_000 }: Options): SimulatedTempo {
  const blocks = createBlocks({
    clock,
    chainId: CHAIN_ID,
    genesisMs: GENESIS_MS,
    blockMs: BLOCK_MS,
    capacity,
    baseFee: () => BASE_FEE_WEI,
  })
  const token = createTip20(address)
  const accounts = createTempoAccounts()
  const replayGuard = createReplayGuard(MAX_TRACKED_TRANSACTIONS)

  async function send(raw: Hex): Promise<{ hash: Hex; receipt: object }> {
    const transaction = await parseTempoTransaction(raw)
    // Synchronous from here on, so no other transaction can interleave.
    const {
      hash,
      from,
      calls,
      replayKey: replay,
      nonceKey,
      nonce,
      validBefore = 0,
      gas,
      maxFee,
      feeToken,
    } = transaction
    assertValid(transaction, blocks.now())
    accounts.assertUsable(transaction, blocks.now())
    const isExpiring = nonceKey === EXPIRING_NONCE_KEY
    if (isExpiring && replayGuard.has(replay)) {
      throw new RpcFault(
        TRANSACTION_REJECTED,
        'Expiring nonce transaction replay: tx hash already seen and not expired',
      )
    }
    if (isExpiring) {
      replayGuard.assertCapacity(blocks.now())
      replayGuard.add(replay, validBefore)
    }
    accounts.commit(transaction)
    const execution = attempt(() => token.run(from, calls))
    execution?.commit()
    const receipt = blocks.mine({
      hash,
      from,
      to: calls[0]?.to ?? null,
      type: '0x76',
      nonce,
      input: '0x',
      succeeded: execution !== null,
      events: execution?.events ?? [],
      gas,
      gasUsed: gas < TRANSFER_GAS ? gas : TRANSFER_GAS,
      gasPrice: maxFee < BASE_FEE_WEI ? maxFee : BASE_FEE_WEI,
      extra: { feeToken: feeToken ?? token.address, feePayer: from },
    })
    return { hash, receipt }
  }

  const call = ([request]: readonly unknown[]): Hex => {
    const { from = ZERO_ADDRESS, to, data, input, calls, chainId, ...rules } = parseObject(request)
    assertChainId(chainId === undefined ? CHAIN_ID : Number(parseQuantity(chainId)))
    assertRules(parseAddress(from), rules)
    const parsedCalls = Array.isArray(calls)
      ? calls.map(parseCall)
      : to === undefined
        ? []
        : [parseCall({ to, data, input })]
    const [only] = parsedCalls
    const told = only && !Array.isArray(calls) ? accounts.call(only.to, only.data) : undefined
    if (told !== undefined) return told
    // A call to an account without code succeeds and returns nothing.
    if (!Array.isArray(calls) && parsedCalls.every((each) => each.to !== token.address)) return '0x'
    return token.run(parseAddress(from), parsedCalls).returned
  }

  /** The rules of a transaction that a trial applies, too: its times and its access key. */
  const assertRules = (from: Hex, { validBefore, validAfter, nonceKey, keyId, keyAuthorization }: Fields): void => {
    const isExpiring = nonceKey === undefined || parseQuantity(nonceKey) === EXPIRING_NONCE_KEY
    const times = { validBefore: parseSeconds(validBefore), validAfter: parseSeconds(validAfter) ?? 0, isExpiring }
    assertValidNow(times, blocks.now())
    if (keyId === undefined || keyId === null) return
    const authorized = keyAuthorization ? parseAddress(parseObject(keyAuthorization)['keyId']) : undefined
    if (authorized !== parseAddress(keyId)) accounts.assertKey(from, parseAddress(keyId), blocks.now())
  }

  const methods: Record<string, Method> = {
    ...blocks.methods,
    eth_call: call,
    eth_estimateGas(params) {
      call(params)
      return encodeQuantity(TRANSFER_GAS + 10_000n)
    },
    eth_getCode: ([of]) => (parseAddress(of) === token.address ? '0xef' : '0x'),
    // Tempo has no native coin; real nodes return this constant.
    eth_getBalance: () => encodeQuantity(0x9612084f0316e0ebd5182f398e5195a51b5ca47667d4c9b26c9b26c9b26c9b2n),
    eth_getTransactionCount: ([of]) => encodeQuantity(accounts.nonceOf(parseAddress(of), 0n)),
    eth_gasPrice: () => encodeQuantity(BASE_FEE_WEI),
    eth_maxPriorityFeePerGas: () => '0x0',
    eth_feeHistory: () => ({
      oldestBlock: blocks.methods['eth_blockNumber']!([]),
      baseFeePerGas: [encodeQuantity(BASE_FEE_WEI), encodeQuantity(BASE_FEE_WEI)],
      gasUsedRatio: [0],
      reward: [['0x0']],
    }),
    eth_sendRawTransaction: async ([raw]) => (await send(parseBytes(raw))).hash,
    eth_sendRawTransactionSync: async ([raw]) => (await send(parseBytes(raw))).receipt,
  }
  return {
    ...createSimulatedNode(methods),
    fund: token.balances.fund,
    balanceOf: token.balances.balanceOf,
    supply: token.balances.supply,
    revokeKey: accounts.revokeKey,
  }
}

function assertValid(transaction: TempoTransaction, now: number): void {
  assertChainId(transaction.chainId)
  if (transaction.gas < TRANSFER_GAS) throw new RpcFault(TRANSACTION_REJECTED, 'intrinsic gas too low')
  if (transaction.maxFee < BASE_FEE_WEI)
    throw new RpcFault(TRANSACTION_REJECTED, 'max fee per gas less than block base fee')
  assertValidNow({ ...transaction, isExpiring: transaction.nonceKey === EXPIRING_NONCE_KEY }, now)
}

function assertChainId(chainId: number): void {
  if (chainId !== CHAIN_ID) throw new RpcFault(TRANSACTION_REJECTED, 'invalid chain ID')
}

type Times = { readonly validBefore: number | undefined; readonly validAfter: number; readonly isExpiring: boolean }

function assertValidNow({ validBefore, validAfter, isExpiring }: Times, now: number): void {
  if (validBefore !== undefined && validBefore <= now)
    throw new RpcFault(TRANSACTION_REJECTED, `transaction expired: valid_before ${validBefore} <= ${now}`)
  if (isExpiring && validBefore !== undefined && validBefore > now + MAX_VALIDITY_SECONDS) {
    const max = now + MAX_VALIDITY_SECONDS
    throw new RpcFault(
      TRANSACTION_REJECTED,
      `Expiring nonce 'valid_before' ${validBefore} exceeds max allowed ${max} (must be within 30s)`,
    )
  }
  if (validAfter > now)
    throw new RpcFault(TRANSACTION_REJECTED, `transaction not valid yet: valid_after ${validAfter} > ${now}`)
}

const parseSeconds = (value: unknown): number | undefined =>
  value === undefined || value === null ? undefined : Number(parseQuantity(value))

function parseCall(value: unknown): TempoCall {
  const { to, data, input } = parseObject(value)
  return { to: parseAddress(to), data: parseBytes(data ?? input ?? '0x') }
}

/** Null if the contract reverts. */
function attempt<T>(run: () => T): T | null {
  try {
    return run()
  } catch (error) {
    if (error instanceof RpcFault) return null
    throw error
  }
}
