import { type Names, type NamesOptions, startNames } from '../../sandbox/names/start.ts'
import type { Counters } from '../../sandbox/names/counters.ts'
import { serveIanaWhois } from './iana-whois.ts'
import { practise } from './practice.ts'

/**
 * The simulated internet in a process of its own, so that it takes no time from whoever is measured. Started with its
 * options as JSON; says on a line where it is, and tells over the parent's channel what it was asked.
 */
export type InternetQuestion = { readonly ask: 'counters' }
export type InternetPlaces = Pick<Names, 'settings' | 'registries' | 'caFile'> & {
  /** `127.0.0.1:PORT` of the WHOIS server that knows the WHOIS servers of all TLDs. */
  readonly ianaWhois: string
}

const options = JSON.parse(process.argv[2]!) as NamesOptions
await practise(options)
const names = await startNames(options)
const iana = await serveIanaWhois(options.latencyMs ?? 0)
process.on('message', (question: Partial<InternetQuestion>) => {
  if (question.ask === 'counters') process.send!(names.counters() satisfies Counters)
})
process.once('SIGTERM', () => {
  // The folder with the settings' files goes; whoever still hangs on a connection does not keep us.
  setTimeout(() => process.exit(0), 500).unref()
  void Promise.all([names.stop(), iana.stop()]).finally(() => process.exit(0))
})
const { settings, registries, caFile } = names
console.log(
  JSON.stringify({ places: { settings, registries, caFile, ianaWhois: iana.address } satisfies InternetPlaces }),
)
