import type { Log } from '../../../kernel/log.ts'
import { parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import type { Hex } from '../../scheme.ts'
import { failNode, resultOf } from './chain.ts'

type Needs = { readonly rpc: Pick<EthereumRpc, 'ask'>; readonly address: Hex; readonly log: Log }
type SignedTransaction = { readonly raw: Hex; readonly hash: Hex }

/** Hands transactions to a node. */
export type Broadcast = {
  /** Throws UpstreamError where nobody knows. */
  send(signed: SignedTransaction): Promise<BroadcastResult>
  /** Whether it stands in a block, with whatever outcome. */
  isMined(hash: Hex): Promise<boolean>
  /** The number of the next transaction, as the node sees it. */
  nextNonce(): Promise<number>
}

/** The node has it; or its number went to another; or the node does not want it. */
export type BroadcastResult = 'taken' | 'passed' | 'refused'

/** Nodes have no codes for these, so their words have to do. */
const ALREADY_KNOWN = /already known|known transaction|already (?:imported|exists|in mempool)/i
const NONCE_USED = /nonce (?:is )?too low|nonce has already been used|replacement .*underpriced|could not replace/i
const INSUFFICIENT_FUNDS = /insufficient (?:funds|balance)|enough (?:funds|balance)/i
const MAX_NONCE = 2n ** 48n

export function createBroadcast({ rpc, address, log }: Needs): Broadcast {
  const isKnown = (methods: readonly string[], hash: Hex): Promise<boolean> => {
    const calls = methods.map((method) => ({ method, params: [hash] }))
    return rpc.ask(calls, { read: (outcomes) => outcomes.some((one) => resultOf(one) !== null) })
  }

  return {
    async send({ raw, hash }) {
      const send = () => rpc.ask([{ method: 'eth_sendRawTransaction', params: [raw] }])
      // What is sent twice is still one transaction; and where an answer was lost, the second tells.
      const [outcome] = await send().catch(send)
      if (!outcome) return failNode('it did not answer')
      if (outcome.ok || ALREADY_KNOWN.test(outcome.message)) return 'taken'
      if (NONCE_USED.test(outcome.message)) {
        // The one that has the number may be this one itself, sent before.
        const isOurs = await isKnown(['eth_getTransactionReceipt', 'eth_getTransactionByHash'], hash)
        return isOurs ? 'taken' : 'passed'
      }
      const why = INSUFFICIENT_FUNDS.test(outcome.message)
        ? 'the settlement key has too little ether for gas'
        : outcome.message
      log.error({ code: outcome.code, why, address }, 'a node did not take the transaction of a payment')
      return 'refused'
    },
    isMined: (hash) => isKnown(['eth_getTransactionReceipt'], hash),
    nextNonce: () =>
      rpc.ask([{ method: 'eth_getTransactionCount', params: [address, 'pending'] }], {
        read: ([outcome]) => Number(parseQuantity(resultOf(outcome), MAX_NONCE) ?? failNode('it cannot count')),
      }),
  }
}
