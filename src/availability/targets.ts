import { ApiError } from '../kernel/errors.ts'
import { type Label, parseDomain, parseLabel, splitDomain } from '../kernel/names.ts'
import type { Catalogue } from '../tlds/catalogue.ts'
import type { Target } from './probe.ts'

/** Most domains one check may ask about; a bulk check has a limit of its own. */
const MAX_TARGETS = 20

export type CheckQuery = {
  readonly name?: string | undefined
  readonly tld?: string | undefined
  readonly category?: string | undefined
  readonly domain?: string | undefined
}

/** The domains to check, in the order given and without duplicates. Throws ApiError for invalid ones. */
export function parseTargets(question: CheckQuery, catalogue: Catalogue): readonly Target[] {
  const { name, domain } = question
  if (domain !== undefined)
    return enforceLimit(unique(splitList(domain).map((text) => parseDomainTarget(text, catalogue))), 'domains')
  if (name === undefined) throw new ApiError('missing_parameter', 'name is required; for example name=example.')
  const label = parseName(name)
  const tlds = enforceLimit([...new Set(parseTlds(question, catalogue))], 'TLDs')
  return tlds.map((tld) => target(label, tld))
}

/** Every TLD there is, as the legacy address checks it. */
export const allTargets = (name: string, catalogue: Catalogue): readonly Target[] => {
  const label = parseName(name)
  return catalogue.all.map((tld) => target(label, tld))
}

/** A full domain as a target. Throws `invalid_domain` or `unsupported_tld`. */
export function parseDomainTarget(text: string, catalogue: Catalogue): Target {
  const reading = parseDomain(text)
  if (!reading.ok) throw new ApiError('invalid_domain', `domain: ${quote(text)} ${reading.problem}`)
  const split = splitDomain(reading.name, catalogue.suffixes)
  if (split.kind === 'unsupported') {
    throw new ApiError('unsupported_tld', `domain: ${split.problem}`, { extra: { tld: split.tld } })
  }
  if (split.kind === 'subdomain') throw new ApiError('invalid_domain', `domain: ${split.problem}`)
  return { domain: reading.name, label: split.label, tld: split.suffix }
}

function parseName(name: string): Label {
  const reading = parseLabel(name)
  if (!reading.ok) throw new ApiError('invalid_name', `name: ${reading.problem}`)
  return reading.name
}

function parseTlds({ tld, category }: CheckQuery, catalogue: Catalogue): readonly string[] {
  const named = tld === undefined ? [] : splitList(tld).map((text) => parseTld(text, catalogue))
  const grouped = category === undefined ? [] : categoryMembers(category, catalogue)
  return tld === undefined && category === undefined ? categoryMembers('top20', catalogue) : [...named, ...grouped]
}

function parseTld(text: string, catalogue: Catalogue): string {
  const tld = text.toLowerCase().replace(/^\./, '')
  if (catalogue.suffixes.has(tld)) return tld
  const message = `tld: .${tld.slice(0, 63)} is not supported; GET /v1/tlds lists those that are.`
  throw new ApiError('unsupported_tld', message, { extra: { tld: tld.slice(0, 63) } })
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
  if (found.length === 0) throw new ApiError('invalid_parameter', `There are no ${what} in the list.`)
  if (found.length <= MAX_TARGETS) return found
  const message = `${found.length} ${what} are asked for; one request may have ${MAX_TARGETS}. POST /v1/check/bulk takes more.`
  throw new ApiError('too_many_tlds', message)
}

const quote = (text: string): string => (text.length > 80 ? `"${text.slice(0, 80)}…"` : `"${text}"`)
