import type { STATUSES } from './contract.ts'
import type { Match } from './match.ts'
import type { SoughtName } from './name.ts'

/** Results after these say nothing more about how visible a name is. */
const DEPTH = 10
/** What a result that only mentions the name counts beside one that is about it. */
const LOOSE = 0.35
/** What a dictionary's page counts: the word exists, nobody trades by it. */
const REFERENCE = 0.3

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
  const exact = first.filter(({ closeness }) => closeness === 'exact')
  const used = exact.filter((match) => !match.isReference)
  const hosts = new Set(used.map(({ host }) => host)).size
  let gained = 0
  let possible = 0
  for (const [at, match] of first.entries()) {
    const weight = 1 / Math.log2(at + 2)
    possible += weight
    const worth = match.closeness === 'exact' ? 1 : match.closeness === 'loose' ? LOOSE * rarity : 0
    gained += weight * worth * (match.isReference ? REFERENCE : 1)
  }
  // Fewer results than a page has are fewer than there could be.
  for (let at = first.length; at < DEPTH; at++) possible += 1 / Math.log2(at + 2)
  const share = gained / possible
  const spread = Math.min(1, hosts / 4 + 0.25)
  const many = total === null ? first.length / DEPTH : Math.min(1, Math.log10(total + 1) / 6)
  const points =
    55 * share * spread * (0.35 + 0.65 * rarity) +
    (used.some(({ ownsDomain }) => ownsDomain) ? 18 : 0) +
    Math.min(10, 4 * new Set(used.flatMap(({ handle }) => handle ?? [])).size) +
    (used.some(({ kind }) => kind === 'company') ? 9 : 0) +
    (used.length > 0 ? 8 * many * rarity : 0)
  return {
    score: Math.round(Math.min(100, Math.max(0, points))),
    exactHits: exact.length,
    looseHits: first.filter(({ closeness }) => closeness === 'loose').length,
  }
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
export function rarityOf({ words }: SoughtName, commonness: (word: string) => number): number {
  const rarest = Math.max(...words.map((word) => 1 - commonness(word)))
  return Math.min(1, rarest + 0.1 * (words.length - 1))
}
