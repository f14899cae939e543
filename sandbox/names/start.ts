import { setMaxListeners } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Clock, systemClock } from '../../src/kernel/clock.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import type { Wait } from '../simulator.ts'
import { throwAwayCertificate } from '../../src/app/warm-up/certificate.ts'
import { type Counters, createCounters } from './counters.ts'
import { createServerState, type Knobs } from './knobs.ts'
import { REGISTRY_HOSTS } from './dns-answer.ts'
import { serveAvailability } from './das-servers.ts'
import { serveNames } from './name-servers.ts'
import { loadRegistries } from './registries.ts'
import { serveRdap, serveWhoisOf } from './registry-servers.ts'
import { type Truth, truthOf } from './truth.ts'

/** Running name servers and registries, and the truth to compare verdicts with. */
export type Names = {
  /** The settings that point the service at these servers. */
  readonly settings: Readonly<Record<string, string>>
  /** `127.0.0.1:PORT` of the name servers of all TLDs and of the recursive resolver. */
  readonly nameServers: { readonly a: string; readonly b: string; readonly recursor: string }
  /** By registry ID. */
  readonly registries: Readonly<Record<string, RegistryAddresses>>
  /** The certificate to trust for RDAP over https; null without `tls`. */
  readonly caFile: string | null
  truthOf(domain: string): Truth
  counters(): Counters
  resetCounters(): void
  /** Changes the given knobs and keeps the others. */
  set(knobs: Knobs): void
  stop(): Promise<void>
}

export type RegistryAddresses = {
  /** Its TLDs and suffixes. */
  readonly tlds: readonly string[]
  /** The names under which its servers are listed: TLDs, and suffixes with a registry of their own. */
  readonly listedAs: readonly string[]
  /** `http://127.0.0.1:PORT` or with a host name, before `/TLD/domain/NAME`; null if the registry has only WHOIS. */
  readonly rdap: string | null
  /** `127.0.0.1:PORT`, or with a host name. */
  readonly whois: string
}

export type NamesOptions = Knobs & {
  readonly seed?: number
  readonly clock?: Clock
  /** Tests pass one that returns at once. */
  readonly wait?: Wait
  /** RDAP over https. */
  readonly tls?: boolean
  /** Whether RDAP over https offers HTTP/2; true by default. */
  readonly http2?: boolean
  /** Name the registries' servers by host name instead of address; the recursive resolver knows the names. */
  readonly byHostName?: boolean
  /** For the files that settings refer to. By default a temporary folder, deleted by `stop`. */
  readonly folder?: string
}

const LOOPBACK = '127.0.0.1'
const rdapHost = (id: string): string => `rdap.${id}.${REGISTRY_HOSTS}`
const whoisHost = (id: string): string => `whois.${id}.${REGISTRY_HOSTS}`

const realWait: Wait = async (ms, signal) => {
  await sleep(ms, undefined, { signal })
}

export async function startNames(options: NamesOptions = {}): Promise<Names> {
  const { seed = 1, clock = systemClock, wait = realWait, folder: given, ...rest } = options
  const { tls = false, http2 = true, byHostName = false, ...knobs } = rest
  const registries = loadRegistries()
  const state = createServerState(new Set(registries.map(({ id }) => id)), knobs)
  const counters = createCounters()
  const stopping = new AbortController()
  // Every pending answer adds a listener.
  setMaxListeners(0, stopping.signal)
  const folder = given ?? (await mkdtemp(join(tmpdir(), 'onoma-names-')))
  const started: { stop(): Promise<void> }[] = []
  const stop = async (): Promise<void> => {
    stopping.abort()
    await Promise.all(started.splice(0).map((server) => server.stop()))
    if (given === undefined) await rm(folder, { recursive: true, force: true })
  }
  const running = async <Server extends { stop(): Promise<void> }>(starting: Promise<Server>): Promise<Server> => {
    const server = await starting
    started.push(server)
    return server
  }

  try {
    const hosts = [
      'localhost',
      ...(byHostName ? registries.filter(({ hasRdap }) => hasRdap).map(({ id }) => rdapHost(id)) : []),
    ]
    const certificate = tls ? throwAwayCertificate(hosts) : null
    const needs = { seed, clock, wait, state, counters, certificate, http2, stopping: stopping.signal }
    const a = (await running(serveNames('a', needs))).address
    const b = (await running(serveNames('b', needs))).address
    const recursor = (await running(serveNames('recursor', needs))).address
    const addresses: Record<string, RegistryAddresses> = {}
    for (const registry of registries) {
      const { id } = registry
      const named = (address: string, host: string) => (byHostName ? address.replace(LOOPBACK, host) : address)
      addresses[id] = {
        tlds: registry.tlds.map(({ tld }) => tld),
        listedAs: [...new Set(registry.tlds.map((tld) => tld.registry))],
        rdap: registry.hasRdap ? named((await running(serveRdap(registry, needs))).url, rdapHost(id)) : null,
        whois: named((await running(serveWhoisOf(registry, needs))).address, whoisHost(id)),
      }
    }
    const idOf = (name: string) => registries.find(({ tlds }) => tlds.some((tld) => tld.registry === name))!.id
    const latencyMs = (name: string) => state.of(idOf(name)).latencyMs
    const das = await running(
      serveAvailability({ seed, wait, onQuery: counters.das, latencyMs, stopping: stopping.signal }),
    )
    const file = async (name: string, text: string): Promise<string> => {
      const path = join(folder, name)
      await writeFile(path, text)
      return path
    }
    return {
      settings: {
        ONOMA_DNS_SERVERS: recursor,
        ONOMA_TLD_SERVERS: await file('tld-servers.json', JSON.stringify(tldServers([a, b]))),
        ONOMA_RDAP_BOOTSTRAP: await file('dns.json', JSON.stringify(bootstrap(addresses))),
        ONOMA_WHOIS_SERVERS: await file(
          'whois-servers.json',
          JSON.stringify({ ...whoisServers(addresses), ...das.servers }),
        ),
      },
      nameServers: { a, b, recursor },
      registries: addresses,
      caFile: certificate && (await file('ca.pem', certificate.cert)),
      truthOf: (domain) => truthOf(domain, seed),
      counters: counters.read,
      resetCounters: counters.reset,
      set: state.set,
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const tldServers = (servers: readonly string[]) =>
  Object.fromEntries(loadCatalogue().zones.map((tld) => [tld, servers]))

/** In the format of IANA's bootstrap file; each TLD has its own path. */
const bootstrap = (registries: Names['registries']) => ({
  version: '1.0',
  publication: '2026-11-15T00:00:00Z',
  description: 'RDAP servers of TLDs, simulated',
  services: Object.values(registries).flatMap(({ listedAs, rdap }) =>
    rdap === null ? [] : listedAs.map((tld) => [[tld], [`${rdap}/${tld}/`]]),
  ),
})

const whoisServers = (registries: Names['registries']) => {
  const { find } = loadCatalogue()
  return Object.fromEntries(
    Object.values(registries).flatMap(({ listedAs, whois }) =>
      listedAs.filter((tld) => find(tld)?.whoisServer !== null).map((tld) => [tld, whois]),
    ),
  )
}
