import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Hex } from './hex.ts'
import type { RpcCall, RpcOutcome } from './json-rpc.ts'
import type { RequestOptions } from './node.ts'
import type { PoolMember } from './node-pool.ts'

/** A query about a given block whose answers can be compared between nodes. */
export type ComparableQuery<T extends object> = {
  calls(block: Hex | 'latest'): readonly RpcCall[]
  /** An UpstreamError thrown here counts as a failure of the node. */
  read(outcomes: RpcOutcome[]): T
  /** The block an answer is about. */
  blockNumber(answer: T): number
  isSame(first: T, second: T): boolean
}

export type Agreement<T> =
  | { readonly kind: 'agreed'; readonly answer: T }
  /** Several nodes answered, and no two answers match. */
  | { readonly kind: 'disagreement' }
  /** Only one node gave a comparable answer. */
  | { readonly kind: 'alone' }

type Unanswered = { readonly kind: 'unanswered'; readonly failures: readonly UpstreamError[] }

type Needs = {
  readonly candidates: readonly PoolMember[]
  askMember<T>(
    member: PoolMember,
    calls: readonly RpcCall[],
    request: RequestOptions,
    read: (outcomes: RpcOutcome[]) => T,
  ): Promise<T>
  readonly clock: Clock
  readonly log: Log
  /** For the whole search. */
  readonly timeoutMs: number
  /** Timeout of a node while others are left to try. */
  readonly failoverTimeoutMs: number
  readonly signal: AbortSignal | undefined
}

type Witness<T> = { readonly member: PoolMember; readonly answer: T }

/**
 * Honest nodes are a block or two apart. A larger distance would let one node pick an old block, for which the others
 * confirm outdated state.
 */
const MAX_HEAD_DISTANCE = 5
const MIN_REQUEST_MS = 50

/** Asks two nodes concurrently, then further nodes until two answers match. */
export async function findAgreement<T extends object>(
  query: ComparableQuery<T>,
  needs: Needs,
): Promise<Agreement<T> | Unanswered> {
  const { candidates, askMember, clock, log, timeoutMs, failoverTimeoutMs, signal } = needs
  const { calls, read, blockNumber, isSame } = query
  const [first, second, ...spares] = candidates
  const failures: UpstreamError[] = []
  const began = clock.monotonic()

  /** Undefined if the node failed. */
  const askAt = async (member: PoolMember, block: Hex | 'latest', maxMs: number): Promise<T | undefined> => {
    const leftMs = timeoutMs - (clock.monotonic() - began)
    const request = { signal, timeoutMs: Math.max(Math.min(leftMs, maxMs), MIN_REQUEST_MS) }
    try {
      return await askMember(member, calls(block), request, read)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof UpstreamError)) throw error
      failures.push(error)
      return undefined
    }
  }

  /** The answer of the node, or of the first spare that answers. Leaves half of the timeout for the comparison. */
  const hear = async (start: PoolMember | undefined): Promise<Witness<T> | undefined> => {
    for (let member = start; member !== undefined; member = spares.shift()) {
      const answer = await askAt(member, 'latest', spares.length > 0 ? failoverTimeoutMs : timeoutMs / 2)
      if (answer !== undefined) return { member, answer }
    }
    return undefined
  }

  let hasDisagreed = false
  /** The answer both give for the older of their blocks; undefined if the answers differ or the request fails. */
  const compare = async (one: Witness<T>, other: Witness<T>): Promise<T | undefined> => {
    const distance = blockNumber(other.answer) - blockNumber(one.answer)
    const [older, newer] = distance < 0 ? [other, one] : [one, other]
    if (Math.abs(distance) <= MAX_HEAD_DISTANCE) {
      const block: Hex = `0x${blockNumber(older.answer).toString(16)}`
      const answer = distance === 0 ? newer.answer : await askAt(newer.member, block, timeoutMs)
      if (answer === undefined) return undefined
      if (isSame(older.answer, answer)) return older.answer
    }
    hasDisagreed = true
    const nodes = [one, other].map(({ member }) => member.node.name)
    const blocks = [one, other].map(({ answer }) => blockNumber(answer))
    log.warn({ nodes, blocks }, 'two Ethereum nodes disagree, and at least one of them is wrong')
    return undefined
  }

  const incoming = (await Promise.all([hear(first), hear(second)])).filter((witness) => witness !== undefined)
  const heard: Witness<T>[] = []
  const next = async () => incoming.shift() ?? hear(spares.shift())
  for (let witness = await next(); witness !== undefined; witness = await next()) {
    for (const earlier of heard) {
      const answer = await compare(earlier, witness)
      if (answer !== undefined) return { kind: 'agreed', answer }
    }
    heard.push(witness)
  }
  if (heard.length === 0) return { kind: 'unanswered', failures }
  return { kind: hasDisagreed ? 'disagreement' : 'alone' }
}
