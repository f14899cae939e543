import type { Clock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Log } from '../../kernel/log.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import { type Agreement, findAgreement, type ComparableQuery } from './agreement.ts'
import type { RpcCall, RpcOutcome } from './json-rpc.ts'
import { createNode, type RequestOptions } from './node.ts'
import { createNodePool, type PoolMember, type NodeStats } from './node-pool.ts'

export type { RpcCall, RpcOutcome } from './json-rpc.ts'
export type { NodeStats } from './node-pool.ts'

/** Access to one chain through several nodes with failover. */
export type EthereumRpc = {
  /**
   * Sends all calls in one request to the first node that answers; a JSON-RPC error is an answer. Throws UpstreamError
   * if every node fails, and the signal's reason when aborted.
   */
  ask<T = RpcOutcome[]>(calls: readonly RpcCall[], options?: Reading<T>): Promise<T>
  /**
   * Sends the same query about the same block to two nodes and compares the answers. With a single configured node its
   * answer is trusted. Throws UpstreamError if no node answers, and the signal's reason when aborted.
   */
  agree<T extends object>(query: ComparableQuery<T>, signal?: AbortSignal): Promise<Agreement<T>>
  /** Throws if a node serves another chain. An unreachable node is ignored: it may come back. */
  verify(): Promise<void>
  stats(): readonly NodeStats[]
}

type Reading<T> = {
  readonly signal?: AbortSignal | undefined
  /** Validates the answers. An UpstreamError thrown here counts as a failure of the node. */
  readonly read?: (outcomes: RpcOutcome[]) => T
}

type Options = {
  readonly upstream: Pick<Upstream, 'request'>
  /** In order of preference. */
  readonly urls: readonly string[]
  readonly chainId: number
  readonly clock: Clock
  readonly log: Log
  /** For one request with all its retries. */
  readonly timeoutMs?: number
  /** Shared by all nodes except the last one. */
  readonly failoverTimeoutMs?: number
  /** How long a failed node is tried only after the others. */
  readonly cooldownMs?: number
  readonly maxBytes?: number
}

const VERIFY_TIMEOUT_MS = 2000

export function createEthereumRpc(options: Options): EthereumRpc {
  const {
    urls,
    clock,
    log,
    timeoutMs = 8000,
    failoverTimeoutMs = 1500,
    cooldownMs = 30_000,
    maxBytes = 4_194_304,
  } = options
  const nodes = urls.map((url, at) => {
    const name = urls.length === 1 ? 'the Ethereum node' : `Ethereum node ${at + 1} of ${urls.length}`
    return createNode({ ...options, url, name, maxBytes })
  })
  const pool = createNodePool(nodes, { clock, log, cooldownMs })

  const askMember = async <T>(
    member: PoolMember,
    calls: readonly RpcCall[],
    request: RequestOptions,
    read?: (outcomes: RpcOutcome[]) => T,
  ): Promise<T> => {
    const { succeeded, failed } = pool.begin(member)
    try {
      const outcomes = await member.node.ask(calls, request)
      const answer = read ? read(outcomes) : (outcomes as T)
      succeeded()
      return answer
    } catch (error) {
      request.signal?.throwIfAborted()
      if (error instanceof UpstreamError) failed(error)
      throw error
    }
  }

  const ask = async <T>(calls: readonly RpcCall[], { signal, read }: Reading<T> = {}): Promise<T> => {
    const candidates = pool.candidates()
    const began = clock.monotonic()
    const failures: UpstreamError[] = []
    for (const [at, member] of candidates.entries()) {
      const others = candidates.length - 1 - at
      const elapsedMs = clock.monotonic() - began
      const request = { signal, timeoutMs: attemptTimeoutMs({ elapsedMs, others, timeoutMs, failoverTimeoutMs }) }
      try {
        return await askMember(member, calls, request, read)
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
    async agree(query, signal) {
      const { calls, read } = query
      if (nodes.length === 1) return { kind: 'agreed', answer: await ask(calls('latest'), { signal, read }) }
      const candidates = pool.candidates()
      const found = await findAgreement(query, {
        candidates,
        askMember,
        clock,
        log,
        timeoutMs,
        failoverTimeoutMs,
        signal,
      })
      if (found.kind === 'unanswered') throw allFailed(found.failures, nodes.length)
      return found
    },
    async verify() {
      const request = { timeoutMs: Math.min(VERIFY_TIMEOUT_MS, timeoutMs), signal: undefined }
      await Promise.all(
        pool.members.map(async (member) => {
          member.node.doubt()
          const { succeeded, failed } = pool.begin(member)
          await member.node.ask([], request).then(succeeded, failed)
        }),
      )
      const wrong = nodes.filter(({ foreignChain }) => foreignChain !== undefined)
      if (wrong.length === 0) return
      const wrongNodes = wrong.map(({ name, foreignChain }) => `${name} serves chain ${foreignChain}`).join(', ')
      throw new Error(`${wrongNodes}; chain ${options.chainId} is needed. Check the JSON-RPC URLs in the settings.`)
    },
    stats: pool.stats,
  }
}

type AttemptTimes = {
  readonly elapsedMs: number
  readonly others: number
  readonly timeoutMs: number
  readonly failoverTimeoutMs: number
}

const MIN_REQUEST_MS = 50

/** The last node gets all the remaining time; the others share `failoverTimeoutMs`. */
function attemptTimeoutMs({ elapsedMs, others, timeoutMs, failoverTimeoutMs }: AttemptTimes): number {
  const leftMs = timeoutMs - elapsedMs
  const share = others === 0 ? leftMs : Math.min(leftMs, (failoverTimeoutMs - elapsedMs) / others)
  return Math.max(share, Math.min(MIN_REQUEST_MS, failoverTimeoutMs))
}

function allFailed(failures: readonly UpstreamError[], nodes: number): UpstreamError {
  const [first] = failures
  if (!first) {
    const why = nodes === 0 ? 'no Ethereum node is configured' : 'all Ethereum nodes serve another chain'
    return new UpstreamError('not_configured', why)
  }
  if (failures.length === 1) return first
  const isSameFailure = failures.every(({ failure }) => failure === first.failure)
  const waits = failures.map(({ retryAfterMs }) => retryAfterMs ?? 0)
  return new UpstreamError(
    isSameFailure ? first.failure : 'unavailable',
    failures.map(({ message }) => message).join(', '),
    { cause: failures.at(-1), retryAfterMs: waits.every((ms) => ms > 0) ? Math.min(...waits) : undefined },
  )
}
