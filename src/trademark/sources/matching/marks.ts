import { prepareQuery, scoreMark } from '../../scoring.ts'
import type { MarkQuestion, Page } from '../../search-index.ts'
import { tokensOf } from '../../text.ts'
import { weightOf } from '../../words.ts'
import { createRanking } from './rank.ts'
import type { Filter, MarkNumber, Store, Term } from './store.ts'
import { SHORTEST_CODE } from './words.ts'

/** Up to here totals are exact, and as far one can page. */
export const FARTHEST = 10_000
/** More words than these are not looked for one by one. */
const MOST_WORDS = 8
/** Of marks that are like the question in one way or another so many are looked at: the shortest. */
const MOST = { sound: 150, allLike: 400, oneLike: 200, part: 60, joined: 60 }
/** Of each word that may stand for the only one of the question so many: the deep search finds more words. */
const MOST_OF_WORD = { shallow: 16, deep: 8 }
/** Of the words that may be two of the question in one, so many. */
const MOST_JOINED = 16
/** With a hit as good as this nobody needs the deep search. */
const GOOD = 0.93

/**
 * Marks like this text, best first. What counts as found: every word is in the mark, or the whole reads or sounds the
 * same run together; or it has words that may stand for them, or for some of them, and the score says it is alike.
 */
export function searchMarks(store: Store, { text, life, class: only, offset, limit }: MarkQuestion): Page {
  const tokens = tokensOf(text)
  if (tokens.length === 0) return { hits: [], total: 0, isLowerBound: false }
  const filter: Filter = { life, class: only }
  const weigh = ({ frequency }: Term) => weightOf(frequency, store.documents)
  const query = prepareQuery(text, (word) => weigh(store.term(word)))
  const ranking = createRanking(store, query, offset + limit)
  const words = [...new Set(tokens)].slice(0, MOST_WORDS).map((word) => store.term(word))
  const first = (groups: readonly (readonly Term[])[], most: number): readonly MarkNumber[] =>
    store.byWords(groups, filter, most).numbers

  ranking.addWhole(store.bySquash(query.squash, filter, FARTHEST))
  const exact = store.byWords(
    words.map((word) => [word]),
    filter,
    FARTHEST,
  )
  ranking.addWhole(exact.numbers)
  for (const code of new Set(query.codes))
    if (code.length >= SHORTEST_CODE) ranking.addWhole(store.byCode(code, filter, MOST.sound))
  for (let at = 0; at + 1 < tokens.length; at++) {
    const joined = store.expand(tokens[at]! + tokens[at + 1]!, false).slice(0, MOST_JOINED)
    ranking.addPartial(first([joined], MOST.joined))
  }
  const look = (isDeep: boolean) => {
    const groups = words.map((word) => store.expand(word.text, isDeep))
    // Of one word: the shortest marks of each, since those of the shortest words would leave no place for the others.
    if (words.length === 1)
      ranking.addPartial(store.byEachWord(groups[0]!, filter, isDeep ? MOST_OF_WORD.deep : MOST_OF_WORD.shallow))
    else for (const { part, most } of partsOf(words, groups, weigh)) ranking.addPartial(first(part, most))
  }
  look(false)
  if (ranking.top() < GOOD) look(true)
  const total = ranking.count()
  return {
    hits: ranking.page(offset, limit).map((number) => {
      const record = store.recordOfMark(number)
      return { record, ...scoreMark(query, record) }
    }),
    total,
    isLowerBound: exact.isMore || total > FARTHEST,
  }
}

type Groups = (readonly Term[])[]
type Part = { readonly part: Groups; readonly most: number }

/** The words of the question, each with those that may stand for it, in the ways in which a mark may have them. */
function partsOf(words: readonly Term[], groups: Groups, weigh: (word: Term) => number): Part[] {
  const parts: Part[] = [{ part: groups, most: MOST.allLike }]
  // One of them may be wrong and the others right.
  for (const [at, group] of groups.entries())
    if (words.every(({ frequency }, other) => other === at || frequency > 0))
      parts.push({ part: words.map((word, other) => (other === at ? group : [word])), most: MOST.oneLike })
  const byWeight = words
    .map((word, at) => ({ word, group: groups[at]!, weight: weigh(word) }))
    .sort((a, b) => b.weight - a.weight || (a.word.text < b.word.text ? -1 : 1))
  // One of them may be left out.
  if (words.length > 2)
    for (let left = byWeight.length - 1; left >= 0 && left >= byWeight.length - 4; left--)
      parts.push({ part: byWeight.filter((_, at) => at !== left).map(({ group }) => group), most: MOST.part })
  // The rarest tell most.
  for (const { word, group } of byWeight.slice(0, 2))
    parts.push({ part: [word.frequency > 0 ? [word] : group], most: MOST.part })
  return parts
}
