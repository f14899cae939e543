import type { Knobs } from '../../sandbox/names/knobs.ts'
import { truthOf } from '../../sandbox/names/truth.ts'
import { halfFree, scripted, SEED } from './lists.ts'

export type Scenario = {
  readonly title: string
  readonly knobs?: Knobs
  readonly domains: readonly string[]
  /** Whether the contestant's clock jumps. */
  readonly jumps?: boolean
  /** Whether a trusted source can answer; see `docs/verdicts.md`. */
  canBeAnswered(domain: string): boolean
}

/** TLDs of four registries with RDAP, and of four with WHOIS only. */
const RDAP = ['com', 'org', 'io', 'app']
const WHOIS = ['at', 'it', 'us', 'jp']

const always = () => true
const never = () => false
/** Without RDAP and WHOIS, a delegation still proves that a name is taken. */
const whenDelegated = (domain: string) => truthOf(domain, SEED).isDelegated

/** All scenarios, each with about `size` names. */
export function scenarios(size: number): Scenario[] {
  const each = Math.ceil(size / 4)
  const few = Math.ceil(size / 16)
  const limit = { perSecond: 10, burst: 10 }
  const mixed = (tlds: readonly string[], prefix = '', count = each) => halfFree(tlds, count, prefix)
  return [
    { title: 'nothing is wrong', domains: [...mixed(RDAP), ...mixed(WHOIS)], canBeAnswered: always },
    { title: 'clock jumps', jumps: true, domains: [...mixed(RDAP), ...mixed(WHOIS)], canBeAnswered: always },
    {
      title: 'registered, not delegated',
      domains: scripted([...RDAP, ...WHOIS], each, 'held-'),
      canBeAnswered: always,
    },
    {
      title: 'reserved by the registry',
      domains: scripted([...RDAP, ...WHOIS], few, 'reserved-'),
      canBeAnswered: always,
    },
    {
      title: 'lame and bogus delegations',
      domains: [...scripted(RDAP, few, 'lame-'), ...scripted(RDAP, few, 'bogus-')],
      canBeAnswered: always,
    },
    {
      title: 'RDAP 429 storm, 10/s',
      knobs: { rdapLimit: limit, whoisLimit: limit },
      domains: [...mixed(['com'], '', size), ...scripted(['com'], each, 'held-')],
      canBeAnswered: always,
    },
    {
      title: 'RDAP 503 to 40 %',
      knobs: { errorShare: 0.4 },
      domains: mixed(RDAP, '', each * 2),
      canBeAnswered: always,
    },
    { title: 'RDAP is HTML', domains: mixed(RDAP, 'rdap-foreign-'), canBeAnswered: always },
    {
      title: 'RDAP JSON cut short',
      domains: [...mixed(RDAP, 'rdap-cut-', few * 2), ...mixed(RDAP, 'rdap-half-', few * 2)],
      canBeAnswered: always,
    },
    { title: 'RDAP hangs', domains: mixed(RDAP, 'rdap-hang-', few), canBeAnswered: always },
    { title: 'RDAP resets', domains: mixed(RDAP, 'rdap-reset-'), canBeAnswered: always },
    {
      title: 'redirected to a private address',
      domains: [...mixed(RDAP, 'rdap-redirect-'), ...mixed(WHOIS, 'whois-redirect-', few)],
      canBeAnswered: (domain) => domain.startsWith('rdap-'),
    },
    {
      title: 'RDAP dead: refused',
      knobs: { rdapDown: 'refused' },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
    },
    {
      title: 'RDAP dead: reset',
      knobs: { rdapDown: 'reset' },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
    },
    {
      title: 'RDAP dead: hangs',
      knobs: { rdapDown: 'hang' },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
    },
    {
      title: 'RDAP dead, WHOIS throttled, 5/s',
      knobs: { rdapDown: 'refused', whoisLimit: { perSecond: 5, burst: 5 } },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
    },
    {
      title: 'RDAP dead, WHOIS throttled for good',
      knobs: { rdapDown: 'refused', whoisLimit: { perSecond: 0.001, burst: 1 } },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: whenDelegated,
    },
    {
      title: 'RDAP dead, WHOIS denies delegated names',
      knobs: { rdapDown: 'refused', whoisDenies: true },
      domains: [...mixed(RDAP), ...scripted(RDAP, few, 'held-')],
      canBeAnswered: always,
    },
    {
      title: 'RDAP dead, WHOIS denies, TLD servers silent',
      knobs: { rdapDown: 'refused', whoisDenies: true, dns: { silent: ['a', 'b', 'recursor'] } },
      domains: mixed(RDAP, '', few),
      canBeAnswered: never,
    },
    {
      title: 'WHOIS throttled, 5/s',
      knobs: { whoisLimit: { perSecond: 5, burst: 5 } },
      domains: [...mixed(WHOIS), ...scripted(WHOIS, few, 'held-')],
      canBeAnswered: always,
    },
    {
      title: 'TLD with a wildcard',
      domains: [...mixed(['ws'], '', size), ...scripted(['ws'], few, 'held-')],
      canBeAnswered: always,
    },
    { title: 'name servers SERVFAIL', domains: mixed([...RDAP, ...WHOIS], 'dns-broken-'), canBeAnswered: always },
    { title: 'name servers REFUSED', domains: mixed([...RDAP, ...WHOIS], 'dns-denied-', few), canBeAnswered: always },
    {
      title: 'name servers lose 20 %',
      knobs: { dns: { dropShare: 0.2 } },
      domains: mixed([...RDAP, ...WHOIS]),
      canBeAnswered: always,
    },
    {
      title: 'recursor lies',
      knobs: { dns: { lyingRecursor: true } },
      domains: mixed([...RDAP, ...WHOIS]),
      canBeAnswered: always,
    },
    {
      title: 'recursor lies, TLD servers silent',
      knobs: { dns: { lyingRecursor: true, silent: ['a', 'b'] } },
      domains: mixed([...RDAP, ...WHOIS]),
      canBeAnswered: always,
    },
    {
      title: 'registry is HTML everywhere',
      domains: mixed([...RDAP, ...WHOIS], 'foreign-', few),
      canBeAnswered: never,
    },
    { title: 'registry resets everywhere', domains: mixed([...RDAP, ...WHOIS], 'reset-', few), canBeAnswered: never },
    { title: 'registry hangs everywhere', domains: mixed([...RDAP, ...WHOIS], 'hang-', few), canBeAnswered: never },
  ]
}
