import type { Failure, Finding, Source } from './probe.ts'

/** How a TLD's names are decided; from the catalogue. */
export type Route = {
  readonly tld: string
  readonly type: 'gTLD' | 'ccTLD'
  /** Whose word decides: the registry's by RDAP, by WHOIS, or, where it has neither, what DNS shows. */
  readonly lookup: 'rdap' | 'whois' | 'dns'
  /** Whether the registry answers WHOIS as well. */
  readonly hasWhois: boolean
}

export type Verdict = {
  readonly state: 'available' | 'registered' | 'reserved' | 'unknown'
  readonly source: Source
  readonly statuses: readonly string[]
  readonly failure?: Failure
  /** Milliseconds the verdict may be kept. */
  readonly keepMs: number
}

/**
 * Whom to ask next, given what was found so far; undefined when nobody is left or the matter is decided.
 * DNS comes first because it proves most taken names without troubling the registry.
 */
export function nextSource(route: Route, findings: readonly Finding[]): Source | undefined {
  if (findings.some(isDecisive(route))) return undefined
  const asked = new Set(findings.map(({ evidence }) => evidence.source))
  return plan(route).find((source) => !asked.has(source))
}

/** WHOIS stands in where RDAP let us down: it can still prove that a name is taken. */
function plan({ lookup, hasWhois }: Route): readonly Source[] {
  if (lookup === 'dns') return ['dns']
  if (lookup === 'whois') return ['dns', 'whois']
  return hasWhois ? ['dns', 'rdap', 'whois'] : ['dns', 'rdap']
}

/** Whether a finding settles the matter. `available` is only ever taken from whoever the registry lets decide. */
const isDecisive =
  (route: Route) =>
  ({ says, evidence }: Finding): boolean =>
    says === 'registered' ||
    says === 'reserved' ||
    (evidence.source === route.lookup && (says === 'available' || (says === 'not_delegated' && route.lookup === 'dns')))

/** Milliseconds a verdict is kept: long where it hardly changes, short where the next minute may bring a buyer. */
const KEEP = { registered: 600_000, reserved: 3_600_000, available: 60_000, unknown: 0 } as const

export function verdictOf(route: Route, label: string, findings: readonly Finding[]): Verdict {
  // Whoever knows the name as taken outweighs whoever does not know it.
  const decisive = findings.find(({ says }) => says === 'registered') ?? findings.find(isDecisive(route))
  const last = findings.at(-1)
  if (!decisive) {
    // The failure that counts is that of whoever could have decided; WHOIS after RDAP was only a second chance.
    const deciding = findings.find(({ evidence }) => evidence.source === route.lookup) ?? last
    const failure = deciding?.failure ?? 'upstream_error'
    return { state: 'unknown', source: deciding?.evidence.source ?? 'dns', statuses: [], failure, keepMs: KEEP.unknown }
  }
  const { source } = decisive.evidence
  const statuses = decisive.statuses ?? []
  const free = decisive.says === 'available' || decisive.says === 'not_delegated'
  if (free && isReservedByPolicy(label, route)) {
    return { state: 'reserved', source, statuses, keepMs: KEEP.reserved }
  }
  const state = free ? 'available' : decisive.says === 'reserved' ? 'reserved' : 'registered'
  return { state, source, statuses, keepMs: Math.min(KEEP[state], decisive.keepMs ?? Infinity) }
}

/** Labels every generic registry must keep back, and names a registry has no object for although nobody can have them. */
const KEPT_BACK = new Set(['example', 'www', 'rdds', 'whois', 'nic'])
const NO_SINGLE_CHARACTERS = new Set(['com', 'net', 'org', 'info', 'biz'])

const isReservedByPolicy = (label: string, { tld, type }: Route): boolean =>
  (type === 'gTLD' && KEPT_BACK.has(label)) || (label.length === 1 && NO_SINGLE_CHARACTERS.has(tld))

/**
 * The way of a TLD. A registry that has taken up RDAP since the catalogue was made is asked by it; one whose server is
 * not known at the moment is not taken for one that has none.
 */
export const routeOf = (
  { tld, type, lookup }: Pick<Route, 'tld' | 'type' | 'lookup'>,
  hasRdap: boolean,
  hasWhois: boolean,
): Route => ({ tld, type, lookup: hasRdap ? 'rdap' : lookup, hasWhois })
