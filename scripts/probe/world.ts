import type { World } from '../../sandbox/world.ts'
import type { Config } from '../../src/app/settings/config.ts'
import { createOutbound, PROVIDERS } from '../../src/app/wiring/outbound.ts'
import { openRegistries } from '../../src/app/wiring/registries.ts'
import { openResolver } from '../../src/app/wiring/resolver.ts'
import type { Clock } from '../../src/kernel/clock.ts'
import type { Log } from '../../src/kernel/log.ts'
import type { Random } from '../../src/kernel/random.ts'
import { createWhois43 } from '../../src/protocols/whois43/client.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { auctionProbes } from './auctions.ts'
import { availabilityServiceProbes } from './availability-services.ts'
import { ethereumProbes } from './ethereum.ts'
import { FACILITATORS, facilitatorProbes } from './facilitators.ts'
import { IANA_FILES, IANA_WHOIS, ianaProbes } from './iana.ts'
import { presenceProbes } from './presence.ts'
import { priceProbes } from './prices.ts'
import type { Probe } from './probe.ts'
import { registryProbes } from './registries.ts'

/** What differs between the internet and the sandbox, besides the settings. */
export type Places = {
  readonly ianaFiles: string
  /** Null if it is not simulated. */
  readonly ianaWhois: string | null
  /** Asked in place of the open services; null for the services themselves. */
  readonly openGateway: string | null
  /** A name that the open services know. */
  readonly knownName: string
  readonly facilitators: typeof FACILITATORS
  /** A label that is registered under every TLD. */
  readonly takenLabel: string
  /** A registered ENS name, without `.eth`. */
  readonly takenEnsName: string
}

export const INTERNET: Places = {
  ianaFiles: IANA_FILES,
  ianaWhois: IANA_WHOIS,
  openGateway: null,
  knownName: 'apple',
  facilitators: FACILITATORS,
  takenLabel: 'google',
  takenEnsName: 'vitalik',
}

export function sandboxPlaces({ simulators }: Pick<World, 'simulators'>): Places {
  const addressOf = (simulator: string, label: string): string =>
    simulators.find(({ name }) => name === simulator)!.addresses[label]!
  return {
    ianaFiles: addressOf('iana', 'files'),
    ianaWhois: null,
    openGateway: addressOf('engines', 'open knowledge'),
    knownName: 'copper',
    facilitators: [],
    takenLabel: 'nic',
    takenEnsName: 'taken',
  }
}

type Needs = {
  readonly config: Config
  readonly places: Places
  readonly clock: Clock
  readonly random: Random
  readonly log: Log
  /** How many servers to ask per protocol of registries. */
  readonly registries: number
}

/** A probe of every provider, with the same clients as the service. The caller closes them after the probes. */
export async function openWorldProbes(needs: Needs): Promise<{ probes: readonly Probe[]; close(): Promise<void> }> {
  const { config, places, clock, random, log } = needs
  const catalogue = loadCatalogue()
  const resolver = openResolver({ config, clock, random, log })
  const outbound = createOutbound({ config, clock, log, resolveHost: resolver.resolveHost })
  const registries = openRegistries({ config, outbound, catalogue, clock, random, log, resolver })
  await registries.start()
  // In the sandbox every address is on loopback, and files name them.
  const isInFile = () => config.sandbox
  const upstream = outbound.open('registries', { isInFile })
  const policy = outbound.addressPolicy(['ONOMA_WHOIS_SERVERS'], isInFile)
  const whois = createWhois43({
    clock,
    ...policy,
    timeoutMs: PROVIDERS.registries.timeoutMs,
    maxBytes: 256 * 1024,
  })
  return {
    probes: [
      ...ianaProbes({
        upstream,
        base: places.ianaFiles,
        sandbox: config.sandbox,
        whois,
        whoisServer: places.ianaWhois,
      }),
      ...registryProbes({
        ...registries,
        catalogue,
        clock,
        random,
        upstream,
        whois,
        takenLabel: places.takenLabel,
        count: needs.registries,
      }),
      ...availabilityServiceProbes({ config, policy, upstream, random, takenLabel: places.takenLabel }),
      ...ethereumProbes({ config, outbound, clock, log, takenName: places.takenEnsName }),
      ...facilitatorProbes(outbound, places.facilitators),
      ...priceProbes(outbound, config.prices.url),
      ...auctionProbes({ config, upstream, clock }),
      ...presenceProbes({
        outbound,
        clock,
        gateway: places.openGateway,
        isSandbox: config.sandbox,
        knownName: places.knownName,
      }),
    ],
    async close() {
      await Promise.all([registries.close(), upstream.close()])
    },
  }
}
