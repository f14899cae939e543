/**
 * The minimum times of the scenarios: how soon anybody who is polite can know the answers, given the simulated latency, the
 * limits of the registries and the timeouts that `docs/verdicts.md` states. Without the processor's time, which the bench
 * measures in the scenario without faults.
 */
import type { RequestLimit } from '../../sandbox/names/token-bucket.ts'
import { truthOf } from '../../sandbox/names/truth.ts'
import { SEED } from './lists.ts'

/** Of every answer of a registry. Name servers answer at once. */
export const LATENCY_MS = 20
/** After this time an RDAP server that has never answered counts as failed, if WHOIS can answer in its place. */
export const RDAP_TIMEOUT_MS = 3_000
/** Of one WHOIS query. */
export const WHOIS_TIMEOUT_MS = 6_000
/** Of name servers that do not answer, and the share of it before a recursive resolver is asked. */
export const DNS_TIMEOUT_MS = 2_500
export const ZONE_TIMEOUT_MS = 1_500
/** A server that answers with errors is retried for this long. */
export const ERROR_RETRIES_MS = 1_550
/** The longest pause between attempts at a server that keeps failing, and at one that breaks every connection. */
export const ERROR_PAUSE_MS = 1_000
export const RESET_PAUSE_MS = 520
/** After this time a name server that has not answered is asked again. */
export const DNS_RETRY_MS = 250
/** The first pause after a refusal that does not say when to come back; it is doubled with every further one. */
export const REFUSAL_PAUSE_MS = 1_000

/** An RDAP server gets this many queries at first, and more once it has answered them. */
const RDAP_BURST = 21
/** A WHOIS server gets this many queries at a time. */
const WHOIS_CONCURRENT = 4

/** TLDs of four registries with RDAP, and of four with WHOIS only. */
export const RDAP = ['com', 'org', 'io', 'app']
export const WHOIS = ['at', 'it', 'us', 'jp']

const tldOf = (domain: string): string => domain.slice(domain.lastIndexOf('.') + 1)
/** Without a delegation, only the registry knows whether a name is registered. */
export const isDelegated = (domain: string): boolean => truthOf(domain, SEED).isDelegated

/** The largest number of names under one TLD. */
function mostOfOneTld(domains: readonly string[]): number {
  const counts = Map.groupBy(domains, tldOf)
  return Math.max(0, ...[...counts.values()].map(({ length }) => length))
}

const rdapMs = (count: number): number => (count === 0 ? 0 : count > RDAP_BURST ? 2 * LATENCY_MS : LATENCY_MS)
const whoisMs = (count: number): number => Math.ceil(count / WHOIS_CONCURRENT) * LATENCY_MS

type Asked = {
  /** Name servers say nothing, so the registry is asked about delegated names too. */ withoutDns?: boolean
}

const askedOf = (domains: readonly string[], { withoutDns = false }: Asked = {}): readonly string[] =>
  withoutDns ? domains : domains.filter((domain) => !isDelegated(domain))

/** Each registry answers, by RDAP or by WHOIS. */
export function answeredMs(domains: readonly string[], how?: Asked): number {
  const asked = askedOf(domains, how)
  const isWhois = (domain: string) => WHOIS.includes(tldOf(domain))
  return Math.max(
    rdapMs(mostOfOneTld(asked.filter((domain) => !isWhois(domain)))),
    whoisMs(mostOfOneTld(asked.filter(isWhois))),
  )
}

/** WHOIS alone answers, at once. */
export const fallbackMs = (domains: readonly string[]): number => whoisMs(mostOfOneTld(askedOf(domains)))

/** RDAP answers something else, then WHOIS answers; for that share of the names. */
export const rdapThenWhoisMs = (domains: readonly string[], share = 1): number =>
  LATENCY_MS + whoisMs(Math.ceil(mostOfOneTld(askedOf(domains)) * share))

/** A registry with a limit. WHOIS does not say when a limit ends, so a refusal there costs a pause. */
export function limitedMs(domains: readonly string[], limit: RequestLimit, protocol: 'rdap' | 'whois'): number {
  const count = mostOfOneTld(askedOf(domains))
  if (count <= limit.burst) return whoisMs(count)
  const pacedMs = ((count - limit.burst) / limit.perSecond) * 1000
  return protocol === 'whois' ? Math.max(pacedMs, REFUSAL_PAUSE_MS) : pacedMs
}

/** How often the query of the unluckiest name is lost in a row, and therefore repeated. */
export const lossMs = (domains: readonly string[], share: number): number =>
  Math.floor(Math.log(domains.length) / Math.log(1 / share)) * DNS_RETRY_MS
