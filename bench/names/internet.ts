import { type Names, type NamesOptions, startNames } from '../../sandbox/names/start.ts'
import type { Counters } from '../../sandbox/names/counters.ts'
import { serveIanaWhois } from './iana-whois.ts'
import { warmUpInternet } from './warm-up.ts'

/**
 * The simulated internet, a child process, so that its CPU time is not counted. Its argument is its options as JSON. It
 * prints its addresses on one line and reports its request counters over the IPC channel.
 */
/** Both are answered with the counters. */
export type InternetRequest = { readonly ask: 'counters' | 'reset counters' }
export type InternetPlaces = Pick<Names, 'settings' | 'registries' | 'caFile'> & {
  /** `127.0.0.1:PORT` of the simulated whois.iana.org. */
  readonly ianaWhois: string
}

const STOP_TIMEOUT_MS = 500

const options = JSON.parse(process.argv[2]!) as NamesOptions
await warmUpInternet(options)
const names = await startNames(options)
const iana = await serveIanaWhois(options.latencyMs ?? 0)
process.on('message', ({ ask }: Partial<InternetRequest>) => {
  if (ask === 'reset counters') names.resetCounters()
  if (ask === 'counters' || ask === 'reset counters') process.send!(names.counters() satisfies Counters)
})
process.once('SIGTERM', () => {
  // Removes the temporary files, but does not wait for open connections.
  setTimeout(() => process.exit(0), STOP_TIMEOUT_MS).unref()
  void Promise.all([names.stop(), iana.stop()]).finally(() => process.exit(0))
})
const { settings, registries, caFile } = names
console.log(
  JSON.stringify({ places: { settings, registries, caFile, ianaWhois: iana.address } satisfies InternetPlaces }),
)
