import type { RequestLimit } from './token-bucket.ts'

/** Adjustable behaviour of one registry. */
export type RegistryKnobs = {
  /** Delay of every answer. */
  readonly latencyMs: number
  /** Share of RDAP queries answered with 503, from 0 to 1. */
  readonly errorShare: number
  /** Null for no limit. */
  readonly rdapLimit: RequestLimit | null
  readonly whoisLimit: RequestLimit | null
  /**
   * How RDAP fails; null if it works. `refused` (no server listens) and `untrusted` (a certificate that no client
   * trusts, with https) take effect only at the start.
   */
  readonly rdapDown: 'refused' | 'untrusted' | 'reset' | 'hang' | null
  /** Whether WHOIS wrongly answers "not found" for delegated names. */
  readonly whoisDenies: boolean
}

/** The two name servers of all TLDs, and the recursive resolver. */
export type NameServerId = 'a' | 'b' | 'recursor'

export type DnsKnobs = {
  readonly latencyMs: number
  /** Delay of the recursive resolver alone; null for that of all servers. */
  readonly recursorLatencyMs: number | null
  /** Share of UDP queries that are lost, from 0 to 1. */
  readonly dropShare: number
  /** Servers that never answer. */
  readonly silent: readonly NameServerId[]
  /** Whether the recursive resolver has an answer for every name, even if it does not exist. */
  readonly lyingRecursor: boolean
}

/** At the top level for all registries, in `registries` for single ones, in `dns` for the name servers. */
export type Knobs = Partial<RegistryKnobs> & {
  /** Null resets a registry to the settings of all. */
  readonly registries?: Readonly<Record<string, Partial<RegistryKnobs> | null>>
  readonly dns?: Partial<DnsKnobs>
}

const DEFAULT_REGISTRY_KNOBS: RegistryKnobs = {
  latencyMs: 0,
  errorShare: 0,
  rdapLimit: null,
  whoisLimit: null,
  rdapDown: null,
  whoisDenies: false,
}
const DEFAULT_DNS_KNOBS: DnsKnobs = {
  latencyMs: 0,
  recursorLatencyMs: null,
  dropShare: 0,
  silent: [],
  lyingRecursor: false,
}

/** The knobs in force. */
export type ServerState = {
  dns(): DnsKnobs
  of(registry: string): RegistryKnobs
  /** Changes the given knobs and keeps the others. */
  set(knobs: Knobs): void
}

/** Throws a RangeError for an unknown registry. */
export function createServerState(registries: ReadonlySet<string>, initial: Knobs): ServerState {
  let everywhere = DEFAULT_REGISTRY_KNOBS
  let dns = DEFAULT_DNS_KNOBS
  const own = new Map<string, Partial<RegistryKnobs> | null>()
  const set = ({ registries: single = {}, dns: dnsChange = {}, ...common }: Knobs): void => {
    const unknown = Object.keys(single).find((id) => !registries.has(id))
    if (unknown !== undefined) throw new RangeError(`there is no registry called "${unknown}"`)
    everywhere = { ...everywhere, ...common }
    dns = { ...dns, ...dnsChange }
    for (const [id, knobs] of Object.entries(single)) own.set(id, knobs && { ...own.get(id), ...knobs })
  }
  set(initial)
  return { dns: () => dns, of: (registry) => ({ ...everywhere, ...own.get(registry) }), set }
}
