import type { z } from 'zod'
import { type Presence, RELEVANCES } from './contract.ts'
import type { Match } from './match.ts'

export type Signals = z.input<typeof Presence>['signals']
type TopMatch = z.input<typeof Presence>['engines'][number]['top_matches'][number]

const MOST_NAMED = 10
const MOST_SHOWN = 5

/** What all engines together say. A word's page in a dictionary makes nobody a brand, nor does a sentence with it. */
export function signalsOf(matches: readonly Match[], domainRegistered: boolean): Signals {
  const exact = matches.filter(({ closeness }) => closeness === 'exact')
  const about = exact.filter(({ isReference, isCentral }) => !isReference && isCentral)
  const has = (trade: Match['trade']) => about.some((match) => match.trade === trade)
  const people = named(about.map(({ person }) => person))
  // The site and the handles of somebody known by this name are that person's.
  const isOwned = people.length === 0 && about.some((match) => match.ownsDomain || isOfBrand(match.handle))
  return {
    exact_phrase_found: exact.length > 0,
    brand_exists: has('company') || has('product') || isOwned,
    company_exists: has('company'),
    product_exists: has('product'),
    domain_registered: domainRegistered,
    social_handles_found: named(about.map(({ handle }) => handle)),
    notable_individuals: people,
  }
}

const isOfBrand = (handle: string | null): boolean => handle !== null && !handle.startsWith('linkedin.com/in/')

const named = (all: readonly (string | null)[]): string[] =>
  [...new Set(all.filter((one) => one !== null))].slice(0, MOST_NAMED)

/** The best of one engine; what says nothing of the name is left out. */
export const topMatchesOf = (matches: readonly Match[]): TopMatch[] =>
  matches
    .filter(({ closeness }) => closeness !== 'none')
    .toSorted((a, b) => RELEVANCES.indexOf(a.relevance) - RELEVANCES.indexOf(b.relevance))
    .slice(0, MOST_SHOWN)
    .map(({ title, url, type, relevance }) => ({ title, url, type, relevance }))
