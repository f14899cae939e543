import type { z } from 'zod'
import { type Presence, RELEVANCES } from './contract.ts'
import type { Match } from './match.ts'

export type Signals = z.input<typeof Presence>['signals']
type TopMatch = z.input<typeof Presence>['engines'][number]['top_matches'][number]

const MAX_NAMED = 10
const MAX_SHOWN = 5

/**
 * How many independent businesses are called by the name and by what they are. One with its own host counts by that; an
 * entry elsewhere counts where no host has said the same kind.
 */
export function organisationsIn(matches: readonly Match[]): number {
  const named = matches.filter(({ organisation, isReference }) => organisation !== null && !isReference)
  const own = named.filter(({ isOwnHost, ownsDomain }) => isOwnHost || ownsDomain)
  const ownKinds = new Set(own.map(({ organisation }) => organisation))
  const elsewhere = named.map(({ organisation }) => organisation).filter((kind) => !ownKinds.has(kind))
  return new Set(own.map(({ host }) => host)).size + new Set(elsewhere).size
}

/** Fewer may only have a name that begins with these words. */
export const MIN_ORGANISATIONS = 2

/** What all engines together say. A word's page in a dictionary makes nobody a brand, nor does a sentence with it. */
export function signalsOf(matches: readonly Match[], domainRegistered: boolean | null, isSharedName = false): Signals {
  const exact = matches.filter(({ closeness }) => closeness === 'exact')
  const about = exact.filter(({ isReference, isCentral }) => !isReference && isCentral)
  const has = (trade: Match['trade']) => about.some((match) => match.trade === trade)
  const people = named(about.map(({ person }) => person))
  // The site and the handles of somebody known by this name are that person's.
  const isOwned = people.length === 0 && about.some((match) => match.ownsDomain || isOfBrand(match))
  const hasCompany = has('company') || isSharedName
  return {
    exact_phrase_found: exact.length > 0,
    brand_exists: hasCompany || has('product') || isOwned,
    company_exists: hasCompany,
    product_exists: has('product'),
    domain_registered: domainRegistered === true,
    // False alone would claim that nobody has it.
    ...(domainRegistered === null && { domain_registered_unknown: true }),
    social_handles_found: named(about.map(({ handle }) => handle)),
    notable_individuals: people,
  }
}

/** The account of a person, and a forum of this name, are no brand. */
const isOfBrand = ({ handle, isPost }: Match): boolean =>
  handle !== null && !isPost && !handle.startsWith('linkedin.com/in/')

const named = (all: readonly (string | null)[]): string[] =>
  [...new Set(all.filter((one) => one !== null))].slice(0, MAX_NAMED)

/** The best of one engine; what says nothing of the name is left out, and so are posts, which are of no type. */
export const topMatchesOf = (matches: readonly Match[]): TopMatch[] =>
  matches
    .filter(({ closeness, isPost }) => closeness !== 'none' && !isPost)
    .toSorted((a, b) => RELEVANCES.indexOf(a.relevance) - RELEVANCES.indexOf(b.relevance))
    .slice(0, MAX_SHOWN)
    .map(({ title, url, type, relevance }) => ({ title, url, type, relevance }))
