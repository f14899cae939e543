import { LRUCache } from 'lru-cache'
import { privateKeyToAccount } from 'viem/accounts'
import { keccak256 } from 'viem/utils'
import { unlessAborted } from '../../../kernel/timeout.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { createConcurrencyLimit } from '../../../kernel/concurrency-limit.ts'
import type { Log } from '../../../kernel/log.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import type { Hex } from '../../scheme.ts'
import { createBroadcast } from './broadcast.ts'
import type { Fees, GasCap } from './fees.ts'
import type { Network, Token } from './network.ts'
import type { Settler } from './settler.ts'
import { encodeTransfer, type Transfer } from './transfer.ts'
import { feesFor, type Trial } from './trial.ts'

type Needs = {
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly network: Network
  readonly token: Token
  /** Pays for gas. Only this process may use it: two processes would use the same nonces. */
  readonly key: Hex
  readonly gasCap: GasCap
  readonly log: Log
}

type KeySettler = Settler & { readonly address: Hex; readonly sender: object }
type SentTransaction = { readonly raw: Hex; readonly hash: Hex }

const MAX_QUEUE = 1000
const MAX_SENT_TRANSACTIONS = 1000
const MAX_ATTEMPTS = 4

/**
 * Settles with our own key. A gap in the nonces of an account blocks all later transactions, so they are signed and sent
 * one at a time, and a nonce counts as used only after a node has accepted its transaction.
 */
export function createKeySettler({ rpc, network, token, key, gasCap, log }: Needs): KeySettler {
  const account = parsePrivateKey(key)
  const address = account.address.toLowerCase() as Hex
  const { send: push, isMined, nextNonce: pendingCount } = createBroadcast({ rpc, address, log })
  const queue = createConcurrencyLimit({ name: 'settlement', maxConcurrent: 1, maxQueue: MAX_QUEUE })
  /** By payer and authorization nonce: settling again sends the same transaction instead of signing a new one. */
  const sent = new LRUCache<string, SentTransaction>({ max: MAX_SENT_TRANSACTIONS })
  let knownNonce: number | undefined
  /** Nonces below it are used, even if a node that lags behind reports fewer. */
  let minNonce = 0

  const sign = async (transfer: Transfer, { isContract, gas }: Trial, nonce: number, fees: Fees) => {
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: network.chainId,
      to: token.address,
      data: encodeTransfer(transfer, isContract),
      value: 0n,
      gas,
      nonce,
      ...fees,
    })
    return { raw, hash: keccak256(raw) }
  }

  const sendNext = async (transfer: Transfer, trial: Trial): Promise<Hex> => {
    const id = `${transfer.from}:${transfer.nonce}`
    const fees = feesFor(gasCap, transfer, trial)
    const before = sent.get(id)
    // A mined transaction must have failed: otherwise the authorization would be used and nothing left to settle.
    if (before && !(await isMined(before.hash)) && (await push(before)) === 'accepted') return before.hash
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const nonce = knownNonce ?? Math.max(await pendingCount(), minNonce)
      const signed = await sign(transfer, trial, nonce, fees)
      // Until a node responds, it is unknown whether this nonce is used; all lower ones are.
      knownNonce = undefined
      minNonce = nonce
      sent.set(id, signed)
      const result = await push(signed)
      if (result === 'accepted') {
        knownNonce = nonce + 1
        return signed.hash
      }
      sent.delete(id)
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
    send: (transfer, trial, signal) =>
      unlessAborted(
        queue.run(() => sendNext(transfer, trial), signal),
        signal,
      ),
    onUnconfirmed() {
      knownNonce = undefined
      minNonce = 0
    },
  }
}

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
