import type { Likeness, Sale } from './sales-book.ts'

const MAX_COMPARABLES = 5
/** Below this, two names have nothing in common that a buyer would notice. */
const MIN_SIMILARITY = 0.35

/**
 * The sales most similar to a name by words, category, TLD and length. Of two sales of one domain the later is used; the
 * domain's own past sale comes first.
 */
export function comparablesOf(name: Likeness, sales: readonly Sale[]): Sale[] {
  const latest = new Map<string, Sale>()
  for (const sale of sales) {
    const known = latest.get(sale.domain)
    if (!known || known.date < sale.date) latest.set(sale.domain, sale)
  }
  return [...latest.values()]
    .map((sale) => ({ sale, likeness: likenessOf(name, sale) }))
    .filter(({ likeness }) => likeness >= MIN_SIMILARITY)
    .sort(
      (a, b) => b.likeness - a.likeness || compare(b.sale.date, a.sale.date) || compare(a.sale.domain, b.sale.domain),
    )
    .slice(0, MAX_COMPARABLES)
    .map(({ sale }) => sale)
}

const compare = (a: string, b: string): number => (a < b ? -1 : a > b ? 1 : 0)

/** Similarity of the same label under another TLD; other labels are always below it. */
const SAME_LABEL_SIMILARITY = 0.9

/** 1 for the same domain, 0 for one that has nothing in common. */
export function likenessOf(name: Likeness, sale: Likeness): number {
  if (name.label === sale.label) return name.tld === sale.tld ? 1 : SAME_LABEL_SIMILARITY
  const length = 1 - Math.min(1, Math.abs(name.label.length - sale.label.length) / 8)
  const shape = name.words.length === sale.words.length ? 1 : 0
  const likeness =
    0.45 * sharedOf(name.words, sale.words) +
    0.15 * (name.category !== null && name.category === sale.category ? 1 : 0) +
    0.2 * (name.tld === sale.tld ? 1 : 0) +
    0.12 * length +
    0.08 * shape
  return Math.min(likeness, SAME_LABEL_SIMILARITY - 0.01)
}

/** The share of letters that belong to common words: a shared `shop` counts less than a shared `insurance`. */
function sharedOf(a: readonly string[], b: readonly string[]): number {
  const letters = (words: readonly string[]) => words.reduce((sum, word) => sum + word.length, 0)
  const foundIn = (others: readonly string[]) => (word: string) =>
    word.length > 1 && others.some((other) => isSameWord(word, other))
  return (letters(a.filter(foundIn(b))) + letters(b.filter(foundIn(a)))) / Math.max(1, letters(a) + letters(b))
}

const isSameWord = (a: string, b: string): boolean => a === b || `${a}s` === b || `${b}s` === a
