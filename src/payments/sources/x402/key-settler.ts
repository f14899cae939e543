import { LRUCache } from 'lru-cache'
import { privateKeyToAccount } from 'viem/accounts'
import { keccak256 } from 'viem/utils'
import { unlessAborted } from '../../../kernel/deadline.ts'
import { UpstreamError } from '../../../kernel/errors.ts'
import { createConcurrencyLimit } from '../../../kernel/concurrency-limit.ts'
import type { Log } from '../../../kernel/log.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import type { Hex } from '../../scheme.ts'
import { createBroadcast } from './broadcast.ts'
import { GAS_LIMIT } from './chain.ts'
import { fetchSendConditions, type Fees } from './fees.ts'
import type { Network, Token } from './network.ts'
import type { Settler } from './settler.ts'
import { encodeTransfer, type Transfer } from './transfer.ts'

type Needs = {
  readonly rpc: Pick<EthereumRpc, 'ask'>
  readonly network: Network
  readonly token: Token
  /** Pays for gas. Only this process may use it: two that count the same transactions get in each other's way. */
  readonly key: Hex
  /** In wei: above it nothing is settled, and payments wait for better times. */
  readonly maxGasPrice: bigint
  readonly log: Log
}

type SentTransaction = { readonly raw: Hex; readonly hash: Hex }

const MAX_QUEUE = 1000
const MAX_SENT_TRANSACTIONS = 1000
const MAX_ATTEMPTS = 4

/**
 * Settles with a key of our own. Transactions of one account carry a number each, and one that is left out holds up all
 * that follow; so they are signed and sent one after the other, and only what a node has taken uses up its number.
 */
export function createKeySettler({ rpc, network, token, key, maxGasPrice, log }: Needs): Settler & { address: Hex } {
  const account = parsePrivateKey(key)
  const { address } = account
  const { send: push, isMined, nextNonce: pendingCount } = createBroadcast({ rpc, address, log })
  const queue = createConcurrencyLimit({ name: 'settlement', maxConcurrent: 1, maxQueue: MAX_QUEUE })
  /** By payer and nonce: what is settled again is sent again, and not signed anew. */
  const sent = new LRUCache<string, SentTransaction>({ max: MAX_SENT_TRANSACTIONS })
  let knownNonce: number | undefined
  /** What is known to be used up, whatever a node that is behind may say. */
  let minNonce = 0

  const sign = async (transfer: Transfer, nonce: number, fees: Fees): Promise<SentTransaction> => {
    const raw = await account.signTransaction({
      type: 'eip1559',
      chainId: network.chainId,
      to: token.address,
      data: encodeTransfer(transfer),
      value: 0n,
      gas: GAS_LIMIT,
      nonce,
      ...fees,
    })
    return { raw, hash: keccak256(raw) }
  }

  const sendNext = async (transfer: Transfer, fees: Fees): Promise<Hex> => {
    const id = `${transfer.from}:${transfer.nonce}`
    const before = sent.get(id)
    // One that stands in a block already has failed there, or there would be nothing left to settle.
    if (before && !(await isMined(before.hash)) && (await push(before)) === 'taken') return before.hash
    for (let tries = 0; tries < MAX_ATTEMPTS; tries++) {
      const nonce = knownNonce ?? Math.max(await pendingCount(), minNonce)
      const signed = await sign(transfer, nonce, fees)
      // Until a node has said so, nobody knows whether the number is used up; those before it are.
      knownNonce = undefined
      minNonce = nonce
      sent.set(id, signed)
      const fate = await push(signed)
      if (fate === 'taken') {
        knownNonce = nonce + 1
        return signed.hash
      }
      sent.delete(id)
      if (fate === 'refused') throw new UpstreamError('unavailable', 'no node takes the transaction of a payment')
      minNonce = nonce + 1
    }
    throw new UpstreamError('unavailable', 'somebody else sends transactions with the settlement key')
  }

  return {
    address: address.toLowerCase() as Hex,
    // Who can settle it ourselves need not ask anybody.
    verify: async () => {},
    async send(transfer, signal) {
      const { isUsed, fees } = await fetchSendConditions({ rpc, token, maxGasPrice }, transfer, signal)
      if (isUsed) return null
      // Whoever leaves is not waited for, but what was begun is finished: the next in line needs to know.
      return unlessAborted(
        queue.run(() => sendNext(transfer, fees), signal),
        signal,
      )
    },
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
    // Zero, or beyond the order of the curve.
  }
  throw new Error('The settlement key is not a private key: 0x and 64 hexadecimal digits.')
}
