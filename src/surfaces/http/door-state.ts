import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/endpoint.ts'
import type { Log } from '../../kernel/log.ts'
import type { Metrics } from '../../kernel/metrics.ts'
import type { Random } from '../../kernel/random.ts'
import type { RateLimiter } from '../../kernel/rate-limit.ts'
import type { DoorLoad, Mount } from './exchange.ts'
import type { Checkout } from './paid.ts'
import { ratePolicy } from './rate-headers.ts'
import { createRefusalDelay, type RefusalDelay } from './refusal-delay.ts'
import { resources } from './resources.ts'

export type DoorNeeds = {
  readonly routes: readonly Route[]
  /** Addresses that are not endpoint values: documents, other protocols. */
  readonly mounts?: readonly Mount[]
  readonly limiter: RateLimiter
  /** For documents, screenshots and lists, which cost little: a limit of their own. None without it. */
  readonly documentLimiter?: RateLimiter | undefined
  /** Maximum requests being served at once, those without a rate limit excepted; further ones get 503. */
  readonly maxRequests?: number | undefined
  readonly isTrustedProxy: (address: string) => boolean
  /** The URL of the API, without a slash at its end, for links to the pages about errors. Links are relative without it. */
  readonly publicUrl?: (() => string) | undefined
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  readonly metrics: Pick<Metrics, 'answered'>
  /** Without it paid endpoints answer 503. */
  readonly checkout?: Checkout | undefined
  /** How refusals above the rate limit are delayed; a timer by default. */
  readonly wait?: ((ms: number) => Promise<void>) | undefined
}

/** The needs of the door, and what is computed from them once instead of per request. */
export type DoorState = DoorNeeds & {
  readonly find: ReturnType<typeof resources>
  /** A header line; undefined if there is no rate limit. */
  readonly ratePolicy: string | undefined
  readonly refusalDelay: RefusalDelay
  readonly state: DoorLoad
}

export const createDoorState = (needs: DoorNeeds): DoorState => ({
  ...needs,
  find: resources(needs.routes, needs.mounts ?? []),
  ratePolicy: ratePolicy(needs.limiter),
  refusalDelay: createRefusalDelay({ clock: needs.clock, wait: needs.wait }),
  state: { draining: false, active: 0, bodyBytes: 0 },
})
