import type { Clock } from '../../src/kernel/clock.ts'

/** Rate limit: requests per second, and the burst allowed after idle time. */
export type RequestLimit = { readonly perSecond: number; readonly burst: number }

/** Adjustable behaviour of one registry. */
export type RegistryKnobs = {
  /** Delay of every answer. */
  readonly latencyMs: number
  /** Share of RDAP queries answered with 503, from 0 to 1. */
  readonly errorShare: number
  /** Null for no limit. */
  readonly rdapLimit: RequestLimit | null
  readonly whoisLimit: RequestLimit | null
  /** How RDAP fails; null if it works. `refused` (no server listens) takes effect only at the start. */
  readonly rdapDown: 'refused' | 'reset' | 'hang' | null
  /** Whether WHOIS wrongly answers "not found" for delegated names. */
  readonly whoisDenies: boolean
}

/** The two name servers of all TLDs, and the recursive resolver. */
export type NameServerId = 'a' | 'b' | 'recursor'

export type DnsKnobs = {
  readonly latencyMs: number
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
const DEFAULT_DNS_KNOBS: DnsKnobs = { latencyMs: 0, dropShare: 0, silent: [], lyingRecursor: false }

export type Board = {
  dns(): DnsKnobs
  of(registry: string): RegistryKnobs
  /** Changes the given knobs and keeps the others. */
  set(knobs: Knobs): void
}

/** Throws a RangeError for an unknown registry. */
export function createBoard(registries: ReadonlySet<string>, initial: Knobs): Board {
  let everywhere = DEFAULT_REGISTRY_KNOBS
  let dns = DEFAULT_DNS_KNOBS
  const own = new Map<string, Partial<RegistryKnobs> | null>()
  const set = ({ registries: single = {}, dns: dnsChange = {}, ...common }: Knobs): void => {
    const stranger = Object.keys(single).find((id) => !registries.has(id))
    if (stranger !== undefined) throw new RangeError(`there is no registry called "${stranger}"`)
    everywhere = { ...everywhere, ...common }
    dns = { ...dns, ...dnsChange }
    for (const [id, knobs] of Object.entries(single)) own.set(id, knobs && { ...own.get(id), ...knobs })
  }
  set(initial)
  return { dns: () => dns, of: (registry) => ({ ...everywhere, ...own.get(registry) }), set }
}

/** A token bucket whose limit may change at any time; a changed limit starts with a full bucket. */
export type Gate = {
  /** Null if the query may pass, otherwise the milliseconds until the next one may. */
  pass(limit: RequestLimit | null): number | null
}

export function createGate(clock: Clock): Gate {
  let current: RequestLimit | null = null
  let left = 0
  let at = 0
  return {
    pass(limit) {
      const now = clock.monotonic()
      if (limit === null) {
        current = null
        return null
      }
      const isNew = current?.perSecond !== limit.perSecond || current.burst !== limit.burst
      left = isNew ? limit.burst : Math.min(limit.burst, left + ((now - at) / 1000) * limit.perSecond)
      current = limit
      at = now
      if (left < 1) return ((1 - left) / limit.perSecond) * 1000
      left--
      return null
    },
  }
}
