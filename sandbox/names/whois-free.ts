import { tldOf } from '../../src/kernel/names.ts'
import type { Tld } from '../../src/tlds/catalogue.ts'

type Writing = (domain: string) => readonly string[]

const UPDATED = '>>> Last update of WHOIS database: 2026-11-15T00:00:00Z <<<'
const sentence =
  (words: (domain: string) => string): Writing =>
  (domain) => [words(domain), UPDATED]

const DOMAIN_NOT_FOUND = sentence(() => 'Domain not found.')
const FOR_REGISTRATION = sentence((domain) => `>>> Domain ${domain} is available for registration`)
const COUNTRY: Writing = (domain) => [
  '% Everything in this register is invented.',
  '',
  `% No entries found for ${domain}.`,
]
const STATUS_FREE: Writing = (domain) => [`Domain: ${domain}`, 'Status: free']

/** The real "not found" wording of single TLDs. */
const BY_TLD: Readonly<Record<string, Writing>> = {
  africa: (domain) => ['Available', `Domain: ${domain}`, UPDATED],
  ar: () => ['El dominio no se encuentra registrado en NIC Argentina'],
  au: DOMAIN_NOT_FOUND,
  ch: () => ['We do not have an entry in our database matching your query.'],
  li: () => ['We do not have an entry in our database matching your query.'],
  co: sentence(() => 'DOMAIN NOT FOUND'),
  cr: () => ['% Everything in this register is invented.', '', '%ERROR:101: no entries found'],
  cz: () => ['% Everything in this register is invented.', '', '%ERROR:101: no entries found'],
  fi: () => ['Domain not found'],
  fr: () => ['%% Everything in this register is invented.', '', '%% NOT FOUND'],
  paris: () => ['%% NOT FOUND', UPDATED],
  is: (domain) => ['% Everything in this register is invented.', '', `% No entries found for query "${domain}".`],
  nl: (domain) => [`${domain} is free`],
  amsterdam: (domain) => [`Domain Name: ${domain}`, 'Domain Status: free'],
  no: () => ['% Everything in this register is invented.', '', '% No match'],
  pl: (domain) => [`No information available about domain name ${domain} in the Registry NASK database.`],
  sg: () => ['Domain Not Found'],
  si: () => ['% Everything in this register is invented.', '', '% No entries found for the selected source(s).'],
  top: sentence((domain) => `The queried object does not exist: ${domain}`),
  tw: () => ['No Found'],
  uz: (domain) => [`Sorry, but domain: "${domain}", not found in database`],
}

/** The wording of registries that share software, by RDAP server or TLD; the first match wins. */
const BY_KIND: readonly (readonly [isOurs: (tld: Tld) => boolean, writing: Writing])[] = [
  [
    ({ whoisServer }) => /verisign|\.nic\.name$/.test(whoisServer ?? ''),
    sentence((domain) => `No match for domain "${domain.toUpperCase()}".`),
  ],
  [({ rdapServer }) => /identitydigital|publicinterestregistry|registry\.google/.test(rdapServer), DOMAIN_NOT_FOUND],
  [
    ({ rdapServer }) => /radix|tucowsregistry|registry\.(?:click|cloud|love|hiphop|bar)|nixi|tonic/.test(rdapServer),
    FOR_REGISTRATION,
  ],
  [({ rdapServer }) => rdapServer.includes('fury.ca'), sentence((domain) => `Not found: ${domain}`)],
  [
    ({ rdapServer, tld }) => rdapServer.includes('centralnic') || ['id', 'rugby', 'shop'].includes(tldOf(tld)),
    sentence(() => 'The queried object does not exist: DOMAIN NOT FOUND'),
  ],
  [
    ({ tld }) => ['bayern', 'berlin', 'hamburg'].includes(tld),
    sentence(() => 'The queried object does not exist: no matching objects found'),
  ],
  [
    ({ tld }) => ['cx', 'ec', 'hn', 'ke', 'ly', 'ng'].includes(tldOf(tld)),
    (domain) => [`Domain Name: ${domain}`, 'Domain Status: No Object Found', UPDATED],
  ],
  [
    ({ rdapServer }) => rdapServer.includes('nominet'),
    (domain) => [`    No match for "${domain}".`, '', '    This domain name has not been registered.'],
  ],
  [({ tld }) => ['at', 'be', 'de', 'eu', 'it'].includes(tld), STATUS_FREE],
  [({ type }) => type === 'gTLD', sentence(() => 'No Data Found')],
]

/** The "not found" answer, in the wording of the TLD's real WHOIS server. */
export function freeLines(tld: Tld, domain: string): readonly string[] {
  const writing = BY_TLD[tldOf(tld.tld)] ?? BY_KIND.find(([isOurs]) => isOurs(tld))?.[1] ?? COUNTRY
  return writing(domain)
}
