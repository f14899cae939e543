import type { STATUSES } from './contract.ts'
import type { Match } from './match.ts'
import type { SoughtName } from './name.ts'
import { isEncyclopaedia } from './places.ts'

/** Only this many results count. */
const MAX_SCORED_RESULTS = 10
/** Factor for a result that only mentions the name. */
const LOOSE_FACTOR = 0.35
/** Factor for a dictionary entry: it shows that the word exists, not that it is in use as a name. */
const REFERENCE_FACTOR = 0.3
/** Factor for a longer name that begins with this one. */
const LONGER_NAME_FACTOR = 0.6
/** Minimum score of a name that several businesses have: the lowest of `medium`. */
export const SHARED_SCORE = 31

export type Visibility = {
  readonly score: number
  readonly exactHits: number
  readonly looseHits: number
}

/**
 * How visible a name is among these results, 0 to 100. `rarity` is how much the mere use of these words says: 1 for an
 * unknown word, near 0 for an everyday one.
 */
export function visibilityOf(matches: readonly Match[], total: number | null, rarity: number): Visibility {
  const first = matches.slice(0, MAX_SCORED_RESULTS)
  const used = first.filter(({ closeness, isReference }) => closeness === 'exact' && !isReference)
  const central = used.filter(({ isCentral }) => isCentral)
  // Sites that are about it, or that would hardly contain these words by chance.
  const hosts = new Set(first.filter((match) => worthOf(match, rarity) >= LONGER_NAME_FACTOR).map(({ host }) => host))
    .size
  let gained = 0
  let possible = 0
  for (let at = 0; at < MAX_SCORED_RESULTS; at++) {
    const weight = 1 / Math.log2(at + 2)
    // Less than a full page of results means that there are no more.
    possible += weight
    gained += weight * worthOf(first[at], rarity)
  }
  const share = gained / possible
  const spread = Math.min(1, 0.2 + hosts / 6)
  const many = total === null ? used.length / MAX_SCORED_RESULTS : Math.min(1, Math.log10(total + 1) / 6)
  const has = (trade: Match['trade']) => central.some((match) => match.trade === trade)
  const ownership =
    (central.some(({ ownsDomain }) => ownsDomain) ? 18 : central.some(({ isHome }) => isHome) ? 12 : 0) +
    Math.min(9, 3 * new Set(central.flatMap(({ handle }) => handle ?? [])).size) +
    (has('company') ? 9 : 0) +
    (has('product') ? 5 : 0) +
    (central.some(({ person }) => person !== null) ? 5 : 0)
  const points = 55 * share * spread + ownership * (0.7 + 0.3 * rarity) + (used.length > 0 ? 8 * many * rarity : 0)
  return {
    score: Math.round(Math.min(100, Math.max(0, points))),
    exactHits: matches.filter(({ closeness }) => closeness === 'exact').length,
    looseHits: matches.filter(({ closeness }) => closeness === 'loose').length,
  }
}

/** A page about the name counts in full; common words that happen to occur count little. */
function worthOf(match: Match | undefined, rarity: number): number {
  if (!match || match.closeness === 'none') return 0
  if (match.closeness === 'loose') return LOOSE_FACTOR * rarity * (match.isReference ? REFERENCE_FACTOR : 1)
  const byChance = rarity ** 2
  // For a rare word even an encyclopaedia entry counts.
  if (match.isReference) return isEncyclopaedia(match.host) ? Math.max(REFERENCE_FACTOR, byChance) : REFERENCE_FACTOR
  return match.isCentral ? 1 : Math.max(byChance, match.isKin ? LONGER_NAME_FACTOR : 0)
}

/** Between the mean and the maximum: a hit in one engine counts, but less than one in all. */
export function overallOf(scores: readonly number[]): number {
  if (scores.length === 0) return 0
  const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length
  return Math.round(0.6 * Math.max(...scores) + 0.4 * mean)
}

export function statusOf(score: number): (typeof STATUSES)[number] {
  if (score <= 10) return 'clean'
  if (score <= 30) return 'low'
  return score <= 60 ? 'medium' : 'high'
}

/**
 * How much the mere use of these words says: the rarity of the rarest, and more for several words. `commonness` is 1 for
 * the most common words, 0 for unknown ones.
 */
export function rarityOf({ words, joined }: SoughtName, commonness: (word: string) => number): number {
  const known = words.length === 1 ? (partsOf(joined, commonness) ?? words) : words
  const rarest = Math.max(...known.map((word) => 1 - commonness(word) ** 0.4))
  const rarity = Math.min(1, rarest + 0.1 * (known.length - 1))
  // Short names are ambiguous.
  return /^(?:[\p{sc=Latin}\p{N}]{1,3}|\p{N}+)$/u.test(joined) ? Math.min(0.6, rarity) : rarity
}

/** One everyday word before a kind of business is a description: "winter school", "bridge club". */
export const isDescriptive = ({ words, joined }: SoughtName, commonness: (word: string) => number): boolean =>
  words.length === 1 && commonness(joined) >= MIN_PART_COMMONNESS

/** A part rarer than this is more likely a syllable than a word. */
const MIN_PART_COMMONNESS = 0.2
const MIN_PART_LENGTH = 4

/** `greenleaf` is as common as `green leaf`. */
function partsOf(word: string, commonness: (word: string) => number): readonly [string, string] | null {
  if (commonness(word) > 0) return null
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    if (commonness(head) >= MIN_PART_COMMONNESS && commonness(tail) >= MIN_PART_COMMONNESS) return [head, tail]
  }
  return null
}
