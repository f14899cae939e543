import { MAX_LENGTH_DIFFERENCE, MIN_BEGINNING_LENGTH } from './expansion.ts'
import type { Store, Term } from './store.ts'

/** A mark must have at least one word of each group. */
export type Groups = readonly (readonly Term[])[]
/** Marks that have the words in one way; `max` of them are looked at in any case, the shortest. */
export type Part = { readonly groups: Groups; readonly max: number }

/** See `Part`. */
const MAX = { allLike: 400, oneLike: 200, part: 60, split: 60 }

export const rarestFirst = (words: readonly Term[]): Term[] =>
  words.toSorted((a, b) => a.frequency - b.frequency || (a.text < b.text ? -1 : 1))

/** Each word as it is, but for the one at this place. */
const exceptAt = (words: readonly Term[], place: number, group: readonly Term[]): Groups =>
  words.map((word, at) => (at === place ? group : [word]))

/** The words of the question, each with those that may stand for it, in the ways in which a mark may have them. */
export function partsOf(words: readonly Term[], groups: Groups): Part[] {
  const parts: Part[] = [{ groups, max: MAX.allLike }]
  // One of them may be wrong and the others right.
  for (const [at, group] of groups.entries())
    if (words.every(({ frequency }, other) => other === at || frequency > 0))
      parts.push({ groups: exceptAt(words, at, group), max: MAX.oneLike })
  const byWeight = rarestFirst(words).map((word) => ({ word, group: groups[words.indexOf(word)]! }))
  // One of them may be left out.
  if (words.length > 2)
    for (let left = byWeight.length - 1; left >= 0 && left >= byWeight.length - 4; left--)
      parts.push({ groups: byWeight.filter((_, at) => at !== left).map(({ group }) => group), max: MAX.part })
  // The rarest tell most.
  for (const { word, group } of byWeight.slice(0, 2))
    parts.push({ groups: [word.frequency > 0 ? [word] : group], max: MAX.part })
  return parts
}

/** One word of the question in a longer form than the mark has it: PURELY, PURE. */
export function shortenedOf(store: Store, words: readonly Term[]): Part[] {
  const parts: Part[] = []
  for (const [at, { text }] of words.entries()) {
    const group: Term[] = []
    // One letter less is an edit distance of 1, which the expansion already covers.
    for (let length = text.length - 2; length >= text.length - MAX_LENGTH_DIFFERENCE; length--) {
      const term = length < MIN_BEGINNING_LENGTH ? null : store.term(text.slice(0, length))
      if (term !== null && term.frequency > 0) group.push(term)
    }
    if (group.length > 0) parts.push({ groups: exceptAt(words, at, group), max: MAX.part })
  }
  return parts
}

/** Minimum lengths of two joined words: of the correct one and of the misspelled one. */
const MIN_HALF_LENGTH = { right: 4, wrong: 3 }

/** One word that may be two run together, one of which is wrong: of all ways to part it those with the commonest word. */
export function halvesOf(store: Store, word: string): Part[] {
  let first: Term | null = null
  let last: Term | null = null
  for (let length = MIN_HALF_LENGTH.right; length + MIN_HALF_LENGTH.wrong <= word.length; length++) {
    const [begin, end] = [store.term(word.slice(0, length)), store.term(word.slice(-length))]
    if (begin.frequency > (first?.frequency ?? 0)) first = begin
    if (end.frequency > (last?.frequency ?? 0)) last = end
  }
  const like = (text: string) => store.expand(text, false)
  const parts: Part[] = []
  if (first) parts.push({ groups: [[first], like(word.slice(first.text.length))], max: MAX.split })
  if (last) parts.push({ groups: [like(word.slice(0, -last.text.length)), [last]], max: MAX.split })
  return parts
}

/** A mark inside the question must be this much of it, and the question not longer than a few words. */
const MIN_INSIDE = { letters: 4, share: 0.45 }
/** What the question begins with may be a little less. */
const MIN_BEGINNING = { letters: 3, share: 0.4 }
const MAX_AROUND_LENGTH = 24

/** What a mark may be that is inside the question, run together: GOLDFISHPOND has GOLDFISH. */
export function insidesOf(squash: string): string[] {
  const found = new Set<string>()
  if (squash.length > MAX_AROUND_LENGTH) return []
  const leastOf = ({ letters, share }: typeof MIN_INSIDE) => Math.max(letters, Math.ceil(squash.length * share))
  for (let length = squash.length - 1; length >= leastOf(MIN_INSIDE); length--)
    for (let at = 0; at + length <= squash.length; at++) found.add(squash.slice(at, at + length))
  for (let length = leastOf(MIN_BEGINNING); length < squash.length; length++) found.add(squash.slice(0, length))
  return [...found]
}
