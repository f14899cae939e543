import { MAX_LENGTH_DIFFERENCE, MIN_BEGINNING_LENGTH } from './expansion.ts'
import type { Store, Term } from './store.ts'

/** A mark must have at least one word of each group. */
export type Groups = readonly (readonly Term[])[]
/** One lookup of candidates; `max` are taken in a register of any size, shortest marks first. */
export type Part = { readonly groups: Groups; readonly max: number }

/** `max` of each kind of `Part`. */
const MAX_CANDIDATES = { allLike: 400, oneLike: 200, part: 60, split: 60 }

export const rarestFirst = (words: readonly Term[]): Term[] =>
  words.toSorted((a, b) => a.frequency - b.frequency || (a.text < b.text ? -1 : 1))

/** Each word as it is, except the one at this index, for which the group stands. */
const exceptAt = (words: readonly Term[], index: number, group: readonly Term[]): Groups =>
  words.map((word, at) => (at === index ? group : [word]))

/** The lookups for a query of several words; `groups` has for each word the words that may replace it. */
export function partsOf(words: readonly Term[], groups: Groups): Part[] {
  const parts: Part[] = [{ groups, max: MAX_CANDIDATES.allLike }]
  // One word may be misspelled and the others correct.
  for (const [at, group] of groups.entries())
    if (words.every(({ frequency }, other) => other === at || frequency > 0))
      parts.push({ groups: exceptAt(words, at, group), max: MAX_CANDIDATES.oneLike })
  const byWeight = rarestFirst(words).map((word) => ({ word, group: groups[words.indexOf(word)]! }))
  // The mark may lack one of the words.
  if (words.length > 2)
    for (let left = byWeight.length - 1; left >= 0 && left >= byWeight.length - 4; left--)
      parts.push({
        groups: byWeight.filter((_, at) => at !== left).map(({ group }) => group),
        max: MAX_CANDIDATES.part,
      })
  // The rarest words identify a mark best.
  for (const { word, group } of byWeight.slice(0, 2))
    parts.push({ groups: [word.frequency > 0 ? [word] : group], max: MAX_CANDIDATES.part })
  return parts
}

/** A word of the query may be a longer form of that of the mark: PURELY finds PURE. */
export function shortenedOf(store: Store, words: readonly Term[]): Part[] {
  const parts: Part[] = []
  for (const [at, { text }] of words.entries()) {
    const group: Term[] = []
    // One letter less is an edit distance of 1, which the expansion already covers.
    for (let length = text.length - 2; length >= text.length - MAX_LENGTH_DIFFERENCE; length--) {
      const term = length < MIN_BEGINNING_LENGTH ? null : store.term(text.slice(0, length))
      if (term !== null && term.frequency > 0) group.push(term)
    }
    if (group.length > 0) parts.push({ groups: exceptAt(words, at, group), max: MAX_CANDIDATES.part })
  }
  return parts
}

/** Minimum lengths of two joined words: of the correct one and of the misspelled one. */
const MIN_HALF_LENGTH = { right: 4, wrong: 3 }

/** A word may be two joined words, one of them misspelled. Of all splits those with the most frequent word are taken. */
export function halvesOf(store: Store, word: string): Part[] {
  let first: Term | null = null
  let last: Term | null = null
  for (let length = MIN_HALF_LENGTH.right; length + MIN_HALF_LENGTH.wrong <= word.length; length++) {
    const [begin, end] = [store.term(word.slice(0, length)), store.term(word.slice(-length))]
    if (begin.frequency > (first?.frequency ?? 0)) first = begin
    if (end.frequency > (last?.frequency ?? 0)) last = end
  }
  const similar = (text: string) => store.expand(text, false)
  const parts: Part[] = []
  if (first) parts.push({ groups: [[first], similar(word.slice(first.text.length))], max: MAX_CANDIDATES.split })
  if (last) parts.push({ groups: [similar(word.slice(0, -last.text.length)), [last]], max: MAX_CANDIDATES.split })
  return parts
}

/** A mark inside the query must have this many of its letters, and this share. */
const MIN_INSIDE = { letters: 4, share: 0.45 }
/** A mark that the query begins with may be a little shorter. */
const MIN_BEGINNING = { letters: 3, share: 0.4 }
/** In a longer query marks are not looked for inside: there would be too many substrings. */
const MAX_AROUND_LENGTH = 24

/** The substrings of a query without spaces that may be a whole mark: GOLDFISHPOND contains GOLDFISH. */
export function insidesOf(squash: string): string[] {
  const found = new Set<string>()
  if (squash.length > MAX_AROUND_LENGTH) return []
  const minLength = ({ letters, share }: typeof MIN_INSIDE) => Math.max(letters, Math.ceil(squash.length * share))
  for (let length = squash.length - 1; length >= minLength(MIN_INSIDE); length--)
    for (let at = 0; at + length <= squash.length; at++) found.add(squash.slice(at, at + length))
  for (let length = minLength(MIN_BEGINNING); length < squash.length; length++) found.add(squash.slice(0, length))
  return [...found]
}
