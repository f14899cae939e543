import { readFileSync } from 'node:fs'
import { CATEGORY_COUNTS, CATEGORY_NAMES, TLD_COUNT, type CategoryName, type TldType } from './contract.ts'
import { parseTldFile, type TldEntry, type TldFile } from './data-file.ts'

/** Re-exported: other capabilities may import the catalogue, not the contract. */
export { CATEGORY_NAMES }

/** The data about one TLD, including what the API does not show. */
export type Tld = {
  readonly tld: string
  readonly type: TldType
  /** Empty if the registry has none. */
  readonly rdapServer: string
  /** The origin of `rdapServer`: IANA's bootstrap file or our own table; null without an RDAP server. */
  readonly rdapFrom: 'iana' | 'ours' | null
  readonly whoisServer: string | null
  /** What decides whether a name is available: the registry's RDAP, else its WHOIS, else DNS. */
  readonly lookup: 'rdap' | 'whois' | 'dns'
  /** Addresses that the TLD returns for unregistered names, so they do not prove a registration. */
  readonly wildcards: readonly string[]
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
  /** The names of all TLDs, alphabetically, and as a set. */
  readonly all: readonly string[]
  readonly suffixes: ReadonlySet<string>
  /** In the order of the contract. */
  readonly categories: readonly Category[]
  find(tld: string): Tld | undefined
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
  return { tlds, all, suffixes: new Set(all), categories, find: (tld) => byName.get(tld), sources: file.sources }
}

function toTld(entry: TldEntry, categories: readonly Category[]): Tld {
  const { tld, type, rdapServer = '', rdapFrom = null, whoisServer = null, wildcards = [], enabled = true } = entry
  const lookup = rdapServer !== '' ? 'rdap' : whoisServer !== null ? 'whois' : 'dns'
  const memberOf = categories.filter((category) => category.tlds.includes(tld)).map(({ name }) => name)
  return { tld, type, rdapServer, rdapFrom, whoisServer, lookup, wildcards, categories: memberOf, enabled }
}

/** Checks what the schema cannot: the counts of the contract, the order, and references between the parts. */
function validateTldFile({ tlds, categories, unlistedRdap, plainHttp }: TldFile): void {
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
  const mentioned = [...categories.flatMap(({ tlds }) => tlds), ...Object.keys(unlistedRdap), ...plainHttp]
  const unknown = mentioned.find((tld) => !known.has(tld))
  if (unknown !== undefined) throw wrong(`it mentions .${unknown}, which is not one of its TLDs`)
}
