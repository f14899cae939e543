import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '../src/kernel/clock.ts'
import { seededRandom } from '../src/kernel/random.ts'
import type { Running, ServiceAddresses, Simulator, Suggestion, Wait } from './simulator.ts'

/** A simulated internet, up and running. */
export type World = {
  readonly seed: number
  readonly simulators: readonly (Pick<Simulator, 'name' | 'about'> & Pick<Running, 'addresses'>)[]
  /** All that the service must be told in order to live in this world. */
  readonly settings: Readonly<Record<string, string>>
  tryThese(service: ServiceAddresses): readonly Suggestion[]
  /** A folder that goes away with the world. */
  readonly folder: string
  stop(): Promise<void>
}

type Options = {
  readonly seed?: number
  readonly clock?: Clock
  /** Tests hand in one that does not wait. */
  readonly wait?: Wait
}

const realWait: Wait = async (ms, signal) => {
  await sleep(ms, undefined, { signal })
}

/** Starts the simulators one after the other. When one cannot start, those before it are stopped again. */
export async function startWorld(
  simulators: readonly Simulator[],
  { seed = 1, clock = systemClock, wait = realWait }: Options = {},
): Promise<World> {
  const twice = simulators.find(({ name }, at) => simulators.findIndex((other) => other.name === name) !== at)
  if (twice) throw new Error(`Two simulators are called "${twice.name}".`)
  const folder = await mkdtemp(join(tmpdir(), 'onoma-sandbox-'))
  const started: { readonly simulator: Simulator; readonly running: Running }[] = []

  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= stopAll(started, folder))
  try {
    for (const simulator of simulators) {
      const { name } = simulator
      const own = join(folder, name)
      await mkdir(own)
      const chance = (thing: string) => seededRandom(seedOf(seed, name, thing))
      started.push({ simulator, running: await simulator.start({ seed, clock, wait, chance, folder: own }) })
    }
    return {
      seed,
      simulators: started.map(({ simulator: { name, about }, running: { addresses } }) => ({ name, about, addresses })),
      settings: mergedSettings(started),
      tryThese: (service) => started.flatMap(({ running }) => running.tryThese(service)),
      folder,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** One seed for each thing of each simulator: another simulator, or another question, changes nothing here. */
const seedOf = (seed: number, simulator: string, thing: string): number =>
  createHash('sha256')
    .update(JSON.stringify([seed, simulator, thing]))
    .digest()
    .readUInt32LE()

type Started = { readonly simulator: Pick<Simulator, 'name'>; readonly running: Running }

function mergedSettings(started: readonly Started[]): Record<string, string> {
  const owners = new Map<string, string>()
  const settings: Record<string, string> = {}
  for (const { simulator, running } of started) {
    for (const [name, value] of Object.entries(running.settings)) {
      const owner = owners.get(name)
      if (owner !== undefined) throw new Error(`The simulators "${owner}" and "${simulator.name}" both set ${name}.`)
      owners.set(name, simulator.name)
      settings[name] = value
    }
  }
  return settings
}

/** The last to start is the first to stop. One that fails to stop does not keep the others running. */
async function stopAll(started: readonly Started[], folder: string): Promise<void> {
  const failures: unknown[] = []
  for (const { running } of started.toReversed()) {
    try {
      await running.stop()
    } catch (error) {
      failures.push(error)
    }
  }
  await rm(folder, { recursive: true, force: true })
  if (failures.length > 0) throw new AggregateError(failures, 'A simulator could not be stopped.')
}
