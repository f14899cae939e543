import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Hex } from './hex.ts'
import type { RpcCall, RpcOutcome } from './messages.ts'
import type { Turn } from './node.ts'
import type { Member } from './order.ts'

/** A question that can be asked about any block, and answers that can be compared. */
export type Witnessed<T extends object> = {
  calls(block: Hex | 'latest'): readonly RpcCall[]
  /** An UpstreamError it throws is the failure of the node. */
  read(outcomes: RpcOutcome[]): T
  /** The block an answer is about. */
  blockNumber(answer: T): number
  isSame(first: T, second: T): boolean
}

export type Agreement<T> =
  | { readonly kind: 'agreed'; readonly answer: T }
  /** Several nodes answered, and no two of them alike. */
  | { readonly kind: 'disagreement' }
  /** One node answered, and none of the others could be compared with it. */
  | { readonly kind: 'alone' }

type Unanswered = { readonly kind: 'unanswered'; readonly failures: readonly UpstreamError[] }

type Needs = {
  readonly candidates: readonly Member[]
  askMember<T>(member: Member, calls: readonly RpcCall[], turn: Turn, read: (outcomes: RpcOutcome[]) => T): Promise<T>
  readonly clock: Clock
  readonly log: Log
  /** For the whole search. */
  readonly deadlineMs: number
  /** For a node that another one could replace. */
  readonly patienceMs: number
  readonly signal: AbortSignal | undefined
}

type Witness<T> = { readonly member: Member; readonly answer: T }

/**
 * Honest nodes are a block or two apart. A larger distance would let one node choose an old block, at which the others
 * confirm what has long changed.
 */
const MAX_HEAD_DISTANCE = 5
const MIN_TURN_MS = 50

/** Asks two nodes at once, and the next ones until two say the same. */
export async function findAgreement<T extends object>(
  question: Witnessed<T>,
  needs: Needs,
): Promise<Agreement<T> | Unanswered> {
  const { candidates, askMember, clock, log, deadlineMs, patienceMs, signal } = needs
  const { calls, read, blockNumber, isSame } = question
  const [first, second, ...spares] = candidates
  const failures: UpstreamError[] = []
  const began = clock.monotonic()

  /** Undefined where the node failed. */
  const askAt = async (member: Member, block: Hex | 'latest', maxMs: number): Promise<T | undefined> => {
    const leftMs = deadlineMs - (clock.monotonic() - began)
    const turn = { signal, deadlineMs: Math.max(Math.min(leftMs, maxMs), MIN_TURN_MS) }
    try {
      return await askMember(member, calls(block), turn, read)
    } catch (error) {
      signal?.throwIfAborted()
      if (!(error instanceof UpstreamError)) throw error
      failures.push(error)
      return undefined
    }
  }

  /** The node's answer, or that of the first spare that has one. Half of the time is left for a second question. */
  const hear = async (start: Member | undefined): Promise<Witness<T> | undefined> => {
    for (let member = start; member !== undefined; member = spares.shift()) {
      const answer = await askAt(member, 'latest', spares.length > 0 ? patienceMs : deadlineMs / 2)
      if (answer !== undefined) return { member, answer }
    }
    return undefined
  }

  let hasDisagreed = false
  /** What both say of the older of their blocks; undefined where it differs or could not be asked. */
  const compare = async (one: Witness<T>, other: Witness<T>): Promise<T | undefined> => {
    const distance = blockNumber(other.answer) - blockNumber(one.answer)
    const [older, newer] = distance < 0 ? [other, one] : [one, other]
    if (Math.abs(distance) <= MAX_HEAD_DISTANCE) {
      const block: Hex = `0x${blockNumber(older.answer).toString(16)}`
      const answer = distance === 0 ? newer.answer : await askAt(newer.member, block, deadlineMs)
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
