import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '../src/kernel/clock.ts'
import { seededRandom } from '../src/kernel/random.ts'
import type { RunningSimulator, ServiceAddresses, Simulator, Suggestion, Wait } from './simulator.ts'

/** A running simulated internet. */
export type World = {
  readonly seed: number
  readonly simulators: readonly (Pick<Simulator, 'name' | 'about'> & Pick<RunningSimulator, 'addresses'>)[]
  /** The settings that point the service at all simulators. */
  readonly settings: Readonly<Record<string, string>>
  tryThese(service: ServiceAddresses): readonly Suggestion[]
  /** A temporary folder, deleted by `stop`. */
  readonly folder: string
  stop(): Promise<void>
}

type Options = {
  readonly seed?: number
  readonly clock?: Clock
  /** Tests pass one that returns at once. */
  readonly wait?: Wait
}

const realWait: Wait = async (ms, signal) => {
  await sleep(ms, undefined, { signal })
}

/** Starts the simulators one after another. If one fails to start, those before it are stopped. */
export async function startWorld(
  simulators: readonly Simulator[],
  { seed = 1, clock = systemClock, wait = realWait }: Options = {},
): Promise<World> {
  const duplicate = simulators.find(({ name }, at) => simulators.findIndex((other) => other.name === name) !== at)
  if (duplicate) throw new Error(`Two simulators are called "${duplicate.name}".`)
  const folder = await mkdtemp(join(tmpdir(), 'onoma-sandbox-'))
  const started: { readonly simulator: Simulator; readonly running: RunningSimulator }[] = []

  let stopped: Promise<void> | undefined
  const stop = (): Promise<void> => (stopped ??= stopAll(started, folder))
  try {
    for (const simulator of simulators) {
      const { name } = simulator
      const ownFolder = join(folder, name)
      await mkdir(ownFolder)
      const chance = (key: string) => seededRandom(deriveSeed(seed, name, key))
      started.push({ simulator, running: await simulator.start({ seed, clock, wait, chance, folder: ownFolder }) })
    }
    return {
      seed,
      simulators: started.map(({ simulator: { name, about }, running: { addresses } }) => ({ name, about, addresses })),
      settings: mergeSettings(started),
      tryThese: (service) => started.flatMap(({ running }) => running.tryThese(service)),
      folder,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

/** One seed per simulator and key, independent of other simulators and of earlier queries. */
const deriveSeed = (seed: number, simulator: string, key: string): number =>
  createHash('sha256')
    .update(JSON.stringify([seed, simulator, key]))
    .digest()
    .readUInt32LE()

type Started = { readonly simulator: Pick<Simulator, 'name'>; readonly running: RunningSimulator }

function mergeSettings(started: readonly Started[]): Record<string, string> {
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

/** Stops in reverse order. If one fails to stop, the others are stopped all the same. */
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
