import { CLIENTS_PER_NETWORK, networkOf } from '../kernel/client-network.ts'
import { createConcurrencyLimit, createKeyedLimits } from '../kernel/concurrency-limit.ts'
import { UpstreamError } from '../kernel/errors.ts'

/** Legacy checks of every TLD are not rate-limited, so their concurrency is. */
export type LegacyTurns = {
  /** Runs `fn` when it is the client's turn. Throws `unavailable` with a time to wait if too many are waiting. */
  run<T>(client: string, fn: () => Promise<T>, signal: AbortSignal): Promise<T>
}

type Options = {
  /** Maximum running and waiting, of all clients. */
  readonly maxConcurrent?: number
  readonly maxQueue?: number
}

/** One at a time: a client that sends many waits for its own. */
const PER_CLIENT = { maxConcurrent: 1, maxQueue: 2 }
/** About the duration of one. */
const RETRY_AFTER_MS = 5_000

export function createLegacyTurns({ maxConcurrent = 4, maxQueue = 64 }: Options = {}): LegacyTurns {
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
    async run(client, fn, signal) {
      const network = networkOf(client)
      if (network !== undefined) {
        if ((networks.get(network) ?? 0) >= CLIENTS_PER_NETWORK) throw tooMany()
        count(network, 1)
      }
      let isRunning = false
      const begin = () => {
        isRunning = true
        return fn()
      }
      try {
        return await clients.run(client, () => all.run(begin, signal), signal)
      } catch (error) {
        // The limit's own message names the client, which must not be logged.
        throw !isRunning && error instanceof UpstreamError ? tooMany() : error
      } finally {
        if (network !== undefined) count(network, -1)
      }
    },
  }
}

const tooMany = (): UpstreamError =>
  new UpstreamError('unavailable', 'too many legacy checks are running or waiting', { retryAfterMs: RETRY_AFTER_MS })
