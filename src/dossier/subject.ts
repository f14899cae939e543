import { ApiError } from '../kernel/errors.ts'
import { type DomainName, type Label, parseDomain, parseLabel, splitDomain } from '../kernel/names.ts'
import type { Catalogue } from '../tlds/catalogue.ts'

/** What a dossier is about: a name under a set of TLDs, and one of its domains in particular. */
export type Subject = {
  readonly label: Label
  /** Set if a whole domain was asked for. */
  readonly domain: DomainName | null
  readonly tlds: readonly string[]
}

type Query = {
  readonly name: string
  readonly tld?: string | undefined
  readonly category?: string | undefined
}

/** Of names that end in it, the label alone is looked up: ENS is one of the parts. */
const ENS_SUFFIX = /\.eth$/i

/** Throws ApiError for a name that nobody can own. */
export function parseSubject({ name, tld, category }: Query, catalogue: Catalogue): Subject {
  const text = name.trim().replace(ENS_SUFFIX, '')
  if (!text.includes('.')) {
    const parsed = parseLabel(text)
    if (!parsed.ok) throw new ApiError('invalid_name', `name: ${parsed.problem}`)
    return { label: parsed.name, domain: null, tlds: tldsOf({ tld, category }, catalogue) }
  }
  const parsed = parseDomain(text)
  if (!parsed.ok) throw new ApiError('invalid_domain', `name: ${parsed.problem}`)
  const split = splitDomain(parsed.name, catalogue.suffixes)
  if (split.kind === 'unsupported') {
    throw new ApiError('unsupported_tld', `name: ${split.problem}`, { extra: { tld: split.tld } })
  }
  if (split.kind === 'subdomain') throw new ApiError('invalid_domain', `name: ${split.problem}`)
  const others = tldsOf({ tld, category }, catalogue).filter((one) => one !== split.suffix)
  return { label: split.label, domain: parsed.name, tlds: [split.suffix, ...others] }
}

const ALL = 'all'
const DEFAULT_CATEGORY = 'top20'

function tldsOf({ tld, category }: Omit<Query, 'name'>, catalogue: Catalogue): readonly string[] {
  const named = tld === undefined ? [] : tld.split(',').map((text) => text.trim().toLowerCase().replace(/^\./, ''))
  const unknown = named.find((text) => !catalogue.suffixes.has(text))
  if (unknown !== undefined) {
    const short = unknown.slice(0, 63)
    const message = `tld: .${short} is not supported; GET /v1/tlds lists those that are.`
    throw new ApiError('unsupported_tld', message, { extra: { tld: short } })
  }
  const group = category ?? (tld === undefined ? DEFAULT_CATEGORY : undefined)
  if (group === ALL) return [...new Set([...named, ...catalogue.all])]
  const members = catalogue.categories.find(({ name }) => name === group)?.tlds ?? []
  return [...new Set([...named, ...members])]
}
