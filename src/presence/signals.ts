import type * as z from 'zod'
import { type Presence, RELEVANCES } from './contract.ts'
import type { Match } from './match.ts'

export type Signals = z.input<typeof Presence>['signals']
type TopMatch = z.input<typeof Presence>['engines'][number]['top_matches'][number]

const MAX_HANDLES = 10
const MAX_TOP_MATCHES = 5

/**
 * Counts independent businesses that combine the name with a kind of business. One with its own host counts by the host;
 * a page elsewhere counts if no host has the same kind.
 */
export function organisationsIn(matches: readonly Match[]): number {
  const named = matches.filter(({ organisation, isReference }) => organisation !== null && !isReference)
  const own = named.filter(({ isOwnHost, ownsDomain }) => isOwnHost || ownsDomain)
  const ownKinds = new Set(own.map(({ organisation }) => organisation))
  const elsewhere = named.map(({ organisation }) => organisation).filter((kind) => !ownKinds.has(kind))
  return new Set(own.map(({ host }) => host)).size + new Set(elsewhere).size
}

/** A single business may just have a longer name that begins with these words. */
export const MIN_ORGANISATIONS = 2

/** The signals from the results of all engines. A dictionary entry or a sentence with the words does not make a brand. */
export function signalsOf(matches: readonly Match[], domainRegistered: boolean | null, isSharedName = false): Signals {
  const exact = matches.filter(({ closeness }) => closeness === 'exact')
  const about = exact.filter(({ isReference, isCentral }) => !isReference && isCentral)
  const has = (trade: Match['trade']) => about.some((match) => match.trade === trade)
  const people = named(about.map(({ person }) => person))
  // The site and handles of a person known by this name do not make a brand.
  const isOwned = people.length === 0 && about.some((match) => match.ownsDomain || isOfBrand(match))
  const hasCompany = has('company') || isSharedName
  return {
    exact_phrase_found: exact.length > 0,
    brand_exists: hasCompany || has('product') || isOwned,
    company_exists: hasCompany,
    product_exists: has('product'),
    domain_registered: domainRegistered === true,
    // False alone would mean that it is not registered.
    ...(domainRegistered === null && { domain_registered_unknown: true }),
    social_handles_found: named(about.map(({ handle }) => handle)),
    notable_individuals: people,
  }
}

/** A person's account and a forum of this name do not count as a brand. */
const isOfBrand = ({ handle, isPost }: Match): boolean =>
  handle !== null && !isPost && !handle.startsWith('linkedin.com/in/')

const named = (all: readonly (string | null)[]): string[] =>
  [...new Set(all.filter((one) => one !== null))].slice(0, MAX_HANDLES)

/** The best matches of one engine, without posts, which have no type. */
export const topMatchesOf = (matches: readonly Match[]): TopMatch[] =>
  matches
    .filter(({ closeness, isPost }) => closeness !== 'none' && !isPost)
    .toSorted((a, b) => RELEVANCES.indexOf(a.relevance) - RELEVANCES.indexOf(b.relevance))
    .slice(0, MAX_TOP_MATCHES)
    .map(({ title, url, type, relevance }) => ({ title, url, type, relevance }))
