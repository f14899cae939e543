import type { Service } from '../src/app/service.ts'
import type { Clock } from '../src/kernel/clock.ts'
import type { Random } from '../src/kernel/random.ts'

/**
 * A piece of the simulated internet: one server, or a few that must agree with each other. To add one, write a file
 * (or a folder) that exports such a value and list it in `simulators.ts`; the command and the tests do the rest.
 */
export type Simulator = {
  /** A short word: its heading in the greeting, and part of its seed. */
  readonly name: string
  /** What it stands for, on one line. */
  readonly about: string
  /** Listens on free ports of the loopback. What a start that fails has opened, it closes itself. */
  start(surroundings: Surroundings): Promise<Running>
}

/** What a world gives to each of its simulators. */
export type Surroundings = {
  /** That of the world. Chance is better drawn by `chance`; this is for truths that tests work out for themselves. */
  readonly seed: number
  readonly clock: Clock
  readonly wait: Wait
  /**
   * Chance that is always the same for one thing (a name, an address) in a world of one seed. It depends neither on
   * what was asked before nor on the other simulators.
   */
  chance(thing: string): Random
  /** A folder of its own, empty at first; it goes away with the world. */
  readonly folder: string
}

export type Running = {
  /** What the service must be told in order to ask this simulator: names and values of settings. */
  readonly settings: Readonly<Record<string, string>>
  /** Where it listens, by what is there. */
  readonly addresses: Readonly<Record<string, string>>
  /** For the greeting: what somebody could try now. */
  tryThese(service: ServiceAddresses): readonly Suggestion[]
  /** Ends every connection, timer and socket. */
  stop(): Promise<void>
}

export type ServiceAddresses = Pick<Service, 'url' | 'ensUrl' | 'metricsUrl' | 'payments'>

/** An address to fetch and the status that must come back, or a command to run; and what there is to see. */
export type Suggestion = { readonly shows: string } & (
  | { readonly url: string; readonly status: number }
  | { readonly command: string }
)

/** Passes time. Rejects as soon as the signal aborts: nobody is there to wait for any more. */
export type Wait = (ms: number, signal: AbortSignal) => Promise<void>
