import type { NamesOptions } from '../../sandbox/names/start.ts'

/** Where an attack, or a victim, finds the service. */
export type Target = {
  readonly url: string
  /** The listener of `/metrics`. */
  readonly metricsUrl: string
  /** The process of the service. */
  readonly pid: number
}

/** One attack of `npm run bench:hostile`. Each has its own file here and a line in `attacks.ts`. */
export type Attack = {
  readonly name: string
  /** Starts the attack, in a process of its own. Resolves to the function that stops it. */
  start(target: Target): Promise<() => Promise<void>>
  /** One request of another client; rejects if it is not served. By default `GET /health` on a new connection. */
  victim?(target: Target): Promise<void>
  /** Pause between two requests of the victim; they are sent whether or not the last was answered. */
  readonly victimEveryMs?: number
  /** Requests of the victim before, and during, the attack. */
  readonly victimRequests?: number
  /** Maximum p50 of the victim under attack, as a multiple of its p50 before. */
  readonly maxRatio?: number
  /** Maximum p50 of the victim under attack, in milliseconds; judged in addition to the ratio. */
  readonly maxP50Ms?: number
  /** Settings of the service in addition to those in `service.ts`. */
  readonly env?: Readonly<Record<string, string>>
  /** The simulated registries and name servers. */
  readonly internet?: NamesOptions
}

export const MAX_RATIO = 3
