import { loadCatalogue, type Tld } from '../../src/tlds/catalogue.ts'

/** The operator of some TLDs, with its own servers, limits and delays. */
export type Registry = {
  /** An ID from the list below, or the TLD or suffix if the registry has only WHOIS. */
  readonly id: string
  readonly hasRdap: boolean
  /** Its TLDs, and suffixes such as `co.uk` whose names it keeps. */
  readonly tlds: readonly Tld[]
}

/** TLDs grouped by the operator of their real RDAP server; the first match wins. */
const SHARED: readonly (readonly [id: string, isOurs: (tld: Tld) => boolean])[] = [
  ['com', ({ tld }) => tld === 'com'],
  ['net', ({ rdapServer, tld }) => rdapServer.includes('verisign.com') || tld === 'tv'],
  ['org', ({ rdapServer }) => rdapServer.includes('publicinterestregistry')],
  ['app', ({ rdapServer }) => rdapServer.includes('registry.google')],
  ['wide', ({ rdapServer }) => rdapServer.includes('identitydigital')],
  ['shared', ({ rdapServer }) => /centralnic|radix|tucows/.test(rdapServer)],
  ['country', ({ type }) => type === 'ccTLD'],
  ['generic', () => true],
]

/** All registries; TLDs without RDAP and WHOIS have no registry. */
export function loadRegistries(): readonly Registry[] {
  const { tlds, secondLevel } = loadCatalogue()
  const all = [...tlds, ...secondLevel]
  const withRdap = Map.groupBy(
    all.filter(({ lookup }) => lookup === 'rdap'),
    (tld) => SHARED.find(([, isOurs]) => isOurs(tld))![0],
  )
  const shared = SHARED.map(([id]) => ({ id, hasRdap: true, tlds: withRdap.get(id) ?? [] }))
  const whoisOnly = Map.groupBy(
    all.filter(({ lookup }) => lookup === 'whois'),
    ({ registry }) => registry,
  )
  return [...shared, ...whoisOnly.entries().map(([id, ofRegistry]) => ({ id, hasRdap: false, tlds: ofRegistry }))]
}
