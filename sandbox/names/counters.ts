import type { NameServerId } from './knobs.ts'

/** Queries that the simulated servers received. */
export type Counters = {
  readonly dns: Readonly<Record<NameServerId, DnsCount>>
  /** By registry; only those with queries. */
  readonly rdap: Readonly<Record<string, RegistryCount>>
  readonly whois: Readonly<Record<string, RegistryCount>>
  /** Queries to availability services, by registry; they are not among `registryRequests`. */
  readonly das: Readonly<Record<string, number>>
  /** All RDAP and WHOIS queries, including throttled ones and errors. */
  readonly registryRequests: number
  /** Of those, the ones above a rate limit. */
  readonly throttled: number
  /** Connections opened to RDAP servers. */
  readonly rdapConnections: number
}

export type DnsCount = { udp: number; tcp: number; /** Lost UDP queries. */ dropped: number }
export type RegistryCount = {
  requests: number
  /** Above a rate limit; names that script `throttled` do not count. */
  throttled: number
  /** Answered with 503 because of `errorShare`. */
  errors: number
}

export type CounterStore = {
  readonly dns: Record<NameServerId, DnsCount>
  /** Counts a connection to an RDAP server. */
  connected(): void
  /** Counts a query to the availability service of a registry. */
  das(registry: string): void
  of(protocol: 'rdap' | 'whois', registry: string): RegistryCount
  read(): Counters
  reset(): void
}

export function createCounters(): CounterStore {
  const zero = (): DnsCount => ({ udp: 0, tcp: 0, dropped: 0 })
  const dns = { a: zero(), b: zero(), recursor: zero() }
  let rdapConnections = 0
  const das = new Map<string, number>()
  const registries = { rdap: new Map<string, RegistryCount>(), whois: new Map<string, RegistryCount>() }
  const sumOf = (figure: keyof RegistryCount): number =>
    [...registries.rdap.values(), ...registries.whois.values()].reduce((sum, count) => sum + count[figure], 0)
  return {
    dns,
    connected: () => void rdapConnections++,
    das: (registry) => void das.set(registry, (das.get(registry) ?? 0) + 1),
    of(protocol, registry) {
      const known = registries[protocol].get(registry) ?? { requests: 0, throttled: 0, errors: 0 }
      registries[protocol].set(registry, known)
      return known
    },
    read: () =>
      structuredClone({
        dns,
        rdap: Object.fromEntries(registries.rdap),
        whois: Object.fromEntries(registries.whois),
        das: Object.fromEntries(das),
        registryRequests: sumOf('requests'),
        throttled: sumOf('throttled'),
        rdapConnections,
      }),
    reset() {
      rdapConnections = 0
      das.clear()
      for (const count of Object.values(dns)) Object.assign(count, zero())
      registries.rdap.clear()
      registries.whois.clear()
    },
  }
}
