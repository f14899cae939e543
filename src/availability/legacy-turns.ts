import { CLIENTS_PER_NETWORK, networkOf } from '../kernel/client-network.ts'
import { createConcurrencyLimit, createKeyedLimits } from '../kernel/concurrency-limit.ts'
import { OverloadError, UpstreamError } from '../kernel/errors.ts'
import { sleepOrAbortReason } from '../kernel/sleep.ts'

/** Legacy checks of every TLD are not rate-limited, so their concurrency is. */
export type LegacyTurns = {
  /**
   * Runs `fn` when it is the client's turn. Throws an OverloadError if too many are waiting, or if the turn does not come
   * within `maxWaitMs`.
   */
  run<T>(client: string, fn: () => Promise<T>, options: TurnOptions): Promise<T>
}

type TurnOptions = { readonly maxWaitMs: number; readonly signal: AbortSignal }

type Options = {
  /** Maximum running and waiting, of all clients. */
  readonly maxConcurrent?: number
  readonly maxQueue?: number
  /** Sleeps; rejects on abort. */
  readonly sleep?: (ms: number, signal: AbortSignal) => Promise<void>
}

/** One at a time: a client that sends many waits for its own. */
const PER_CLIENT = { maxConcurrent: 1, maxQueue: 2 }
/** About the duration of one. */
const RETRY_AFTER_MS = 5_000

export function createLegacyTurns(options: Options = {}): LegacyTurns {
  const { maxConcurrent = 4, maxQueue = 64, sleep = sleepOrAbortReason } = options
  const all = createConcurrencyLimit({ name: 'legacy checks', maxConcurrent, maxQueue })
  const clients = createKeyedLimits({ ...PER_CLIENT, maxKeys: maxConcurrent + maxQueue })
  /** Checks running or waiting by /48 of IPv6. */
  const networks = new Map<string, number>()

  const count = (network: string, change: number): void => {
    const total = (networks.get(network) ?? 0) + change
    if (total === 0) networks.delete(network)
    else networks.set(network, total)
  }

  return {
    async run(client, fn, { maxWaitMs, signal }) {
      const network = networkOf(client)
      if (network !== undefined) {
        if ((networks.get(network) ?? 0) >= CLIENTS_PER_NETWORK) throw tooMany()
        count(network, 1)
      }
      const waiting = new AbortController()
      const hasTurn = new AbortController()
      void sleep(maxWaitMs, hasTurn.signal).then(
        () => waiting.abort(tooMany()),
        () => {},
      )
      const begin = () => {
        hasTurn.abort()
        return fn()
      }
      try {
        const whileWaiting = AbortSignal.any([signal, waiting.signal])
        return await clients.run(client, () => all.run(begin, whileWaiting), whileWaiting)
      } catch (error) {
        // The limit's own message names the client, which must not be logged.
        throw !hasTurn.signal.aborted && error instanceof UpstreamError ? tooMany() : error
      } finally {
        hasTurn.abort()
        if (network !== undefined) count(network, -1)
      }
    },
  }
}

const tooMany = (): OverloadError => new OverloadError('too many legacy checks are running or waiting', RETRY_AFTER_MS)
