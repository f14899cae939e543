import { UpstreamError } from '../../../kernel/errors.ts'
import { isHex } from '../../../protocols/ethereum/hex.ts'
import type { EthereumRpc, RpcCall } from '../../../protocols/ethereum/rpc.ts'
import type { Hex } from '../../scheme.ts'
import { failNode, type Head, parseLogEntries, parseHead, resultOf } from './chain.ts'
import type { Network, Token } from './network.ts'
import { AUTHORIZATION_CANCELED, type LogEntry, authorizationTopics, type Transfer } from './transfer.ts'

/** Whether a nonce was used or cancelled, and in which transaction. */
export type AuthorizationUse = { readonly kind: 'used' | 'cancelled'; readonly transaction: Hex }

type Needs = { readonly rpc: Pick<EthereumRpc, 'ask'>; readonly network: Network; readonly token: Token }
type Search = { readonly transfer: Transfer; readonly head: Head; readonly since: number; readonly signal: AbortSignal }

/** Blocks per `eth_getLogs` call. Nodes limit it, some to a few, so smaller ranges follow on an error. */
const BLOCK_RANGES = [1000, 100, 10]
const RANGES_PER_REQUEST = 10
const MAX_REQUESTS = 50
/** The search may start this much earlier than necessary. */
const MAX_EARLY_SECONDS = 120
/** Guesses by block interval before the search falls back to bisection. */
const MAX_GUESSES = 4

/** Searches the log from the time `since`. Null if there is no event. */
export async function findAuthorizationUse(
  { rpc, network, token }: Needs,
  search: Search,
): Promise<AuthorizationUse | null> {
  const { transfer, head, signal } = search
  const { address } = token
  const topics = authorizationTopics(transfer)
  let from = await findBlockAt(rpc, network, search)
  let spans = BLOCK_RANGES
  for (let request = 0; from <= head.number && request < MAX_REQUESTS; request++) {
    const [span = 0] = spans
    const starts = Array.from({ length: RANGES_PER_REQUEST }, (_, at) => from + at * span)
    const calls = starts
      .filter((start) => start <= head.number)
      .map((start): RpcCall => {
        const range = { fromBlock: hex(start), toBlock: hex(Math.min(start + span - 1, head.number)) }
        return { method: 'eth_getLogs', params: [{ address, topics, ...range }] }
      })
    const outcomes = await rpc.ask(calls, { signal })
    if (outcomes.some(({ ok }) => !ok) && spans.length > 1) {
      spans = spans.slice(1)
      continue
    }
    const [entry] = outcomes.flatMap((outcome) => parseLogEntries<FoundEntry>(resultOf(outcome)))
    if (entry) return parseUse(entry)
    from += span * RANGES_PER_REQUEST
  }
  if (from <= head.number)
    throw new UpstreamError('unavailable', 'the event of a used payment is too far back in the log')
  return null
}

type FoundEntry = LogEntry & { readonly transactionHash?: unknown }

function parseUse({ topics, transactionHash }: FoundEntry): AuthorizationUse {
  if (!isHex(transactionHash)) return failNode('its log entry has no transaction hash')
  return {
    kind: topics[0] === AUTHORIZATION_CANCELED ? 'cancelled' : 'used',
    transaction: transactionHash.toLowerCase() as Hex,
  }
}

const hex = (number: number): Hex => `0x${number.toString(16)}`

/** The number of a block at the time `since` or shortly before. Usually takes one or two guesses. */
async function findBlockAt(
  rpc: Needs['rpc'],
  { blockSeconds }: Network,
  { head, since, signal }: Search,
): Promise<number> {
  if (head.timestamp <= since) return head.number
  let [low, high] = [0, head.number]
  let guess = high - (head.timestamp - since) / blockSeconds
  for (let guesses = 1; high - low > 1; guesses++) {
    const number = Math.min(Math.max(Math.floor(guess), low + 1), high - 1)
    const call = { method: 'eth_getBlockByNumber', params: [hex(number), false] }
    const { timestamp } = await rpc.ask([call], { signal, read: ([block]) => parseHead(resultOf(block)) })
    const late = timestamp - since
    if (late <= 0 && late > -MAX_EARLY_SECONDS) return number
    if (late > 0) high = number
    else low = number
    guess = guesses < MAX_GUESSES ? number - late / blockSeconds - 1 : (low + high) / 2
  }
  return low
}
