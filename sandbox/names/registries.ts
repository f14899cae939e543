import { loadCatalogue, type Tld } from '../../src/tlds/catalogue.ts'

/** Who runs a part of the TLDs on machines of its own: limits and delays are those of one registry. */
export type Registry = {
  /** One of the words below, or the TLD of a registry that has WHOIS only. */
  readonly id: string
  readonly hasRdap: boolean
  readonly tlds: readonly Tld[]
}

/** Which TLDs go together, by where their registries' RDAP servers stand in the world outside; the first that fits. */
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

/** TLDs without RDAP and WHOIS belong to none of them. */
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
