import { ApiError } from '../kernel/errors.ts'
import { ensProblem, type Label, parseDomain, parseLabel, splitDomain, unsupportedSuffix } from '../kernel/names.ts'
import type { Catalogue } from '../tlds/catalogue.ts'
import type { Target } from './probe.ts'

/** Maximum domains of one check; a bulk check has its own limit. */
const MAX_TARGETS = 20

export type CheckQuery = {
  readonly name?: string | undefined
  readonly tld?: string | undefined
  readonly category?: string | undefined
  readonly domain?: string | undefined
}

/** The domains to check, in the order given and without duplicates. Throws ApiError for invalid ones. */
export function parseTargets(query: CheckQuery, catalogue: Catalogue): readonly Target[] {
  const { name, domain } = query
  if (domain !== undefined)
    return enforceLimit(unique(splitList(domain).map((text) => parseDomainTarget(text, catalogue))), 'domains')
  if (name === undefined) throw new ApiError('missing_parameter', 'name is required; for example name=example.')
  const label = parseName(name)
  const tlds = enforceLimit([...new Set(parseTlds(query, label, catalogue))], 'TLDs')
  return tlds.map((tld) => target(label, tld))
}

/** The name under every TLD, as the legacy endpoint checks it. */
export const allTargets = (name: string, catalogue: Catalogue): readonly Target[] => {
  const label = parseName(name)
  return catalogue.all.map((tld) => target(label, tld))
}

/** A full domain as a target. Throws `invalid_domain` or `unsupported_tld`. */
export function parseDomainTarget(text: string, catalogue: Catalogue): Target {
  const parsed = parseDomain(text)
  if (!parsed.ok) throw new ApiError('invalid_domain', `domain: ${quote(text)} ${parsed.problem}`)
  const split = splitDomain(parsed.name, catalogue.suffixes)
  if (split.kind === 'unsupported') {
    throw new ApiError('unsupported_tld', `domain: ${split.problem}`, { extra: { tld: split.tld } })
  }
  if (split.kind === 'subdomain') throw new ApiError('invalid_domain', `domain: ${split.problem}`)
  return { domain: parsed.name, label: split.label, tld: split.suffix }
}

function parseName(name: string): Label {
  const parsed = parseLabel(name)
  if (!parsed.ok) throw new ApiError('invalid_name', `name: ${parsed.problem}`)
  return parsed.name
}

function parseTlds({ tld, category }: CheckQuery, label: Label, catalogue: Catalogue): readonly string[] {
  const named = tld === undefined ? [] : splitList(tld).map((text) => parseTld(text, label, catalogue))
  const grouped = category === undefined ? [] : categoryMembers(category, catalogue)
  return tld === undefined && category === undefined ? categoryMembers('top20', catalogue) : [...named, ...grouped]
}

function parseTld(text: string, label: Label, catalogue: Catalogue): string {
  const tld = text.toLowerCase().replace(/^\./, '')
  if (catalogue.suffixes.has(tld)) return tld
  const shown = tld.slice(0, 63)
  const problem = tld === 'eth' ? `${label}.eth ${ensProblem(`${label}.eth`)}` : unsupportedSuffix(shown)
  throw new ApiError('unsupported_tld', `tld: ${problem}`, { extra: { tld: shown } })
}

const categoryMembers = (category: string, catalogue: Catalogue): readonly string[] =>
  catalogue.categories.find(({ name }) => name === category)!.tlds

const target = (label: Label, tld: string): Target => ({ domain: `${label}.${tld}` as Target['domain'], label, tld })

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '')

const unique = (targets: readonly Target[]): readonly Target[] => [
  ...new Map(targets.map((target) => [target.domain, target])).values(),
]

function enforceLimit<T>(found: readonly T[], what: string): readonly T[] {
  if (found.length === 0) throw new ApiError('invalid_parameter', `The list has no ${what}.`)
  if (found.length <= MAX_TARGETS) return found
  const message = `The request has ${found.length} ${what}; at most ${MAX_TARGETS} are allowed. POST /v1/check/bulk accepts more.`
  throw new ApiError('too_many_tlds', message)
}

const quote = (text: string): string => (text.length > 80 ? `"${text.slice(0, 80)}…"` : `"${text}"`)
