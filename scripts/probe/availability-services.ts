import { readFileSync } from 'node:fs'
import type { Config } from '../../src/app/settings/config.ts'
import { UpstreamError } from '../../src/kernel/errors.ts'
import type { Random } from '../../src/kernel/random.ts'
import type { Upstream } from '../../src/kernel/upstream/client.ts'
import type { AddressPolicy, HostLookup } from '../../src/kernel/upstream/guard.ts'
import { askService } from '../../src/protocols/whois43/das/client.ts'
import { DAS_SERVICES } from '../../src/protocols/whois43/das/services.ts'
import { parseServer } from '../../src/protocols/whois43/server.ts'
import { namesUnder, type NameNeeds } from './names.ts'
import { type Probe, UnexpectedShape } from './probe.ts'

type Needs = NameNeeds & {
  readonly config: Pick<Config, 'whoisServersFile'>
  readonly policy: AddressPolicy & { readonly lookup?: HostLookup }
  readonly upstream: Pick<Upstream, 'request'>
  readonly random: Random
}

/** The services by which registries say whether a name is available: a taken name and a free one each. */
export function availabilityServiceProbes(needs: Needs): Probe[] {
  const { config } = needs
  const named = config.whoisServersFile
    ? (JSON.parse(readFileSync(config.whoisServersFile, 'utf8')) as Record<string, string>)
    : {}
  return [...DAS_SERVICES].map(([registry, service]) => {
    const server = named[`${registry}:das`] ?? service.server
    return {
      group: 'Availability services',
      provider: `.${registry}`,
      host: server,
      async run(recorder, signal) {
        const address = parseServer(server, 43)
        if (!address) throw new Error(`${server} is not a server.`)
        // Most names of br are registered below a suffix.
        const { taken, free } = namesUnder(registry === 'br' ? 'com.br' : registry, needs)
        const ask = async (domain: string) => {
          const { answer, query, bytes } = await askService(needs, { ...service, server }, address, domain, signal)
          recorder.record(query, answer, bytes)
          if (answer === 'rate_limited') throw new UpstreamError('rate_limited', 'It says that it is asked too often.')
          return answer
        }
        const [first, second] = [await ask(taken), await ask(free)]
        if (first !== 'not_available') throw new UnexpectedShape(`${taken} is registered, and reads as ${first}.`)
        if (second !== 'available') throw new UnexpectedShape(`${free} is free, and reads as ${second}.`)
        return `${taken} not available, ${free} available`
      },
    }
  })
}
