import type { z } from 'zod'
import { type Presence, RELEVANCES } from './contract.ts'
import type { Match } from './match.ts'

export type Signals = z.input<typeof Presence>['signals']
type TopMatch = z.input<typeof Presence>['engines'][number]['top_matches'][number]

const MOST_NAMED = 10
const MOST_SHOWN = 5

/** What all engines together say. A word's page in a dictionary makes nobody a brand. */
export function signalsOf(matches: readonly Match[], domainRegistered: boolean): Signals {
  const exact = matches.filter(({ closeness }) => closeness === 'exact')
  const used = exact.filter(({ isReference }) => !isReference)
  const has = (kind: Match['kind']) => used.some((match) => match.kind === kind)
  const people = named(used.map(({ person }) => person))
  return {
    exact_phrase_found: exact.length > 0,
    brand_exists: used.some(({ person }) => person === null),
    company_exists: has('company'),
    product_exists: has('product'),
    domain_registered: domainRegistered,
    social_handles_found: named(used.map(({ handle }) => handle?.toLowerCase() ?? null)),
    notable_individuals: people,
  }
}

const named = (all: readonly (string | null)[]): string[] =>
  [...new Set(all.filter((one) => one !== null))].slice(0, MOST_NAMED)

/** The best of one engine; what says nothing of the name is left out. */
export const topMatchesOf = (matches: readonly Match[]): TopMatch[] =>
  matches
    .filter(({ closeness }) => closeness !== 'none')
    .toSorted((a, b) => rank(a) - rank(b))
    .slice(0, MOST_SHOWN)
    .map((match) => ({
      title: match.title,
      url: match.url,
      type: match.kind,
      relevance: RELEVANCES[rank(match)],
    }))

function rank({ closeness, isReference, ownsDomain }: Match): 0 | 1 | 2 {
  if (closeness !== 'exact') return 2
  return isReference && !ownsDomain ? 1 : 0
}
