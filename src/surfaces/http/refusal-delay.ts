import { LRUCache } from 'lru-cache'
import type { Clock } from '../../kernel/clock.ts'
import type { ApiError } from '../../kernel/errors.ts'
import { sleep } from '../../kernel/sleep.ts'
import type { DoorLoad } from './exchange.ts'

/**
 * Slows down clients that go on asking although they are over their rate limit. A refusal is cheap, but as many as a loop
 * can send would still take the processor from others.
 */
export type RefusalDelay = {
  /** Counts a refusal of this client; resolves when it may be sent. */
  wait(client: string): Promise<void>
}

export type RefusalDelayOptions = {
  readonly clock: Clock
  readonly wait?: ((ms: number) => Promise<void>) | undefined
  /** Clients whose refusals are counted. */
  readonly maxClients?: number
  /** Refusals held back at once, of all clients; further ones are sent at once. */
  readonly maxWaiting?: number
}

/** A client that reads Retry-After needs one; one with requests under way already gets a few more. */
export const MAX_PROMPT_REFUSALS = 20
const WINDOW_MS = 60_000
export const REFUSAL_DELAY_MS = 100

export function createRefusalDelay({
  clock,
  wait = (ms) => sleep(ms, undefined, { keepsProcessAlive: false }),
  maxClients = 10_000,
  maxWaiting = 1_000,
}: RefusalDelayOptions): RefusalDelay {
  const refusals = new LRUCache<string, { count: number; readonly until: number }>({ max: maxClients })
  let waiting = 0

  const count = (client: string): number => {
    const now = clock.monotonic()
    const known = refusals.get(client)
    if (known && now < known.until) return ++known.count
    refusals.set(client, { count: 1, until: now + WINDOW_MS })
    return 1
  }

  return {
    async wait(client) {
      if (count(client) <= MAX_PROMPT_REFUSALS || waiting >= maxWaiting) return
      waiting++
      try {
        await wait(REFUSAL_DELAY_MS)
      } finally {
        waiting--
      }
    },
  }
}

/** Throws the error; later if the client goes on asking above its limit. A door that is closing does not wait. */
export async function refuseLater(
  { refusalDelay, state }: { readonly refusalDelay: RefusalDelay; readonly state: DoorLoad },
  client: string,
  error: ApiError,
): Promise<never> {
  if (!state.draining) await refusalDelay.wait(client)
  throw error
}
