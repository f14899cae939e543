import type { Failure, Finding, Source } from './probe.ts'

/** How a TLD's names are decided; from the catalogue. */
export type Route = {
  readonly tld: string
  readonly type: 'gTLD' | 'ccTLD'
  /** What decides: the registry's RDAP, its WHOIS, or, where it has neither, DNS. */
  readonly lookup: 'rdap' | 'whois' | 'dns'
  /** Whether the registry answers WHOIS as well. */
  readonly hasWhois: boolean
}

export type Verdict = {
  readonly state: 'available' | 'registered' | 'reserved' | 'unknown'
  readonly source: Source
  readonly statuses: readonly string[]
  /** Whether the registry's own words call the name premium. */
  readonly premium: boolean
  /** `reduced` where WHOIS stood in for an RDAP server that is down. */
  readonly confidence: 'full' | 'reduced'
  /** Why it is unknown. */
  readonly failure?: Failure
  /** Why it is reserved, where that is known. */
  readonly reason?: string
  /** Milliseconds the verdict may be kept. */
  readonly keepMs: number
}

/** Milliseconds a verdict is kept: long where it hardly changes, short where the next minute may bring a buyer. */
const KEEP = { registered: 600_000, reserved: 3_600_000, available: 60_000, unknown: 0 } as const

export function verdictOf(route: Route, label: string, findings: readonly Finding[]): Verdict {
  const decisive = decisiveFinding(route, findings)
  if (!decisive) return unknownBy(decidingFinding(route, findings))
  const { source } = decisive.evidence
  const standsIn = isAvailable(decisive) && source !== route.lookup
  const common = {
    source,
    statuses: decisive.statuses ?? [],
    premium: findings.some(({ premium }) => premium === true),
    confidence: standsIn ? 'reduced' : 'full',
  } as const
  if (isAvailable(decisive)) {
    const reason = policyAgainst(label, route)
    if (reason !== undefined) return { ...common, state: 'reserved', reason, keepMs: KEEP.reserved }
  }
  const state = isAvailable(decisive) ? 'available' : decisive.says === 'reserved' ? 'reserved' : 'registered'
  const keepMs = Math.min(KEEP[state], decisive.keepMs ?? Infinity)
  return { ...common, state, ...(decisive.reason !== undefined && { reason: decisive.reason }), keepMs }
}

/**
 * The finding that settles the matter; undefined where none does. `registered` outweighs everything else: a name that
 * one source knows as taken is taken, whatever another source fails to know.
 */
export function decisiveFinding(route: Route, findings: readonly Finding[]): Finding | undefined {
  return (
    findings.find(({ says }) => says === 'registered') ??
    findings.find(
      ({ says, evidence }) => says === 'reserved' || (evidence.source === route.lookup && isAvailableBy(says, route)),
    ) ??
    standIn(route, findings)
  )
}

/**
 * WHOIS in place of an RDAP server that is down: the registry's own host, in a wording known for that host, while the
 * TLD's name servers have no delegation. An RDAP server that asks us to slow down is not down.
 */
function standIn(route: Route, findings: readonly Finding[]): Finding | undefined {
  if (route.lookup !== 'rdap') return undefined
  const said = (source: Source, matches: (finding: Finding) => boolean) =>
    findings.findLast((finding) => finding.evidence.source === source && matches(finding))
  const isDown = said('rdap', ({ says, failure }) => says === 'unclear' && failure !== 'rate_limited')
  const isNotDelegated = said('dns', ({ says }) => says === 'not_delegated')
  if (!isDown || !isNotDelegated) return undefined
  return said('whois', ({ says, wording }) => says === 'available' && wording === 'known')
}

const isAvailable = ({ says }: Finding): boolean => says === 'available' || says === 'not_delegated'
const isAvailableBy = (says: Finding['says'], { lookup }: Route): boolean =>
  says === 'available' || (says === 'not_delegated' && lookup === 'dns')

/** The latest word of the source that could have decided; WHOIS after RDAP was only a second chance. */
const decidingFinding = (route: Route, findings: readonly Finding[]): Finding | undefined =>
  findings.findLast(({ evidence }) => evidence.source === route.lookup) ?? findings.at(-1)

const unknownBy = (deciding: Finding | undefined): Verdict => ({
  state: 'unknown',
  source: deciding?.evidence.source ?? 'dns',
  statuses: [],
  premium: false,
  confidence: 'full',
  failure: deciding?.failure ?? 'upstream_error',
  keepMs: KEEP.unknown,
})

/** Labels every generic registry must keep back, and names a registry has no object for although nobody can have them. */
const KEPT_BACK = new Set(['example', 'www', 'rdds', 'whois', 'nic'])
const NO_SINGLE_CHARACTERS = new Set(['com', 'net', 'org', 'info', 'biz'])

function policyAgainst(label: string, { tld, type }: Route): string | undefined {
  if (type === 'gTLD' && KEPT_BACK.has(label)) return 'every generic registry keeps this label back'
  if (label.length === 1 && NO_SINGLE_CHARACTERS.has(tld)) return `.${tld} does not register single characters`
  return undefined
}

/**
 * The way of a TLD. A registry that has taken up RDAP since the catalogue was made is asked by it; one whose server is
 * not known at the moment is not taken for one that has none.
 */
export const routeOf = (
  { tld, type, lookup }: Pick<Route, 'tld' | 'type' | 'lookup'>,
  hasRdap: boolean,
  hasWhois: boolean,
): Route => ({ tld, type, lookup: hasRdap ? 'rdap' : lookup, hasWhois })
