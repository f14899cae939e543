import { readFileSync } from 'node:fs'
import { CATEGORY_COUNTS, CATEGORY_NAMES, TLD_COUNT, type CategoryName, type TldType } from './contract.ts'
import { parseTldFile, type SuffixGroup, type TldEntry, type TldFile } from './data-file.ts'

/** Re-exported: other capabilities may import the catalogue, not the contract. */
export { CATEGORY_NAMES }

/** The data about one TLD, or about a suffix such as `co.uk`, including what the API does not show. */
export type Tld = {
  readonly tld: string
  /** Whose servers answer for it: a TLD (for `co.uk` it is `uk`), or a suffix that has a registry of its own. */
  readonly registry: string
  readonly type: TldType
  /** Empty if the registry has none. */
  readonly rdapServer: string
  /** The origin of `rdapServer`: IANA's bootstrap file or our own table; null without an RDAP server. */
  readonly rdapFrom: 'iana' | 'ours' | null
  readonly whoisServer: string | null
  /** What decides whether a name is available: the registry's RDAP, else its WHOIS, else DNS. */
  readonly lookup: 'rdap' | 'whois' | 'dns'
  readonly categories: readonly CategoryName[]
  /** False once the TLD has left the root zone. */
  readonly enabled: boolean
}

export type Category = {
  readonly name: CategoryName
  readonly label: string
  readonly description: string
  readonly tlds: readonly string[]
}

export type Catalogue = {
  /** Alphabetically. */
  readonly tlds: readonly Tld[]
  /** The names of all TLDs, alphabetically. */
  readonly all: readonly string[]
  /** Everything a name can be registered under: the TLDs, and suffixes of two labels such as `co.uk`. */
  readonly suffixes: ReadonlySet<string>
  /** The TLDs, and those above suffixes: the zones whose name servers are asked. */
  readonly zones: readonly string[]
  /** The suffixes of two labels, alphabetically. */
  readonly secondLevel: readonly Tld[]
  /** In the order of the contract. */
  readonly categories: readonly Category[]
  /** A TLD or a suffix of two labels. */
  find(suffix: string): Tld | undefined
  /** The versions of IANA's files that the data comes from. */
  readonly sources: { readonly bootstrap: string; readonly root: string }
}

let bundled: Catalogue | undefined

/** The bundled catalogue, loaded and validated on first use. */
export function loadCatalogue(): Catalogue {
  bundled ??= parseCatalogue(readFileSync(new URL('../../data/tlds.json', import.meta.url), 'utf8'))
  return bundled
}

/** Parses the text of a data file; throws if it does not match the contract. */
export function parseCatalogue(text: string): Catalogue {
  const file = parseTldFile(text)
  validateTldFile(file)
  const categories = Object.freeze(file.categories.map((category) => Object.freeze(category)))
  const tlds = Object.freeze(file.tlds.map((entry) => Object.freeze(toTld(entry, categories))))
  const byName = new Map(tlds.map((tld) => [tld.tld, tld]))
  const all = Object.freeze([...byName.keys()])
  const ofGroup = (group: SuffixGroup) => group.suffixes.map((suffix) => toSuffix(suffix, group, byName.get(group.tld)))
  const secondLevel = file.suffixes.flatMap(ofGroup).toSorted((a, b) => (a.tld < b.tld ? -1 : 1))
  for (const suffix of secondLevel) byName.set(suffix.tld, Object.freeze(suffix))
  return {
    tlds,
    all,
    suffixes: new Set(byName.keys()),
    zones: [...new Set([...all, ...file.suffixes.map(({ tld }) => tld)])],
    secondLevel: Object.freeze(secondLevel),
    categories,
    find: (suffix) => byName.get(suffix),
    sources: file.sources,
  }
}

