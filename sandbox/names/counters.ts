import type { NameServerId } from './knobs.ts'

/** What the simulated servers were asked. */
export type Counters = {
  readonly dns: Readonly<Record<NameServerId, DnsCount>>
  /** By registry; those that were not asked are not here. */
  readonly rdap: Readonly<Record<string, RegistryCount>>
  readonly whois: Readonly<Record<string, RegistryCount>>
  /** All that was asked of registries, RDAP and WHOIS together; throttled ones and errors count too. */
  readonly registryRequests: number
  /** Of those, the ones told to come back later because of a limit. */
  readonly throttled: number
}

export type DnsCount = { udp: number; tcp: number; /** Of those over UDP, the ones that were lost. */ dropped: number }
export type RegistryCount = {
  requests: number
  /** Told to come back later because of a limit; names that script it do not count. */
  throttled: number
  /** Met by the share of 503s. */
  errors: number
}

export type Tally = {
  readonly dns: Record<NameServerId, DnsCount>
  of(language: 'rdap' | 'whois', registry: string): RegistryCount
  read(): Counters
  reset(): void
}

export function createTally(): Tally {
  const none = (): DnsCount => ({ udp: 0, tcp: 0, dropped: 0 })
  const dns = { a: none(), b: none(), recursor: none() }
  const registries = { rdap: new Map<string, RegistryCount>(), whois: new Map<string, RegistryCount>() }
  const sumOf = (figure: keyof RegistryCount): number =>
    [...registries.rdap.values(), ...registries.whois.values()].reduce((sum, count) => sum + count[figure], 0)
  return {
    dns,
    of(language, registry) {
      const known = registries[language].get(registry) ?? { requests: 0, throttled: 0, errors: 0 }
      registries[language].set(registry, known)
      return known
    },
    read: () =>
      structuredClone({
        dns,
        rdap: Object.fromEntries(registries.rdap),
        whois: Object.fromEntries(registries.whois),
        registryRequests: sumOf('requests'),
        throttled: sumOf('throttled'),
      }),
    reset() {
      for (const count of Object.values(dns)) Object.assign(count, none())
      registries.rdap.clear()
      registries.whois.clear()
    },
  }
}
