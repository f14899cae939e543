/**
 * Simulated internets one after another, in one child process that is warm: a new world takes a fraction of the processor
 * time of a new process. See `world-pool.ts`.
 */
import type { Counters } from '../../sandbox/names/counters.ts'
import { type Names, type NamesOptions, startNames } from '../../sandbox/names/start.ts'
import { serveIanaWhois } from './iana-whois.ts'
import type { InternetPlaces } from './internet.ts'
import { warmUpInternet } from './warm-up.ts'

export type WorldRequest =
  /** Replaces the world; answered with its places. */
  { readonly ask: 'world'; readonly world: NamesOptions } | { readonly ask: 'counters' | 'reset counters' }

const STOP_TIMEOUT_MS = 500

let names: Names | undefined
let stopWorld = async (): Promise<void> => {}

async function startWorld(world: NamesOptions): Promise<InternetPlaces> {
  await stopWorld()
  const started = await startNames(world)
  const iana = await serveIanaWhois(world.latencyMs ?? 0)
  names = started
  stopWorld = async () => {
    const stopped = Promise.all([started.stop(), iana.stop()])
    // Does not wait for open connections.
    await Promise.race([stopped, new Promise((resolve) => setTimeout(resolve, STOP_TIMEOUT_MS).unref())])
  }
  const { settings, registries, caFile } = started
  return { settings, registries, caFile, ianaWhois: iana.address }
}

process.on('message', (request: Partial<WorldRequest>) => {
  if (request.ask === 'world') void startWorld(request.world!).then((places) => process.send!(places))
  if (request.ask === 'reset counters') names!.resetCounters()
  if (request.ask === 'counters' || request.ask === 'reset counters') {
    process.send!(names!.counters() satisfies Counters)
  }
})
process.once('SIGTERM', () => void stopWorld().finally(() => process.exit(0)))

process.channel!.ref()

await warmUpInternet({ tls: true })
console.log(JSON.stringify({ ready: true }))
