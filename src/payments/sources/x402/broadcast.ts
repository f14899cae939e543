import type { Log } from '../../../kernel/log.ts'
import { parseQuantity } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc } from '../../../protocols/ethereum/rpc.ts'
import type { Hex } from '../../scheme.ts'
import { fail, resultOf } from './chain.ts'

type Needs = { readonly rpc: Pick<EthereumRpc, 'ask'>; readonly address: Hex; readonly log: Log }
type Signed = { readonly raw: Hex; readonly hash: Hex }

/** Hands transactions to a node. */
export type Broadcast = {
  /** Throws UpstreamError where nobody knows. */
  push(signed: Signed): Promise<Fate>
  /** Whether it stands in a block, with whatever outcome. */
  isMined(hash: Hex): Promise<boolean>
  /** The number of the next transaction, as the node sees it. */
  pendingCount(): Promise<number>
}

/** The node has it; or its number went to another; or the node does not want it. */
export type Fate = 'taken' | 'passed' | 'refused'

/** Nodes have no codes for these, so their words have to do. */
const KNOWN = /already known|known transaction|already (?:imported|exists|in mempool)/i
const NUMBER_GONE = /nonce (?:is )?too low|nonce has already been used|replacement .*underpriced|could not replace/i
const NO_FUNDS = /insufficient (?:funds|balance)|enough (?:funds|balance)/i
const MAX_COUNT = 2n ** 48n

export function createBroadcast({ rpc, address, log }: Needs): Broadcast {
  const isThere = (methods: readonly string[], hash: Hex): Promise<boolean> => {
    const calls = methods.map((method) => ({ method, params: [hash] }))
    return rpc.ask(calls, { read: (outcomes) => outcomes.some((one) => resultOf(one) !== null) })
  }

  return {
    async push({ raw, hash }) {
      const send = () => rpc.ask([{ method: 'eth_sendRawTransaction', params: [raw] }])
      // What is sent twice is still one transaction; and where an answer was lost, the second tells.
      const [outcome] = await send().catch(send)
      if (!outcome) return fail('it did not answer')
      if (outcome.ok || KNOWN.test(outcome.message)) return 'taken'
      if (NUMBER_GONE.test(outcome.message)) {
        // The one that has the number may be this one itself, sent before.
        const isOurs = await isThere(['eth_getTransactionReceipt', 'eth_getTransactionByHash'], hash)
        return isOurs ? 'taken' : 'passed'
      }
      const why = NO_FUNDS.test(outcome.message) ? 'the settlement key has too little ether for gas' : outcome.message
      log.error({ code: outcome.code, why, address }, 'a node did not take the transaction of a payment')
      return 'refused'
    },
    isMined: (hash) => isThere(['eth_getTransactionReceipt'], hash),
    pendingCount: () =>
      rpc.ask([{ method: 'eth_getTransactionCount', params: [address, 'pending'] }], {
        read: ([outcome]) => Number(parseQuantity(resultOf(outcome), MAX_COUNT) ?? fail('it cannot count')),
      }),
  }
}
