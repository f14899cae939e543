import { codesOf } from '../../phonetic.ts'
import { prepareQuery, scoreMark } from '../../scoring.ts'
import type { MarkQuestion, Page } from '../../search-index.ts'
import { tokensOf } from '../../text.ts'
import { expand } from './expansion.ts'
import { createRanking } from './rank.ts'
import type { Filter, RecordNumber, Store } from './store.ts'
import { SHORTEST_CODE } from './words.ts'

/** Up to here totals are exact, and as far one can page. */
export const FARTHEST = 10_000
/** More words than these are not looked for one by one. */
const MOST_WORDS = 8
/** What is only similar in part: so many of each sort are looked at. */
const MOST_PARTIAL = 100
/** Below this, what is only similar in part is not similar. */
const LEAST_SCORE = 0.55
/** With a hit as good as this nobody needs the deep search. */
const GOOD = 0.93

/**
 * Marks like this text, best first. What counts as found: every word, or a word that may stand for it, is in the mark;
 * or the whole reads or sounds the same run together; or a part of it fits and the score says it is like the rest.
 */
export function searchMarks(store: Store, { text, life, class: only, offset, limit }: MarkQuestion): Page {
  const tokens = tokensOf(text)
  if (tokens.length === 0) return { hits: [], total: 0, isLowerBound: false }
  const filter: Filter = { life, class: only }
  const weight = (word: string) => 0.3 + Math.log((store.documents + 1) / (store.frequency(word) + 1))
  const query = prepareQuery(text, weight)
  const rank = createRanking(store, query)
  const words = [...new Set(tokens)].slice(0, MOST_WORDS)

  const whole = new Set<RecordNumber>()
  const partial = new Set<RecordNumber>()
  let counted = 0
  const look = (isDeep: boolean) => {
    const groups = words.map((word) => expand(word, store, isDeep))
    const all = store.byWords(groups, filter, FARTHEST)
    counted = Math.max(counted, all.total)
    for (const number of all.numbers) whole.add(number)
    for (const part of partsOf(words, groups, weight, store))
      for (const number of store.byWords(part, filter, MOST_PARTIAL).numbers) partial.add(number)
  }

  const squash = tokens.join('')
  for (const number of store.bySquash(squash, filter, FARTHEST)) whole.add(number)
  for (const code of new Set(codesOf(squash)))
    if (code.length >= SHORTEST_CODE)
      for (const number of store.byCode(code, filter, MOST_PARTIAL * 3)) whole.add(number)
  for (let at = 0; at + 1 < tokens.length; at++)
    for (const number of store.byWords([joinedWords(tokens, at, store)], filter, MOST_PARTIAL).numbers)
      partial.add(number)
  look(false)
  let ranked = rank(whole, partial, LEAST_SCORE)
  if ((ranked[0]?.score ?? 0) < GOOD) {
    look(true)
    ranked = rank(whole, partial, LEAST_SCORE)
  }
  const isLowerBound = counted > FARTHEST || ranked.length > FARTHEST
  return {
    hits: ranked.slice(offset, offset + limit).map(({ number, card }) => ({
      record: store.record(number),
      ...scoreMark(query, card),
    })),
    total: Math.max(counted, ranked.length),
    isLowerBound,
  }
}

/** Two words of the question as one word of the mark: face book. */
const joinedWords = (tokens: readonly string[], at: number, store: Store) =>
  expand(tokens[at]! + tokens[at + 1]!, store, false).slice(0, 16)

/** The question with a word left out, and its two rarest words alone. */
function partsOf(
  words: readonly string[],
  groups: readonly (readonly string[])[],
  weight: (word: string) => number,
  store: Store,
): (readonly string[])[][] {
  if (words.length < 2) return []
  const byWeight = words
    .map((word, at) => ({ word, group: groups[at]!, weight: weight(word) }))
    .sort((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1))
  const parts: (readonly string[])[][] = []
  if (words.length > 2)
    for (let left = byWeight.length - 1; left >= 0 && left >= byWeight.length - 4; left--)
      parts.push(byWeight.filter((_, at) => at !== left).map(({ group }) => group))
  for (const { word, group } of byWeight.slice(0, 2)) parts.push([store.frequency(word) > 0 ? [word] : group])
  return parts
}
