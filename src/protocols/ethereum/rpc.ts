import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import { type Agreement, findAgreement, type Witnessed } from './agreement.ts'
import type { RpcCall, RpcOutcome } from './messages.ts'
import { createNode, type Turn } from './node.ts'
import { createOrder, type Member, type NodeStats } from './order.ts'

export type { RpcCall, RpcOutcome } from './messages.ts'
export type { NodeStats } from './order.ts'

/** One chain, told by several nodes of which one is enough. */
export type EthereumRpc = {
  /**
   * Asks all calls in one request, of the first node that answers; a node's own JSON-RPC error is an answer. Throws
   * UpstreamError where no node is left, and the signal's reason when aborted.
   */
  ask<T = RpcOutcome[]>(calls: readonly RpcCall[], options?: Reading<T>): Promise<T>
  /**
   * Asks two nodes the same question about the same block. A single configured node has nobody to be compared with, and
   * is believed. Throws UpstreamError where no node answers, and the signal's reason when aborted.
   */
  agree<T extends object>(question: Witnessed<T>, signal?: AbortSignal): Promise<Agreement<T>>
  /** Throws where a node serves another chain. One that cannot be reached is no reason: it may be back later. */
  verify(): Promise<void>
  stats(): readonly NodeStats[]
}

type Reading<T> = {
  readonly signal?: AbortSignal | undefined
  /** For those who can tell whether the answers are any good: an UpstreamError it throws is the failure of the node. */
  readonly read?: (outcomes: RpcOutcome[]) => T
}

type Options = {
  readonly upstream: Pick<Upstream, 'request'>
  /** In the order of preference. */
  readonly urls: readonly string[]
  readonly chainId: number
  readonly clock: Clock
  readonly log: Log
  /** For one question with all its tries. */
  readonly deadlineMs?: number
  /** For all nodes together that have another one behind them. */
  readonly patienceMs?: number
  /** How long a node that failed is asked only after the others. */
  readonly restMs?: number
  readonly maxBytes?: number
}

const VERIFY_MS = 2000

export function createEthereumRpc(options: Options): EthereumRpc {
  const { urls, clock, log, deadlineMs = 8000, patienceMs = 1500, restMs = 30_000, maxBytes = 4_194_304 } = options
  const nodes = urls.map((url, at) => {
    const name = urls.length === 1 ? 'the Ethereum node' : `Ethereum node ${at + 1} of ${urls.length}`
    return createNode({ ...options, url, name, maxBytes })
  })
  const order = createOrder(nodes, { clock, log, restMs })

  const askMember = async <T>(
    member: Member,
    calls: readonly RpcCall[],
    turn: Turn,
    read?: (outcomes: RpcOutcome[]) => T,
  ): Promise<T> => {
    const { succeeded, failed } = order.begin(member)
    try {
      const outcomes = await member.node.ask(calls, turn)
      const answer = read ? read(outcomes) : (outcomes as T)
      succeeded()
      return answer
    } catch (error) {
      turn.signal?.throwIfAborted()
      if (error instanceof UpstreamError) failed(error)
      throw error
    }
  }

  const ask = async <T>(calls: readonly RpcCall[], { signal, read }: Reading<T> = {}): Promise<T> => {
    const candidates = order.candidates()
    const began = clock.monotonic()
    const failures: UpstreamError[] = []
    for (const [at, member] of candidates.entries()) {
      const others = candidates.length - 1 - at
      const elapsedMs = clock.monotonic() - began
      const turn = { signal, deadlineMs: turnMs({ elapsedMs, others, deadlineMs, patienceMs }) }
      try {
        return await askMember(member, calls, turn, read)
      } catch (error) {
        signal?.throwIfAborted()
        if (!(error instanceof UpstreamError)) throw error
        failures.push(error)
      }
    }
    throw allFailed(failures, nodes.length)
  }

  return {
    ask,
    async agree(question, signal) {
      const { calls, read } = question
      if (nodes.length === 1) return { kind: 'agreed', answer: await ask(calls('latest'), { signal, read }) }
      const candidates = order.candidates()
      const found = await findAgreement(question, { candidates, askMember, clock, log, deadlineMs, patienceMs, signal })
      if (found.kind === 'unanswered') throw allFailed(found.failures, nodes.length)
      return found
    },
    async verify() {
      const turn = { deadlineMs: Math.min(VERIFY_MS, deadlineMs), signal: undefined }
      await Promise.all(
        order.members.map(async (member) => {
          member.node.doubt()
          const { succeeded, failed } = order.begin(member)
          await member.node.ask([], turn).then(succeeded, failed)
        }),
      )
      const wrong = nodes.filter(({ foreignChain }) => foreignChain !== undefined)
      if (wrong.length === 0) return
      const said = wrong.map(({ name, foreignChain }) => `${name} serves chain ${foreignChain}`).join(', ')
      throw new Error(`${said}; chain ${options.chainId} is needed. Check the JSON-RPC URLs in the settings.`)
    },
    stats: order.stats,
  }
}

type Times = {
  readonly elapsedMs: number
  readonly others: number
  readonly deadlineMs: number
  readonly patienceMs: number
}

const MIN_TURN_MS = 50

/** The last has all the time there is. The others share the patience, however many hang. */
function turnMs({ elapsedMs, others, deadlineMs, patienceMs }: Times): number {
  const left = deadlineMs - elapsedMs
  const share = others === 0 ? left : Math.min(left, (patienceMs - elapsedMs) / others)
  return Math.max(share, Math.min(MIN_TURN_MS, patienceMs))
}

function allFailed(failures: readonly UpstreamError[], nodes: number): UpstreamError {
  const [first] = failures
  if (!first) {
    const why = nodes === 0 ? 'no Ethereum node is configured' : 'all Ethereum nodes serve another chain'
    return new UpstreamError('not_configured', why)
  }
  if (failures.length === 1) return first
  const isOneWord = failures.every(({ failure }) => failure === first.failure)
  const waits = failures.map(({ retryAfterMs }) => retryAfterMs ?? 0)
  return new UpstreamError(
    isOneWord ? first.failure : 'unavailable',
    failures.map(({ message }) => message).join(', '),
    { cause: failures.at(-1), retryAfterMs: waits.every((ms) => ms > 0) ? Math.min(...waits) : undefined },
  )
}
