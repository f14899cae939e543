import { UpstreamError } from '../../../kernel/errors.ts'
import type { Log } from '../../../kernel/log.ts'
import { parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc, RpcOutcome } from '../../../protocols/ethereum/rpc.ts'
import type { Hex } from '../../scheme.ts'
import { failNode, parseReceiptWithLogs, type Receipt, resultOf } from './chain.ts'

type Needs = { readonly rpc: Pick<EthereumRpc, 'ask'>; readonly address: Hex; readonly log: Log }
type SignedTransaction = { readonly raw: Hex; readonly hash: Hex }

/** Sends the transactions of one account to a node. */
export type Broadcast = {
  /** Throws UpstreamError if the outcome is unknown. */
  send(
    signed: SignedTransaction,
  ): Promise<{ readonly result: BroadcastResult; readonly receipt?: Receipt | null | undefined }>
  /** Whether one of them is in a block, successful or not. */
  isMined(hashes: readonly Hex[]): Promise<boolean>
  /** The nonce of the account's next transaction according to the node, including pending ones. */
  nextNonce(): Promise<number>
  /** The nonce after the account's last transaction in a block. */
  minedNonce(): Promise<number>
}

/** The node has it; its nonce was used by another transaction; or the node refuses it. */
export type BroadcastResult = 'accepted' | 'nonce-used' | 'refused'

/** Nodes have no shared error codes for these, so the messages are matched. */
const ALREADY_KNOWN = /already known|known transaction|already (?:imported|exists|in mempool)/i
const NONCE_USED = /nonce (?:is )?too low|nonce has already been used|replacement .*underpriced|could not replace/i
const INSUFFICIENT_FUNDS = /insufficient (?:funds|balance)|enough (?:funds|balance)/i
const MAX_NONCE = 2n ** 48n

export function createBroadcast({ rpc, address, log }: Needs): Broadcast {
  const isKnown = (methods: readonly string[], hashes: readonly Hex[]): Promise<boolean> => {
    const calls = hashes.flatMap((hash) => methods.map((method) => ({ method, params: [hash] })))
    return rpc.ask(calls, { read: (outcomes) => outcomes.some((one) => resultOf(one) !== null) })
  }

  const fetchNonce = (tag: 'pending' | 'latest'): Promise<number> =>
    rpc.ask([{ method: 'eth_getTransactionCount', params: [address, tag] }], {
      read: ([outcome]) =>
        Number(parseQuantity(resultOf(outcome), MAX_NONCE) ?? failNode('its transaction count is invalid')),
    })

  return {
    async send({ raw, hash }) {
      // The first look for the receipt comes in the same request: some chains have it at once.
      const receiptCall = { method: 'eth_getTransactionReceipt', params: [hash] }
      const send = () => rpc.ask([{ method: 'eth_sendRawTransaction', params: [raw] }, receiptCall])
      // Sending the same transaction twice is harmless, and the second response replaces one that was lost.
      const [outcome, mined] = await send().catch(send)
      if (!outcome) return failNode('it did not answer')
      if (outcome.ok || ALREADY_KNOWN.test(outcome.message))
        return { result: 'accepted', receipt: parseEarlyReceipt(mined, hash) }
      if (NONCE_USED.test(outcome.message)) {
        // The transaction with this nonce may be this one, sent before.
        const isOurs = await isKnown(['eth_getTransactionReceipt', 'eth_getTransactionByHash'], [hash])
        return { result: isOurs ? 'accepted' : 'nonce-used' }
      }
      const reason = INSUFFICIENT_FUNDS.test(outcome.message)
        ? 'the settlement key has too little ether for gas'
        : outcome.message
      log.error({ code: outcome.code, why: reason, address }, 'A node refused the transaction of a payment.')
      return { result: 'refused' }
    },
    isMined: (hashes) => isKnown(['eth_getTransactionReceipt'], hashes),
    nextNonce: () => fetchNonce('pending'),
    minedNonce: () => fetchNonce('latest'),
  }
}

/** Undefined if the answer cannot be used: the transaction was accepted, and its receipt is asked for again. */
function parseEarlyReceipt(outcome: RpcOutcome | undefined, hash: Hex): Receipt | null | undefined {
  try {
    return parseReceiptWithLogs(resultOf(outcome), hash)
  } catch (error) {
    if (error instanceof UpstreamError) return undefined
    throw error
  }
}
