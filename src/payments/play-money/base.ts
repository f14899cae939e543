import type { Clock } from '../../kernel/clock.ts'
import type { Hex } from '../scheme.ts'
import { createBlocks, type Event } from './blocks.ts'
import { createPool } from './pool.ts'
import { type SimulatedNode, createSimulatedNode, type Method } from './rpc.ts'
import { parseSignedTransaction, type SignedTransaction } from './signed-transaction.ts'
import { createMutex } from './token.ts'
import { createUsdc } from './usdc.ts'
import { parseAddress, parseBytes, parseObject, parseQuantity, encodeQuantity, ZERO_ADDRESS } from './rpc-values.ts'

/** A simulated Base chain in this process, with USDC as its only contract. Its money is worth nothing. */
export type SimulatedBase = SimulatedNode & {
  /** Mints USDC for an address, in millionths of a dollar. */
  fund(address: string, units: bigint): void
  balanceOf(address: string): bigint
  /** Total USDC supply, in millionths of a dollar. */
  supply(): bigint
  /** Sets the ether balance of an address; every account starts with 1 ether. */
  setEther(address: string, wei: bigint): void
  setBaseFee(wei: bigint): void
  /** While transactions are held back, none is mined; afterwards, all that bid enough are. */
  holdBack(isHeld: boolean): void
}

type Options = {
  readonly clock: Clock
  /** Address of the token, as on the real chain. */
  readonly usdc: Hex
  /** Maximum number of transactions to keep. */
  readonly capacity?: number
}

const CHAIN_ID = 8453
/** Time of block 0 of the real chain. */
const GENESIS_MS = 1_686_789_347_000
const BLOCK_MS = 2000
const INITIAL_BALANCE_WEI = 10n ** 18n
const INITIAL_BASE_FEE_WEI = 5_000_000n
const TIP_WEI = 1_000_000n
/** Gas of `transferWithAuthorization` of the real token, within a few hundred. */
const TRANSFER_GAS = 102_820n
const FAILED_TRANSFER_GAS = 35_000n
const MAX_AUTHORIZATIONS = 100_000

/** Does not simulate reorganisations, finality, real gas use or the rate limits of public nodes. */
export function createSimulatedBase({ clock, usdc: address, capacity = 10_000 }: Options): SimulatedBase {
  let baseFee = INITIAL_BASE_FEE_WEI
  const blocks = createBlocks({
    clock,
    chainId: CHAIN_ID,
    genesisMs: GENESIS_MS,
    blockMs: BLOCK_MS,
    capacity,
    baseFee: () => baseFee,
  })
  const usdc = createUsdc({ address, chainId: CHAIN_ID, capacity: MAX_AUTHORIZATIONS })
  const exclusive = createMutex()
  const isUsdc = (to: unknown) => typeof to === 'string' && to.toLowerCase() === usdc.address

  async function execute({ from, to, data, gas }: SignedTransaction): Promise<readonly Event[]> {
    if (!isUsdc(to)) return []
    const execution = await usdc.run(from, data, blocks.now())
    if (gas < TRANSFER_GAS) throw new RangeError('out of gas')
    execution.commit()
    return execution.events
  }

  const pool = createPool({
    initialBalanceWei: INITIAL_BALANCE_WEI,
    baseFee: () => baseFee,
    isMined: blocks.has,
    async mine(transaction) {
      const events = await execute(transaction).catch(() => null)
      const neededGas = events === null ? FAILED_TRANSFER_GAS : TRANSFER_GAS
      const gasUsed = neededGas < transaction.gas ? neededGas : transaction.gas
      const gasPrice = min(transaction.maxFee, baseFee + transaction.tip)
      const { hash, from, to, type, nonce, data: input, gas } = transaction
      const succeeded = events !== null
      blocks.mine({ hash, from, to, type, nonce, input, succeeded, events: events ?? [], gas, gasUsed, gasPrice })
      return { gasUsed, gasPrice }
    },
  })

  const call = async (params: readonly unknown[]): Promise<Hex> => {
    const { from = ZERO_ADDRESS, to, data, input } = parseObject(params[0])
    if (!isUsdc(to)) return '0x'
    return (await usdc.run(parseAddress(from), parseBytes(data ?? input ?? '0x'), blocks.now())).returned
  }

  const methods: Record<string, Method> = {
    ...blocks.methods,
    eth_call: call,
    async eth_estimateGas(params) {
      await call(params)
      return encodeQuantity(isUsdc(parseObject(params[0])['to']) ? TRANSFER_GAS + TRANSFER_GAS / 20n : 21_000n)
    },
    eth_getCode: ([of]) => (isUsdc(of) ? '0x60806040' : '0x'),
    eth_getBalance: ([of]) => encodeQuantity(pool.etherOf(parseAddress(of))),
    eth_getTransactionCount: ([of, tag]) =>
      encodeQuantity((tag === 'pending' ? pool.pendingNonceOf : pool.nonceOf)(parseAddress(of))),
    eth_gasPrice: () => encodeQuantity(baseFee + TIP_WEI),
    eth_maxPriorityFeePerGas: () => encodeQuantity(TIP_WEI),
    eth_feeHistory([count, , percentiles]) {
      const length = Math.min(Number(typeof count === 'number' ? count : parseQuantity(count)), 1024)
      const rewards = Array.isArray(percentiles) ? percentiles.map(() => encodeQuantity(TIP_WEI)) : undefined
      return {
        oldestBlock: blocks.methods['eth_blockNumber']!([]),
        baseFeePerGas: Array.from({ length: length + 1 }, () => encodeQuantity(baseFee)),
        gasUsedRatio: Array.from({ length }, () => 0.5),
        ...(rewards && { reward: Array.from({ length }, () => rewards) }),
      }
    },
    async eth_sendRawTransaction([raw]) {
      const transaction = parseSignedTransaction(parseBytes(raw), CHAIN_ID)
      await exclusive(() => pool.add(transaction))
      return transaction.hash
    },
  }

  return {
    ...createSimulatedNode(methods),
    fund: usdc.balances.fund,
    balanceOf: usdc.balances.balanceOf,
    supply: usdc.balances.supply,
    setEther: (of, wei) => pool.setEther(parseAddress(of), wei),
    setBaseFee(wei) {
      baseFee = wei
    },
    holdBack: (isHeld) => void exclusive(() => pool.holdBack(isHeld)),
  }
}

const min = (a: bigint, b: bigint): bigint => (a < b ? a : b)
