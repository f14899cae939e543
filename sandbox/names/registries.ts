import { loadCatalogue, type Tld } from '../../src/tlds/catalogue.ts'

/** The operator of some TLDs, with its own servers, limits and delays. */
export type Registry = {
  /** An ID from the list below, or the TLD if the registry has only WHOIS. */
  readonly id: string
  readonly hasRdap: boolean
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
  const { tlds } = loadCatalogue()
  const withRdap = Map.groupBy(
    tlds.filter(({ lookup }) => lookup === 'rdap'),
    (tld) => SHARED.find(([, isOurs]) => isOurs(tld))![0],
  )
  const shared = SHARED.map(([id]) => ({ id, hasRdap: true, tlds: withRdap.get(id) ?? [] }))
  const whoisOnly = tlds.filter(({ lookup }) => lookup === 'whois')
  return [...shared, ...whoisOnly.map((tld) => ({ id: tld.tld, hasRdap: false, tlds: [tld] }))]
}
