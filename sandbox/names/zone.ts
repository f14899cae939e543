import type { Random } from '../../src/kernel/random.ts'
import type { DnsRecord } from '../../src/protocols/dns/message.ts'
import { chanceOf, hexOf, oneOf } from './chance.ts'
import type { Truth } from './truth.ts'

/** Networks reserved for documentation (RFC 5737). */
const NETWORKS = ['192.0.2', '198.51.100', '203.0.113']

const ipv4 = (chance: Random): string => `${oneOf(NETWORKS, chance)}.${1 + chance.below(254)}`
const ipv6 = (chance: Random): string => `2001:db8:${hexOf(chance, 2).replace(/^0+(?=.)/, '')}::${1 + chance.below(9)}`

/** The addresses of a host, fixed per seed and host. */
export function hostRecords(host: string, seed: number): readonly DnsRecord[] {
  const chance = chanceOf(seed, 'host', host)
  return [
    { name: host, ttl: 3600, type: 'A', address: ipv4(chance) },
    { name: host, ttl: 3600, type: 'AAAA', address: ipv6(chance) },
  ]
}

/** The DS record of a signed domain, with the field names of RDAP. */
export function delegationSigner(domain: string, seed: number) {
  const chance = chanceOf(seed, 'ds', domain)
  return { keyTag: 1 + chance.below(65_535), algorithm: 13, digestType: 2, digest: hexOf(chance, 32).toUpperCase() }
}

export const signerRecord = (domain: string, seed: number): DnsRecord => ({
  name: domain,
  ttl: 86_400,
  type: 'DS',
  ...delegationSigner(domain, seed),
})

export const nameserverRecords = ({ domain, registration }: Truth): readonly DnsRecord[] =>
  (registration?.nameservers ?? []).map((host) => ({ name: domain, ttl: 86_400, type: 'NS', host }))

/** Glue: addresses of name servers inside the domain they serve. */
export const glueRecords = ({ domain, registration }: Truth, seed: number): readonly DnsRecord[] =>
  (registration?.nameservers ?? [])
    .filter((host) => host.endsWith(`.${domain}`))
    .flatMap((host) => hostRecords(host, seed))

/** The SOA record of a TLD, of the root (an empty name) or of a domain. The negative TTL is 15 minutes. */
export const startOfZone = (zone: string, primary = 'a.tld-servers.example'): DnsRecord => ({
  name: zone,
  ttl: 900,
  type: 'SOA',
  primary,
  mailbox: `dns\\.team.${zone || 'example'}`,
  serial: 2_026_111_501,
  refresh: 7200,
  retry: 900,
  expire: 1_209_600,
  minimum: 900,
})

/** Everything in the zone of a delegated domain: the name itself, `_dmarc`, `www`, `mail`, and its own name servers. */
export function zoneRecords(truth: Truth, seed: number): readonly DnsRecord[] {
  const { domain, registration } = truth
  const chance = chanceOf(seed, 'zone', domain)
  const at = (name: string, ttl = 300) => ({ name, ttl })
  const text = (value: string): DnsRecord => ({ ...at(domain), type: 'TXT', chunks: [Buffer.from(value)] })
  const addresses: DnsRecord[] = Array.from({ length: 1 + chance.below(3) }, () => ({
    ...at(domain),
    type: 'A',
    address: ipv4(chance),
  }))
  const hasMail = chance.below(5) > 0
  const mail = `mail.${domain}`
  const www = `www.${domain}`
  const isAlias = chance.below(2) === 0
  return [
    startOfZone(domain, registration?.nameservers[0]),
    ...nameserverRecords(truth),
    ...glueRecords(truth, seed),
    ...addresses,
    ...(chance.below(3) > 0 ? [{ ...at(domain), type: 'AAAA' as const, address: ipv6(chance) }] : []),
    // Without mail: a null MX record (RFC 7505).
    ...(hasMail
      ? [
          { ...at(domain), type: 'MX' as const, priority: 10, host: mail },
          { ...at(domain), type: 'MX' as const, priority: 20, host: 'backup.ninefold-mail.example' },
        ]
      : [{ ...at(domain), type: 'MX' as const, priority: 0, host: '' }]),
    ...(hasMail ? hostRecords(mail, seed) : []),
    text(hasMail ? 'v=spf1 mx -all' : 'v=spf1 -all'),
    // Underscore names hold data about the domain, not about hosts (RFC 8552).
    {
      ...at(`_dmarc.${domain}`),
      type: 'TXT',
      chunks: [Buffer.from(`v=DMARC1; p=${hasMail ? 'quarantine' : 'reject'}`)],
    },
    text(`site-verification=${hexOf(chance, 12)}`),
    ...(chance.below(3) === 0
      ? [{ ...at(domain), type: 'CAA' as const, flags: 0, tag: 'issue', value: Buffer.from('ca.example') }]
      : []),
    ...saleRecords(domain, seed),
    isAlias ? { ...at(www), type: 'CNAME', target: domain } : { ...at(www), type: 'A', address: ipv4(chance) },
  ]
}

/** `_for-sale` records (RFC 10023): always for names with `forsale`, and for one in eight others. */
function saleRecords(domain: string, seed: number): readonly DnsRecord[] {
  const chance = chanceOf(seed, 'sale', domain)
  if (!domain.includes('forsale') && chance.below(8) > 0) return []
  const dollars = 10 ** (2 + chance.below(3)) * (1 + chance.below(9))
  return [`fval=USD${dollars}`, `furi=https://${domain}/buy`].map((content) => ({
    name: `_for-sale.${domain}`,
    ttl: 3600,
    type: 'TXT',
    chunks: [Buffer.from(`v=FORSALE1;${content}`)],
  }))
}
