import type { Clock } from '../../src/kernel/clock.ts'

/** Rate limit: requests per second, and the burst allowed after idle time. */
export type RequestLimit = { readonly perSecond: number; readonly burst: number }

/** What can be turned on the machines of one registry. */
export type RegistryKnobs = {
  /** Milliseconds before every answer. */
  readonly latencyMs: number
  /** Share of RDAP questions, from 0 to 1, that meet a 503. */
  readonly errorShare: number
  /** Null for no limit. */
  readonly rdapLimit: RequestLimit | null
  readonly whoisLimit: RequestLimit | null
  /** How RDAP is out of order, null where it is not. `refused`: nobody listens, from the start of the world on. */
  readonly rdapDown: 'refused' | 'reset' | 'hang' | null
  /** Whether WHOIS says of names with a delegation that they are not registered. */
  readonly whoisDenies: boolean
}

/** The two servers every TLD has, and the recursive resolver. */
export type NameServerId = 'a' | 'b' | 'recursor'

export type DnsKnobs = {
  readonly latencyMs: number
  /** Share of questions over UDP, from 0 to 1, that are lost. */
  readonly dropShare: number
  /** Servers that do not say a word. */
  readonly silent: readonly NameServerId[]
  /** A recursor that has an answer for every name, whether or not it exists. */
  readonly lyingRecursor: boolean
}

/** Those of all registries at the top, those of one under its name, those of the name servers apart. */
export type Knobs = Partial<RegistryKnobs> & {
  /** Null makes a registry like all others again. */
  readonly registries?: Readonly<Record<string, Partial<RegistryKnobs> | null>>
  readonly dns?: Partial<DnsKnobs>
}

const QUIET: RegistryKnobs = {
  latencyMs: 0,
  errorShare: 0,
  rdapLimit: null,
  whoisLimit: null,
  rdapDown: null,
  whoisDenies: false,
}
const CALM: DnsKnobs = { latencyMs: 0, dropShare: 0, silent: [], lyingRecursor: false }

export type Board = {
  dns(): DnsKnobs
  of(registry: string): RegistryKnobs
  /** Turns those that are given and leaves the others as they are. */
  set(knobs: Knobs): void
}

/** Throws a RangeError for a registry that there is not. */
export function createBoard(registries: ReadonlySet<string>, initial: Knobs): Board {
  let everywhere = QUIET
  let dns = CALM
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

/** Counts questions against a limit that may change at any time; a changed one begins with its whole burst. */
export type Gate = {
  /** Null where the question may pass, else the milliseconds until the next one may. */
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
