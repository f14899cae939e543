import type { Likeness } from '../sales-book.ts'

/** Words beyond these add little to what a name means, and a name may have thirty. */
const MAX_WORDS = 4

/** What a sale is found by. The kinds cannot be mistaken for each other: a word has letters only. */
export type Keys = {
  /** Two words together, in any order. */
  readonly pairs: readonly string[]
  readonly words: readonly string[]
  /** Their trade. */
  readonly trade: readonly string[]
  /** How many words: names that have nothing else in common are alike in this at least. */
  readonly shape: readonly string[]
}

export function keysOf({ words, category }: Pick<Likeness, 'words' | 'category'>): Keys {
  const stems = [...new Set(words.filter((word) => word.length > 1).map(stemOf))]
    // The longest say most.
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

/** One and many are the same thing to a buyer: `loan` and `loans`. */
const stemOf = (word: string): string => (word.length > 3 && /[^s]s$/.test(word) ? word.slice(0, -1) : word)
