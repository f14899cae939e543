import { type Outbound, USER_AGENT } from '../../src/app/wiring/outbound.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import { github } from '../../src/presence/sources/open/github.ts'
import { gleif } from '../../src/presence/sources/open/gleif.ts'
import { itunes } from '../../src/presence/sources/open/itunes.ts'
import type { OpenServices, OpenSource } from '../../src/presence/sources/open/open-source.ts'
import { wikimedia } from '../../src/presence/sources/open/wikimedia.ts'
import { type Probe, UnexpectedShape } from './probe.ts'

type Needs = {
  readonly outbound: Outbound
  readonly clock: Clock
  /** Null for the services themselves. */
  readonly gateway: string | null
  readonly isSandbox: boolean
  /** A name that each of them knows. */
  readonly knownName: string
}

const HOSTS: Readonly<Record<string, string>> = {
  wikidata: 'www.wikidata.org',
  wikipedia: 'en.wikipedia.org',
  gleif: 'api.gleif.org',
  github: 'api.github.com',
  itunes: 'itunes.apple.com',
}

/** The open services that say where a name is in use. */
export function presenceProbes({ outbound, clock, gateway, isSandbox, knownName }: Needs): Probe[] {
  const sourcesFor = (services: OpenServices): readonly OpenSource[] => [
    ...wikimedia(services, clock),
    gleif(services, clock),
    github({ ...services, token: null, clock }),
    itunes(services, clock),
  ]
  return Object.entries(HOSTS).map(([id, host]) => ({
    group: 'Open knowledge',
    provider: id,
    host: gateway === null ? host : new URL(gateway).host,
    async run(recorder, signal) {
      const upstream = outbound.open('engines', { isInFile: () => isSandbox })
      try {
        const services = { upstream: recorder.upstream(upstream), userAgent: `${USER_AGENT} (probe)`, gateway }
        const found = await sourcesFor(services)
          .find((source) => source.id === id)!
          .find(knownName, signal)
        if (found.length === 0) throw new UnexpectedShape(`Nothing was read about ${knownName}, which it knows.`)
        return `${found.length} results for ${knownName}, the first is ${found[0]!.title}`
      } finally {
        await upstream.close()
      }
    },
  }))
}
