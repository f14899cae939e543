import type { Likeness } from '../sales-book.ts'

/** Further words add little to the meaning; a name may have thirty. */
const MAX_WORDS = 4

/** Index keys of a sale. Their prefixes keep them apart: a word consists of letters only. */
export type Keys = {
  /** Two words together, in any order. */
  readonly pairs: readonly string[]
  readonly words: readonly string[]
  /** Their trade. */
  readonly trade: readonly string[]
  /** Number of words: the last resort for names that share nothing else. */
  readonly shape: readonly string[]
}

export function keysOf({ words, category }: Pick<Likeness, 'words' | 'category'>): Keys {
  const stems = [...new Set(words.filter((word) => word.length > 1).map(stemOf))]
    // The longest words are the most specific.
    .toSorted((a, b) => b.length - a.length || (a < b ? -1 : 1))
    .slice(0, MAX_WORDS)
  const pairs = stems.flatMap((one, at) => stems.slice(at + 1).map((other) => [one, other].toSorted().join(' ')))
  return {
    pairs,
    words: stems,
    trade: category === null ? [] : [`#${category}`],
    shape: [`=${words.length}`],
  }
}

/** Singular and plural are equal: `loan` and `loans`. */
const stemOf = (word: string): string => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word)
