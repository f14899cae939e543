import type { Knobs } from '../../sandbox/names/knobs.ts'
import { halfFree, scripted } from './lists.ts'
import {
  answeredMs,
  DNS_RETRY_MS,
  DNS_TIMEOUT_MS,
  ERROR_PAUSE_MS,
  ERROR_RETRIES_MS,
  fallbackMs,
  isDelegated,
  LATENCY_MS,
  limitedMs,
  lossMs,
  RDAP,
  RDAP_TIMEOUT_MS,
  rdapThenWhoisMs,
  REFUSAL_PAUSE_MS,
  RESET_PAUSE_MS,
  WHOIS,
  WHOIS_TIMEOUT_MS,
  ZONE_TIMEOUT_MS,
} from './minimum.ts'

export type Scenario = {
  readonly title: string
  readonly knobs?: Knobs
  readonly domains: readonly string[]
  /** Whether the contestant's clock jumps. */
  readonly jumps?: boolean
  /** Whether a trusted source can answer; see `docs/verdicts.md`. */
  canBeAnswered(domain: string): boolean
  /** How soon all of these names can be known, without the processor's time. */
  minMs(domains: readonly string[]): number
  /** How soon one more name under each TLD can be known then; undefined if that takes as long again. */
  readonly nextMinMs?: number
}

const always = () => true
const never = () => false
/** Without RDAP and WHOIS, a delegation still proves that a name is taken. */
const whenDelegated = isDelegated

