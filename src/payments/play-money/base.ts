import type { Clock } from '../../kernel/clock.ts'
import type { Hex } from '../scheme.ts'
import { createBlocks, type Event } from './blocks.ts'
import { createPool } from './pool.ts'
import { type Answering, answering, type Method } from './rpc.ts'
import { readSigned, type SignedTransaction } from './signed.ts'
import { oneByOne } from './token.ts'
import { createUsdc } from './usdc.ts'
import { addressOf, bytesOf, fieldsOf, numberOf, quantity, ZERO_ADDRESS } from './values.ts'

/** Base with one contract on it, Circle's dollar, in this process and with money that is worth nothing. */
export type SimulatedBase = Answering & {
  /** New money for an address, in millionths of a dollar. */
  fund(address: string, units: bigint): void
  balanceOf(address: string): bigint
  /** All money there is. */
  supply(): bigint
  /** From now on the address has so much for gas; everybody begins with 1 ether. */
  setEther(address: string, wei: bigint): void
  /** From now on a unit of gas costs so much. */
  setBaseFee(wei: bigint): void
}

type Options = {
  readonly clock: Clock
  /** Of the token; that of the real chain, so that nothing else needs to be different. */
  readonly usdc: Hex
  /** How many transactions are remembered. */
  readonly capacity?: number
}

const CHAIN_ID = 8453
/** Block 0 of the real chain, and the time of each since. */
const GENESIS_MS = 1_686_789_347_000
const BLOCK_MS = 2000
const ETHER = 10n ** 18n
const USUAL_BASE_FEE = 5_000_000n
const TIP = 1_000_000n
/** What the real token takes for a transfer with authorization, within a few hundred. */
const GAS_OF_A_TRANSFER = 102_820n
const GAS_OF_A_FAILURE = 35_000n
const MAX_AUTHORIZATIONS = 100_000

/** A stand-in: it says nothing about reorganisations, finality, real gas or how a public node limits its callers. */
export function createSimulatedBase({ clock, usdc: address, capacity = 10_000 }: Options): SimulatedBase {
  let baseFee = USUAL_BASE_FEE
  const blocks = createBlocks({
    clock,
    chainId: CHAIN_ID,
    genesisMs: GENESIS_MS,
    blockMs: BLOCK_MS,
    capacity,
    baseFee: () => baseFee,
  })
  const usdc = createUsdc({ address, chainId: CHAIN_ID, capacity: MAX_AUTHORIZATIONS })
  const inTurn = oneByOne()
  const isUsdc = (to: unknown) => typeof to === 'string' && to.toLowerCase() === usdc.address

  async function execute({ from, to, data, gas }: SignedTransaction): Promise<readonly Event[]> {
    if (!isUsdc(to)) return []
    const execution = await usdc.run(from, data, blocks.now())
    if (gas < GAS_OF_A_TRANSFER) throw new RangeError('out of gas')
    execution.commit()
    return execution.events
  }

  const pool = createPool({
    ether: ETHER,
    baseFee: () => baseFee,
    isMined: blocks.has,
    async mine(transaction) {
      const events = await execute(transaction).catch(() => null)
      const wanted = events === null ? GAS_OF_A_FAILURE : GAS_OF_A_TRANSFER
      const gasUsed = wanted < transaction.gas ? wanted : transaction.gas
      const gasPrice = smaller(transaction.maxFee, baseFee + transaction.tip)
      const { hash, from, to, type, nonce, data: input, gas } = transaction
      const succeeded = events !== null
      blocks.mine({ hash, from, to, type, nonce, input, succeeded, events: events ?? [], gas, gasUsed, gasPrice })
      return { gasUsed, gasPrice }
    },
  })

  const call = async (params: readonly unknown[]): Promise<Hex> => {
    const { from = ZERO_ADDRESS, to, data, input } = fieldsOf(params[0])
    if (!isUsdc(to)) return '0x'
    return (await usdc.run(addressOf(from), bytesOf(data ?? input ?? '0x'), blocks.now())).returned
  }

  const methods: Record<string, Method> = {
    ...blocks.methods,
    eth_call: call,
    async eth_estimateGas(params) {
      await call(params)
      return quantity(isUsdc(fieldsOf(params[0])['to']) ? GAS_OF_A_TRANSFER + GAS_OF_A_TRANSFER / 20n : 21_000n)
    },
    eth_getCode: ([of]) => (isUsdc(of) ? '0x60806040' : '0x'),
    eth_getBalance: ([of]) => quantity(pool.etherOf(addressOf(of))),
    eth_getTransactionCount: ([of]) => quantity(pool.nonceOf(addressOf(of))),
    eth_gasPrice: () => quantity(baseFee + TIP),
    eth_maxPriorityFeePerGas: () => quantity(TIP),
    eth_feeHistory([count, , percentiles]) {
      const length = Math.min(Number(typeof count === 'number' ? count : numberOf(count)), 1024)
      const asked = Array.isArray(percentiles) ? percentiles.map(() => quantity(TIP)) : undefined
      return {
        oldestBlock: blocks.methods['eth_blockNumber']!([]),
        baseFeePerGas: Array.from({ length: length + 1 }, () => quantity(baseFee)),
        gasUsedRatio: Array.from({ length }, () => 0.5),
        ...(asked && { reward: Array.from({ length }, () => asked) }),
      }
    },
    async eth_sendRawTransaction([raw]) {
      const transaction = await readSigned(bytesOf(raw), CHAIN_ID)
      await inTurn(() => pool.add(transaction))
      return transaction.hash
    },
  }

  return {
    ...answering(methods),
    fund: usdc.purses.fund,
    balanceOf: usdc.purses.balanceOf,
    supply: usdc.purses.supply,
    setEther: (of, wei) => pool.setEther(addressOf(of), wei),
    setBaseFee(wei) {
      baseFee = wei
    },
  }
}

const smaller = (a: bigint, b: bigint): bigint => (a < b ? a : b)