/** Where the group has no servers of its own, they are those of the TLD. */
function toSuffix(suffix: string, group: SuffixGroup, above: Tld | undefined): Tld {
  const { tld, ownRegistry = false } = group
  const shared = ownRegistry ? undefined : above
  const rdapServer = group.rdapServer ?? shared?.rdapServer ?? ''
  const whoisServer = group.whoisServer ?? shared?.whoisServer ?? null
  return {
    tld: suffix,
    registry: ownRegistry ? suffix : tld,
    type: above?.type ?? 'ccTLD',
    rdapServer,
    rdapFrom: group.rdapServer === undefined ? (shared?.rdapFrom ?? null) : 'iana',
    whoisServer,
    lookup: lookupOf({ rdapServer, whoisServer }),
    categories: [],
    enabled: above?.enabled ?? true,
  }
}

const lookupOf = ({ rdapServer, whoisServer }: Pick<Tld, 'rdapServer' | 'whoisServer'>): Tld['lookup'] =>
  rdapServer !== '' ? 'rdap' : whoisServer !== null ? 'whois' : 'dns'

function toTld(entry: TldEntry, categories: readonly Category[]): Tld {
  const { tld, type, rdapServer = '', rdapFrom = null, whoisServer = null, enabled = true } = entry
  const lookup = lookupOf({ rdapServer, whoisServer })
  const memberOf = categories.filter((category) => category.tlds.includes(tld)).map(({ name }) => name)
  return {
    tld,
    registry: tld,
    type,
    rdapServer,
    rdapFrom,
    whoisServer,
    lookup,
    categories: memberOf,
    enabled,
  }
}

/** Checks what the schema cannot: the counts of the contract, the order, and references between the parts. */
function validateTldFile({ tlds, categories, suffixes, unlistedRdap, plainHttp }: TldFile): void {
  const names = tlds.map(({ tld }) => tld)
  const known = new Set(names)
  const wrong = (what: string) => new Error(`the TLD data file is wrong: ${what}`)

  if (known.size !== names.length) throw wrong('it lists a TLD twice')
  if (names.length !== TLD_COUNT) throw wrong(`it has ${names.length} TLDs, not ${TLD_COUNT}`)
  if (names.some((name, at) => at > 0 && name < names[at - 1]!)) throw wrong('its TLDs are not in alphabetical order')
  for (const { tld, rdapServer, rdapFrom } of tlds) {
    if ((rdapServer === undefined) !== (rdapFrom === undefined)) throw wrong(`${tld} has only one of server and source`)
    if (rdapServer?.startsWith('http:') && !plainHttp.includes(tld)) throw wrong(`${tld} has RDAP without https`)
  }
  const found = categories.map(({ name }) => name)
  if (found.join() !== CATEGORY_NAMES.join()) throw wrong(`its categories are ${found.join(', ')}`)
  for (const { name, tlds } of categories) {
    const members = new Set(tlds)
    const size = CATEGORY_COUNTS[name]
    if (members.size !== tlds.length) throw wrong(`category ${name} has a TLD twice`)
    if (tlds.length !== size) throw wrong(`category ${name} has ${tlds.length} TLDs, not ${size}`)
  }
  const secondLevel = suffixes.flatMap((group) => group.suffixes)
  if (new Set(secondLevel).size !== secondLevel.length) throw wrong('it lists a suffix twice')
  for (const { tld, suffixes: names, ownRegistry, rdapServer, whoisServer } of suffixes) {
    const stray = names.find((suffix) => !suffix.endsWith(`.${tld}`))
    if (stray !== undefined) throw wrong(`${stray} is not below .${tld}`)
    // Without a server DNS would decide, for a registry that can be asked.
    const hasServer = rdapServer !== undefined || whoisServer !== undefined || (known.has(tld) && !ownRegistry)
    if (!hasServer) throw wrong(`${names[0]} has neither servers nor those of one of our TLDs`)
  }
  const mentioned = [...categories.flatMap(({ tlds }) => tlds), ...Object.keys(unlistedRdap), ...plainHttp]
  const unknown = mentioned.find((tld) => !known.has(tld))
  if (unknown !== undefined) throw wrong(`it mentions .${unknown}, which is not one of its TLDs`)
}
