import type { Service } from '../src/app/service.ts'
import type { Clock } from '../src/kernel/clock.ts'
import type { Random } from '../src/kernel/random.ts'

/**
 * A part of the simulated internet: one server, or several that must agree with each other. To add one, write a file
 * or folder that exports a `Simulator` and list it in `simulators.ts`; `docs/sandbox.md` has the steps.
 */
export type Simulator = {
  /** A short word: its row in the greeting, its folder, and part of its seed. */
  readonly name: string
  /** One line about what it simulates, for the greeting. */
  readonly about: string
  /** Listens on free loopback ports. If it fails, it closes what it opened. */
  start(context: SimulatorContext): Promise<RunningSimulator>
}

/** What the world passes to each simulator. */
export type SimulatorContext = {
  /** The seed of the world. Prefer `chance`; use this for values that tests compute on their own. */
  readonly seed: number
  readonly clock: Clock
  readonly wait: Wait
  /**
   * A random generator seeded with the world's seed, the simulator and a key (a name, an address). Its values do not
   * depend on earlier queries or on other simulators.
   */
  chance(key: string): Random
  /** An empty folder for this simulator, deleted when the world stops. */
  readonly folder: string
}

export type RunningSimulator = {
  /** The settings that point the service at this simulator. */
  readonly settings: Readonly<Record<string, string>>
  /** Addresses by label, for the greeting. */
  readonly addresses: Readonly<Record<string, string>>
  /** Commands to try, for the greeting. */
  tryThese(service: ServiceAddresses): readonly Suggestion[]
  /** Closes all connections, timers and sockets. */
  stop(): Promise<void>
}

export type ServiceAddresses = Pick<Service, 'url' | 'ensUrl' | 'metricsUrl' | 'payments'>

/** A URL with its expected status, or a command; and what it shows. */
export type Suggestion = { readonly shows: string } & (
  | { readonly url: string; readonly status: number }
  | { readonly command: string }
)

/** Sleeps; rejects on abort. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>
