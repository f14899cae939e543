import type { STATUSES } from './contract.ts'
import type { Match } from './match.ts'
import type { SoughtName } from './name.ts'
import { isEncyclopaedia } from './places.ts'

/** Results after these say nothing more about how visible a name is. */
const DEPTH = 10
/** What a result that only mentions the name counts beside one that is about it. */
const LOOSE = 0.35
/** What a dictionary's page counts: the word exists, nobody trades by it. */
const REFERENCE = 0.3
/** What somebody counts whose name only begins so. */
const KIN = 0.6
/** Minimum score of a name that several businesses have: the first of `medium`. */
export const SHARED_SCORE = 31

export type Visibility = {
  readonly score: number
  readonly exactHits: number
  readonly looseHits: number
}

/**
 * How visible a name is among these results, 0 to 100. `rarity` says how much it tells that somebody uses these words at
 * all: 1 for a word nobody knows, towards 0 for one that everybody uses.
 */
export function visibilityOf(matches: readonly Match[], total: number | null, rarity: number): Visibility {
  const first = matches.slice(0, DEPTH)
  const used = first.filter(({ closeness, isReference }) => closeness === 'exact' && !isReference)
  const central = used.filter(({ isCentral }) => isCentral)
  // Sites that are about it, or that would hardly have these words by chance.
  const hosts = new Set(first.filter((match) => worthOf(match, rarity) >= KIN).map(({ host }) => host)).size
  let gained = 0
  let possible = 0
  for (let at = 0; at < DEPTH; at++) {
    const weight = 1 / Math.log2(at + 2)
    // Fewer results than a page has are fewer than there could be.
    possible += weight
    gained += weight * worthOf(first[at], rarity)
  }
  const share = gained / possible
  const spread = Math.min(1, 0.2 + hosts / 6)
  const many = total === null ? used.length / DEPTH : Math.min(1, Math.log10(total + 1) / 6)
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

/** What is about the name counts whole; common words that happen to stand there count little. */
function worthOf(match: Match | undefined, rarity: number): number {
  if (!match || match.closeness === 'none') return 0
  if (match.closeness === 'loose') return LOOSE * rarity * (match.isReference ? REFERENCE : 1)
  const byChance = rarity ** 2
  // Of a rare word even an encyclopaedia's page is news.
  if (match.isReference) return isEncyclopaedia(match.host) ? Math.max(REFERENCE, byChance) : REFERENCE
  return match.isCentral ? 1 : Math.max(byChance, match.isKin ? KIN : 0)
}

/** What one engine sees is seen; what only one sees counts less than what all do. */
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
 * How much it tells that these words are used: that of the rarest, and more where there are several. `commonness` is 1
 * for the commonest words, 0 for those nobody knows.
 */
export function rarityOf({ words, joined }: SoughtName, commonness: (word: string) => number): number {
  const known = words.length === 1 ? (partsOf(joined, commonness) ?? words) : words
  const rarest = Math.max(...known.map((word) => 1 - commonness(word) ** 0.4))
  const rarity = Math.min(1, rarest + 0.1 * (known.length - 1))
  // So short that it stands for many things.
  return /^(?:[\p{sc=Latin}\p{N}]{1,3}|\p{N}+)$/u.test(joined) ? Math.min(0.6, rarity) : rarity
}

/** One everyday word before a kind of business describes it: "winter school", "bridge club". */
export const isDescriptive = ({ words, joined }: SoughtName, commonness: (word: string) => number): boolean =>
  words.length === 1 && commonness(joined) >= COMMON

/** A part rarer than this is more likely a syllable than a word. */
const COMMON = 0.2
const MIN_PART_LENGTH = 4

/** `greenleaf` is as common as `green leaf`. */
function partsOf(word: string, commonness: (word: string) => number): readonly [string, string] | null {
  if (commonness(word) > 0) return null
  for (let at = MIN_PART_LENGTH; at <= word.length - MIN_PART_LENGTH; at++) {
    const [head, tail] = [word.slice(0, at), word.slice(at)]
    if (commonness(head) >= COMMON && commonness(tail) >= COMMON) return [head, tail]
  }
  return null
}
