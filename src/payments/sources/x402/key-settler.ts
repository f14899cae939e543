import { LRUCache } from 'lru-cache'
import { privateKeyToAccount } from '../../../kernel/ethereum/signing.ts'
import { unlessAborted } from '../../../kernel/timeout.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { createConcurrencyLimit } from '../../../kernel/concurrency-limit.ts'
import type { Clock } from '../../../kernel/clock.ts'
import type { Log } from '../../../kernel/log.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import type { SentTransaction } from '../../ledger.ts'
import type { Hex, OnSending } from '../../scheme.ts'
import { createBroadcast } from './broadcast.ts'
import type { Fees, GasCap, GasPrices } from './fees.ts'
import type { Network } from './network.ts'
import { findStuck, type PendingTransaction, planReplacement, type TransactionCall } from './pending-transactions.ts'
import type { Sent, Settler } from './settler.ts'
import type { Transfer } from './transfer.ts'
import { expectedGas, feesFor, type Trial } from './trial.ts'

export type KeySettlerNeeds = {
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly network: Network
  /** Pays for gas. Only this process may use it: two processes would use the same nonces. */
  readonly key: Hex
  readonly gasCap: GasCap
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  /** Records a replacement of a stuck transaction before it is sent; nothing is sent if it throws. */
  readonly onReplacing?: (transfer: Transfer, transaction: SentTransaction) => Promise<void>
  /** Appended to the call data, so that the chain shows which ledger a settlement belongs to. */
  readonly ledgerTag?: Hex
}

type KeySettler = Settler & { readonly address: Hex; readonly sender: object }

const MAX_QUEUE = 1000
const MAX_SENT_TRANSACTIONS = 1000
const MAX_ATTEMPTS = 4

/**
 * Settles with our own key. A gap in the nonces of an account blocks all later transactions, so they are signed and sent
 * one at a time, and a nonce counts as used only after a node has accepted its transaction. A transaction that does not
 * get into a block blocks them, too: it is replaced by one with the same nonce and a higher fee.
 */
export function createKeySettler(needs: KeySettlerNeeds): KeySettler {
  const { rpc, network, key, gasCap, clock, log, ledgerTag = '0x' } = needs
  const account = parsePrivateKey(key)
  const address = account.address.toLowerCase() as Hex
  const { send: push, isMined, nextNonce: pendingCount, minedNonce } = createBroadcast({ rpc, address, log })
  const queue = createConcurrencyLimit({ name: 'settlement', maxConcurrent: 1, maxQueue: MAX_QUEUE })
  /** By payer and authorization nonce: settling again sends the same transaction instead of signing a new one. */
  const sent = new LRUCache<string, PendingTransaction>({ max: MAX_SENT_TRANSACTIONS })
  const pendingByNonce = new Map<number, PendingTransaction>()
  let knownNonce: number | undefined
  /** Nonces below it are used, even if a node that lags behind reports fewer. */
  let minNonce = 0

  const tagged = (data: Hex): Hex => `${data}${ledgerTag.slice(2)}`
  const sign = (call: TransactionCall, nonce: number, fees: Fees) =>
    account.signTransaction({ chainId: network.chainId, value: 0n, ...call, nonce, ...fees })

  const remember = (transaction: PendingTransaction): void => {
    sent.set(idOf(transaction.transfer), transaction)
    pendingByNonce.set(transaction.nonce, transaction)
  }

  const replace = async (stuck: PendingTransaction, prices: GasPrices): Promise<void> => {
    const nowMs = clock.now()
    const plan = planReplacement(stuck, { cap: gasCap, prices, nowMs, own: address })
    const about = { nonce: stuck.nonce, address }
    if (!plan) return log.warn(about, 'A settlement transaction is stuck, and gas costs more than the settings allow.')
    const { raw, hash } = await sign(plan.call, stuck.nonce, plan.fees)
    await needs.onReplacing?.(stuck.transfer, { hash, sender: address, nonce: stuck.nonce })
    // Remembered first: if the answer is lost, the node may have it all the same.
    remember({ ...stuck, ...plan, raw, hashes: [hash, ...stuck.hashes], sentAtMs: nowMs })
    const { result } = await push({ raw, hash })
    log.info({ ...about, result }, 'Replaced a stuck settlement transaction with a higher fee.')
  }

  const replaceStuck = async (prices: GasPrices): Promise<void> => {
    if (findStuck(pendingByNonce.values(), prices, clock.now()).length === 0) return
    const mined = await minedNonce()
    for (const nonce of pendingByNonce.keys()) if (nonce < mined) pendingByNonce.delete(nonce)
    for (const stuck of findStuck(pendingByNonce.values(), prices, clock.now())) await replace(stuck, prices)
  }

  const sendNext = async (transfer: Transfer, trial: Trial, onSending?: OnSending): Promise<Sent> => {
    const fees = feesFor(gasCap, transfer, trial)
    if (trial.prices) await replaceStuck(trial.prices)
    const before = sent.get(idOf(transfer))
    // A mined transaction must have failed: otherwise the authorization would be used and nothing left to settle.
    if (before && !(await isMined(before.hashes))) {
      const [hash = '0x'] = before.hashes
      const { result, receipt } = await push({ raw: before.raw, hash })
      if (result === 'accepted') return { hashes: before.hashes, receipt }
    }
    const call = { to: trial.call.to, data: tagged(trial.call.data), gas: trial.gas }
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const nonce = knownNonce ?? Math.max(await pendingCount(), minNonce)
      const { raw, hash } = await sign(call, nonce, fees)
      await onSending?.({ hash, sender: address, nonce })
      // Until a node responds, it is unknown whether this nonce is used; all lower ones are.
      knownNonce = undefined
      minNonce = nonce
      remember({
        nonce,
        transfer,
        call,
        expectedGas: expectedGas(trial),
        fees,
        raw,
        hashes: [hash],
        sentAtMs: clock.now(),
      })
      const { result, receipt } = await push({ raw, hash })
      if (result === 'accepted') {
        knownNonce = nonce + 1
        if (receipt) pendingByNonce.delete(nonce)
        return { hashes: [hash], receipt }
      }
      sent.delete(idOf(transfer))
      pendingByNonce.delete(nonce)
      if (result === 'refused') throw new UpstreamError('unavailable', 'the node refused the transaction of a payment')
      minNonce = nonce + 1
    }
    throw new UpstreamError('unavailable', 'another process sends transactions with the settlement key')
  }

  return {
    address,
    sender: { address, gasCap },
    // The scheme has tried the transfer already.
    verify: async () => {},
    // An aborted caller does not wait, but the send is finished: the next one needs to know the nonce.
    send: ({ transfer }, trial, signal, onSending) =>
      unlessAborted(
        queue.run(() => sendNext(transfer, trial, onSending), signal),
        signal,
      ),
    onUnconfirmed() {
      knownNonce = undefined
      minNonce = 0
    },
  }
}

const idOf = ({ from, nonce }: Transfer): string => `${from}:${nonce}`

const PRIVATE_KEY = /^0x[0-9a-fA-F]{64}$/

/** Throws without repeating the key. */
export function parsePrivateKey(key: Hex): ReturnType<typeof privateKeyToAccount> {
  try {
    if (PRIVATE_KEY.test(key)) return privateKeyToAccount(key)
  } catch {
    // Zero, or above the order of the curve.
  }
  throw new Error('The settlement key is not a private key: 0x and 64 hexadecimal digits.')
}
