import { readFileSync } from 'node:fs'
import { CATEGORY_COUNTS, CATEGORY_NAMES, TLD_COUNT, type CategoryName, type TldType } from './contract.ts'
import { parseTldFile, type TldEntry, type TldFile } from './data-file.ts'

/** Other capabilities know the catalogue, not its contract. */
export { CATEGORY_NAMES }

/** All we know of one TLD; more than the outside is told. */
export type Tld = {
  readonly tld: string
  readonly type: TldType
  /** Empty where the registry has none. */
  readonly rdapServer: string
  /** Who named the RDAP server: IANA's bootstrap file or our own table; null where there is none. */
  readonly rdapFrom: 'iana' | 'ours' | null
  readonly whoisServer: string | null
  /** Whose word decides whether a name is free: the registry's by RDAP, else by WHOIS, else what DNS shows. */
  readonly lookup: 'rdap' | 'whois' | 'dns'
  /** Addresses the TLD gives to names nobody has registered: no proof of a registration. */
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
  /** The names of all TLDs, alphabetically, and the same as a set to look in. */
  readonly all: readonly string[]
  readonly suffixes: ReadonlySet<string>
  /** In the order of the contract. */
  readonly categories: readonly Category[]
  find(tld: string): Tld | undefined
  /** The editions of IANA's files the data is from. */
  readonly sources: { readonly bootstrap: string; readonly root: string }
}

let bundled: Catalogue | undefined

/** The catalogue that comes with the project, read and checked on first use. */
export function loadCatalogue(): Catalogue {
  bundled ??= parseCatalogue(readFileSync(new URL('../../data/tlds.json', import.meta.url), 'utf8'))
  return bundled
}

/** A catalogue from the text of a data file; throws when it is not what the contract promises. */
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

/** What the form alone cannot promise: the counts of the contract, the order, and that the parts fit together. */
function validateTldFile({ tlds, categories, unlistedRdap, plainHttp }: TldFile): void {
  const names = tlds.map(({ tld }) => tld)
  const known = new Set(names)
  const wrong = (what: string) => new Error(`the TLD data file is wrong: ${what}`)

  if (known.size !== names.length) throw wrong('a TLD stands in it twice')
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
  const strangers = [...categories.flatMap(({ tlds }) => tlds), ...Object.keys(unlistedRdap), ...plainHttp]
  const stranger = strangers.find((tld) => !known.has(tld))
  if (stranger !== undefined) throw wrong(`it speaks of .${stranger}, which is not one of its TLDs`)
}
