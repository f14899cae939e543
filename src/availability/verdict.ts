import type { LookupFailure, Finding, Source } from './probe.ts'

/** Which sources decide about the names of a TLD; from the catalogue. */
export type LookupPolicy = {
  readonly tld: string
  readonly type: 'gTLD' | 'ccTLD'
  /** The deciding source: the registry's RDAP, its WHOIS, or DNS if it has neither. */
  readonly lookup: 'rdap' | 'whois' | 'dns'
  /** Whether the registry has a WHOIS server too. */
  readonly hasWhois: boolean
}

export type Verdict = {
  readonly state: 'available' | 'registered' | 'reserved' | 'unknown'
  readonly source: Source
  readonly statuses: readonly string[]
  /** Whether the registry says that the name is premium. */
  readonly premium: boolean
  /** `reduced` if WHOIS replaced an RDAP server that is down. */
  readonly confidence: 'full' | 'reduced'
  /** Why it is unknown. */
  readonly failure?: LookupFailure
  /** Why it is reserved, if known. */
  readonly reason?: string
  /** How long the verdict may be cached. */
  readonly ttlMs: number
}

/** Long for verdicts that hardly change, short for a name that may be registered in the next minute. */
const TTL_MS = { registered: 600_000, reserved: 3_600_000, available: 60_000, unknown: 0 } as const

export function decideVerdict(policy: LookupPolicy, label: string, findings: readonly Finding[]): Verdict {
  const decisive = decisiveFinding(policy, findings)
  if (!decisive) return unknownVerdict(latestOfDecidingSource(policy, findings))
  const { source } = decisive.evidence
  const isFallback = isAvailable(decisive) && source !== policy.lookup
  const common = {
    source,
    statuses: decisive.statuses ?? [],
    premium: findings.some(({ premium }) => premium === true),
    confidence: isFallback ? 'reduced' : 'full',
  } as const
  if (isAvailable(decisive)) {
    const reason = reservedReason(label, policy)
    if (reason !== undefined) return { ...common, state: 'reserved', reason, ttlMs: TTL_MS.reserved }
  }
  const state = isAvailable(decisive) ? 'available' : decisive.says === 'reserved' ? 'reserved' : 'registered'
  const ttlMs = Math.min(TTL_MS[state], decisive.ttlMs ?? Infinity)
  return { ...common, state, ...(decisive.reason !== undefined && { reason: decisive.reason }), ttlMs }
}

/**
 * The finding that decides; undefined if none does. `registered` outweighs everything else: a name that one source has
 * is registered, even if another source does not have it.
 */
export function decisiveFinding(policy: LookupPolicy, findings: readonly Finding[]): Finding | undefined {
  return (
    findings.find(({ says }) => says === 'registered') ??
    findings.find(
      ({ says, evidence }) => says === 'reserved' || (evidence.source === policy.lookup && isAvailableBy(says, policy)),
    ) ??
    whoisFallback(policy, findings)
  )
}

/**
 * WHOIS in place of an RDAP server that is down: the registry's own host, in a wording known for that host, while the
 * TLD's name servers have no delegation. An RDAP server that asks us to slow down is not down.
 */
function whoisFallback(policy: LookupPolicy, findings: readonly Finding[]): Finding | undefined {
  if (policy.lookup !== 'rdap') return undefined
  const said = (source: Source, matches: (finding: Finding) => boolean) =>
    findings.findLast((finding) => finding.evidence.source === source && matches(finding))
  const isDown = said('rdap', ({ says, failure }) => says === 'unclear' && failure !== 'rate_limited')
  const isNotDelegated = said('dns', ({ says }) => says === 'not_delegated')
  if (!isDown || !isNotDelegated) return undefined
  return said('whois', ({ says, wording }) => says === 'available' && wording === 'known')
}

const isAvailable = ({ says }: Finding): boolean => says === 'available' || says === 'not_delegated'
const isAvailableBy = (says: Finding['says'], { lookup }: LookupPolicy): boolean =>
  says === 'available' || (says === 'not_delegated' && lookup === 'dns')

/** The latest finding of the source that decides for this TLD; WHOIS after RDAP is only a fallback. */
const latestOfDecidingSource = (policy: LookupPolicy, findings: readonly Finding[]): Finding | undefined =>
  findings.findLast(({ evidence }) => evidence.source === policy.lookup) ?? findings.at(-1)

const unknownVerdict = (deciding: Finding | undefined): Verdict => ({
  state: 'unknown',
  source: deciding?.evidence.source ?? 'dns',
  statuses: [],
  premium: false,
  confidence: 'full',
  failure: deciding?.failure ?? 'upstream_error',
  ttlMs: TTL_MS.unknown,
})

/** The verdict about a name whose lookup had no result when its caller had to answer. */
export const timedOutVerdict = ({ lookup }: LookupPolicy): Verdict => ({
  ...unknownVerdict(undefined),
  source: lookup,
  failure: 'timeout',
})

/** Labels every generic registry must reserve, and TLDs that register no single characters. RDAP answers 404 for both. */
const RESERVED_LABELS = new Set(['example', 'www', 'rdds', 'whois', 'nic'])
const TLDS_WITHOUT_SINGLE_CHARACTERS = new Set(['com', 'net', 'org', 'info', 'biz'])

function reservedReason(label: string, { tld, type }: LookupPolicy): string | undefined {
  if (type === 'gTLD' && RESERVED_LABELS.has(label)) return 'every generic registry reserves this label'
  if (label.length === 1 && TLDS_WITHOUT_SINGLE_CHARACTERS.has(tld))
    return `.${tld} does not register single characters`
  return undefined
}

/**
 * A registry that started RDAP after the catalogue was made is queried by RDAP. If no RDAP server is known at the
 * moment, the catalogue's `lookup` applies.
 */
export const createLookupPolicy = (
  { tld, type, lookup }: Pick<LookupPolicy, 'tld' | 'type' | 'lookup'>,
  hasRdap: boolean,
  hasWhois: boolean,
): LookupPolicy => ({ tld, type, lookup: hasRdap ? 'rdap' : lookup, hasWhois })