/** All scenarios, each with about `size` names. */
export function scenarios(size: number): Scenario[] {
  const each = Math.ceil(size / 4)
  const few = Math.ceil(size / 16)
  const limit = { perSecond: 10, burst: 10 }
  const slow = { perSecond: 5, burst: 5 }
  const mixed = (tlds: readonly string[], prefix = '', count = each) => halfFree(tlds, count, prefix)
  return [
    {
      title: 'nothing is wrong',
      domains: [...mixed(RDAP), ...mixed(WHOIS)],
      canBeAnswered: always,
      minMs: answeredMs,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'clock jumps',
      jumps: true,
      domains: [...mixed(RDAP), ...mixed(WHOIS)],
      canBeAnswered: always,
      minMs: answeredMs,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'registered, not delegated',
      domains: scripted([...RDAP, ...WHOIS], each, 'held-'),
      canBeAnswered: always,
      minMs: answeredMs,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'reserved by the registry',
      domains: scripted([...RDAP, ...WHOIS], few, 'reserved-'),
      canBeAnswered: always,
      minMs: answeredMs,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'lame and bogus delegations',
      domains: [...scripted(RDAP, few, 'lame-'), ...scripted(RDAP, few, 'bogus-')],
      canBeAnswered: always,
      minMs: answeredMs,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'RDAP 429 storm, 10/s',
      knobs: { rdapLimit: limit, whoisLimit: limit },
      domains: [...mixed(['com'], '', size), ...scripted(['com'], each, 'held-')],
      canBeAnswered: always,
      minMs: (domains) => limitedMs(domains, limit, 'rdap'),
      nextMinMs: 1000 / limit.perSecond,
    },
    {
      title: 'RDAP 503 to 40 %',
      knobs: { errorShare: 0.4 },
      domains: mixed(RDAP, '', each * 2),
      canBeAnswered: always,
      minMs: (domains) => rdapThenWhoisMs(domains, 0.4),
      nextMinMs: 2 * LATENCY_MS,
    },
    {
      title: 'RDAP is HTML',
      domains: mixed(RDAP, 'rdap-foreign-'),
      canBeAnswered: always,
      minMs: rdapThenWhoisMs,
      nextMinMs: 2 * LATENCY_MS,
    },
    {
      title: 'RDAP JSON cut short',
      domains: [...mixed(RDAP, 'rdap-cut-', few * 2), ...mixed(RDAP, 'rdap-half-', few * 2)],
      canBeAnswered: always,
      minMs: rdapThenWhoisMs,
      nextMinMs: 2 * LATENCY_MS,
    },
    {
      title: 'RDAP hangs',
      domains: mixed(RDAP, 'rdap-hang-', few),
      canBeAnswered: always,
      minMs: () => RDAP_TIMEOUT_MS,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'RDAP resets',
      domains: mixed(RDAP, 'rdap-reset-'),
      canBeAnswered: always,
      minMs: rdapThenWhoisMs,
      nextMinMs: 2 * LATENCY_MS,
    },
    {
      title: 'redirected to a private address',
      domains: [...mixed(RDAP, 'rdap-redirect-'), ...mixed(WHOIS, 'whois-redirect-', few)],
      canBeAnswered: (domain) => domain.startsWith('rdap-'),
      minMs: rdapThenWhoisMs,
      nextMinMs: 2 * LATENCY_MS,
    },
    {
      title: 'RDAP dead: refused',
      knobs: { rdapDown: 'refused' },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
      minMs: fallbackMs,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'RDAP dead: untrusted certificate',
      knobs: { rdapDown: 'untrusted' },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
      minMs: fallbackMs,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'RDAP dead: 503',
      knobs: { errorShare: 1 },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
      minMs: rdapThenWhoisMs,
      nextMinMs: 2 * LATENCY_MS,
    },
    {
      title: 'RDAP dead: reset',
      knobs: { rdapDown: 'reset' },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
      minMs: fallbackMs,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'RDAP dead: hangs',
      knobs: { rdapDown: 'hang' },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
      minMs: () => RDAP_TIMEOUT_MS,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'RDAP dead, WHOIS throttled, 5/s',
      knobs: { rdapDown: 'refused', whoisLimit: slow },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
      minMs: (domains) => limitedMs(domains, slow, 'whois'),
      nextMinMs: 1000 / slow.perSecond,
    },
    {
      title: 'RDAP dead, WHOIS throttled for good',
      knobs: { rdapDown: 'refused', whoisLimit: { perSecond: 0.001, burst: 1 } },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: whenDelegated,
      minMs: () => (1 + 2 + 4 + 8 + 16) * REFUSAL_PAUSE_MS,
    },
    {
      title: 'RDAP dead, WHOIS denies delegated names',
      knobs: { rdapDown: 'refused', whoisDenies: true },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
      minMs: fallbackMs,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'RDAP dead, WHOIS denies, TLD servers silent',
      knobs: { rdapDown: 'refused', whoisDenies: true, dns: { silent: ['a', 'b', 'recursor'] } },
      domains: mixed(RDAP, '', few),
      canBeAnswered: never,
      minMs: () => DNS_TIMEOUT_MS,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'WHOIS throttled, 5/s',
      knobs: { whoisLimit: slow },
      domains: [...mixed(WHOIS), ...scripted(WHOIS, few, 'held-')],
      canBeAnswered: always,
      minMs: (domains) => limitedMs(domains, slow, 'whois'),
      nextMinMs: 1000 / slow.perSecond,
    },
    {
      title: 'TLD with a wildcard',
      domains: [...mixed(['ws'], '', size), ...scripted(['ws'], few, 'held-')],
      canBeAnswered: always,
      minMs: answeredMs,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'name servers SERVFAIL',
      domains: mixed([...RDAP, ...WHOIS], 'dns-broken-'),
      canBeAnswered: always,
      minMs: (domains) => answeredMs(domains, { withoutDns: true }),
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'name servers REFUSED',
      domains: mixed([...RDAP, ...WHOIS], 'dns-denied-', few),
      canBeAnswered: always,
      minMs: (domains) => answeredMs(domains, { withoutDns: true }),
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'name servers lose 20 %',
      knobs: { dns: { dropShare: 0.2 } },
      domains: mixed([...RDAP, ...WHOIS]),
      canBeAnswered: always,
      minMs: (domains) => lossMs(domains, 0.2) + answeredMs(domains),
      nextMinMs: DNS_RETRY_MS + LATENCY_MS,
    },
    {
      title: 'recursor lies',
      knobs: { dns: { lyingRecursor: true } },
      domains: mixed([...RDAP, ...WHOIS]),
      canBeAnswered: always,
      minMs: answeredMs,
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'recursor lies, TLD servers silent',
      knobs: { dns: { lyingRecursor: true, silent: ['a', 'b'] } },
      domains: mixed([...RDAP, ...WHOIS]),
      canBeAnswered: always,
      minMs: (domains) => ZONE_TIMEOUT_MS + answeredMs(domains, { withoutDns: true }),
      nextMinMs: LATENCY_MS,
    },
    {
      title: 'registry is HTML everywhere',
      domains: mixed([...RDAP, ...WHOIS], 'foreign-', few),
      canBeAnswered: never,
      minMs: rdapThenWhoisMs,
      nextMinMs: 2 * LATENCY_MS,
    },
    {
      title: 'registry fails everywhere',
      domains: mixed([...RDAP, ...WHOIS], 'down-', few),
      canBeAnswered: never,
      minMs: () => ERROR_RETRIES_MS,
      nextMinMs: ERROR_PAUSE_MS,
    },
    {
      title: 'registry resets everywhere',
      domains: mixed([...RDAP, ...WHOIS], 'reset-', few),
      canBeAnswered: never,
      minMs: rdapThenWhoisMs,
      nextMinMs: RESET_PAUSE_MS,
    },
    {
      title: 'registry hangs everywhere',
      domains: mixed([...RDAP, ...WHOIS], 'hang-', few),
      canBeAnswered: never,
      minMs: () => WHOIS_TIMEOUT_MS,
      nextMinMs: LATENCY_MS,
    },
  ]
}
