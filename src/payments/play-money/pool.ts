import type { Hex } from '../scheme.ts'
import { TRANSACTION_REJECTED, RpcFault } from './rpc.ts'
import type { SignedTransaction } from './signed-transaction.ts'

/** Mines transactions in the order of their sender's nonces, and charges gas in ether. */
export type Pool = {
  /** The nonce of the next transaction to be mined. */
  nonceOf(address: Hex): bigint
  /** The nonce after those that wait to be mined. */
  pendingNonceOf(address: Hex): bigint
  etherOf(address: Hex): bigint
  setEther(address: Hex, wei: bigint): void
  /** Adds a transaction and mines all that are due. Throws RpcFault if it is refused. */
  add(transaction: SignedTransaction): Promise<void>
  /** While transactions are held back, none is mined; afterwards, all that bid enough are. */
  holdBack(isHeld: boolean): Promise<void>
}

type Options = {
  /** Initial balance of every account. */
  readonly initialBalanceWei: bigint
  readonly baseFee: () => bigint
  readonly isMined: (hash: Hex) => boolean
  /** Executes it. A failed transaction is mined too. */
  readonly mine: (transaction: SignedTransaction) => Promise<{ gasUsed: bigint; gasPrice: bigint }>
}

const MIN_GAS = 21_000n
/** Queued transactions per account, as in geth. */
const MAX_QUEUE = 64
const MAX_SENDERS = 1000

export function createPool({ initialBalanceWei, baseFee, isMined, mine }: Options): Pool {
  const nonces = new Map<Hex, bigint>()
  const balances = new Map<Hex, bigint>()
  const queues = new Map<Hex, Map<bigint, SignedTransaction>>()
  let isHeld = false

  const nonceOf = (address: Hex) => nonces.get(address) ?? 0n
  const etherOf = (address: Hex) => balances.get(address) ?? initialBalanceWei
  const refuse = (message: string) => new RpcFault(TRANSACTION_REJECTED, message)

  function assertAcceptable({ hash, from, nonce, gas, maxFee, tip, value }: SignedTransaction): void {
    const next = nonceOf(from)
    const queued = queues.get(from)?.get(nonce)
    if (isMined(hash) || queued?.hash === hash) throw refuse('already known')
    if (nonce < next) throw refuse(`nonce too low: next nonce ${next}, tx nonce ${nonce}`)
    if (queued && !isHigherBid(queued, { maxFee, tip })) throw refuse('replacement transaction underpriced')
    if (gas < MIN_GAS) throw refuse(`intrinsic gas too low: gas ${gas}, minimum needed ${MIN_GAS}`)
    if (value !== 0n) throw refuse('the simulated chain moves no ether')
    if (maxFee < baseFee()) {
      throw refuse(`max fee per gas less than block base fee: maxFeePerGas ${maxFee}, baseFee ${baseFee()}`)
    }
    const cost = gas * maxFee + value
    if (etherOf(from) < cost) {
      throw refuse(`insufficient funds for gas * price + value: have ${etherOf(from)} want ${cost}`)
    }
  }

  async function mineDue(from: Hex, own: Map<bigint, SignedTransaction>): Promise<void> {
    const nextDue = () => {
      const next = isHeld ? undefined : own.get(nonceOf(from))
      return next && next.maxFee >= baseFee() ? next : undefined
    }
    for (let next = nextDue(); next; next = nextDue()) {
      own.delete(next.nonce)
      nonces.set(from, next.nonce + 1n)
      const { gasUsed, gasPrice } = await mine(next)
      const rest = etherOf(from) - gasUsed * gasPrice
      balances.set(from, rest < 0n ? 0n : rest)
    }
    if (own.size === 0) queues.delete(from)
  }

  return {
    nonceOf,
    pendingNonceOf(address) {
      let nonce = nonceOf(address)
      while (queues.get(address)?.has(nonce)) nonce++
      return nonce
    },
    etherOf,
    setEther: (address, wei) => void balances.set(address, wei),
    async add(transaction) {
      assertAcceptable(transaction)
      const { from, nonce } = transaction
      const own = queues.get(from) ?? new Map<bigint, SignedTransaction>()
      if (own.size >= MAX_QUEUE || (own.size === 0 && queues.size >= MAX_SENDERS)) throw refuse('txpool is full')
      own.set(nonce, transaction)
      queues.set(from, own)
      await mineDue(from, own)
    },
    async holdBack(next) {
      isHeld = next
      for (const [from, own] of queues) await mineDue(from, own)
    },
  }
}

type Bid = Pick<SignedTransaction, 'maxFee' | 'tip'>

/** geth replaces a transaction only if both fees are at least a tenth higher. */
const isHigherBid = (before: Bid, { maxFee, tip }: Bid): boolean =>
  maxFee * 10n >= before.maxFee * 11n && tip * 10n >= before.tip * 11n
