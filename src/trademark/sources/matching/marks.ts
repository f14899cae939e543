import { prepareQuery, scoreMark } from '../../scoring.ts'
import type { MarkQuestion, Page } from '../../search-index.ts'
import { tokensOf } from '../../text.ts'
import { weightOf } from '../../words.ts'
import { type Groups, halvesOf, insidesOf, partsOf, rarestFirst, shortenedOf } from './parts.ts'
import { createRanking } from './rank.ts'
import type { Filter, Store, Term } from './store.ts'
import { SHORTEST_CODE } from './words.ts'

/** Up to here totals are exact, and as far one can page. */
export const FARTHEST = 10_000
/** More words than these are not looked for one by one. */
const MOST_WORDS = 8
/** Of marks that sound like the question or are inside it so many are looked at: the shortest. */
const MOST = { sound: 150, inside: 10 }
/** Of each word that may stand for the only one of the question so many: the deep search finds more words. */
const MOST_OF_WORD = { shallow: 16, deep: 8 }
/** Of the words that may be two of the question in one, so many, and of each so many marks. */
const JOINED = { shallow: 16, deep: 48, marks: 6 }
/** The deep search joins two words where there are no others, and no shorter ones. */
const SHORTEST_JOINED = 3
/** A word that so many marks have is hardly mistyped: few others may stand for it. */
const COMMON = { least: 1000, share: 1 / 2000 }
const MOST_FOR_COMMON = 8
/** The deep search goes deep for so many words: the rarest, since what is mistyped is rare. */
const MOST_DEEP = 3
/** With a hit as good as this nobody needs the deep search. */
const GOOD = 0.9

/**
 * Marks like this text, best first. What counts as found: every word is in the mark, or the whole reads or sounds the
 * same run together; or it has words that may stand for them, or for some of them, and the score says it is alike.
 */
export function searchMarks(store: Store, { text, life, class: only, offset, limit }: MarkQuestion): Page {
  const tokens = tokensOf(text)
  if (tokens.length === 0) return { hits: [], total: 0, isLowerBound: false }
  const filter: Filter = { life, class: only }
  const query = prepareQuery(text, (word) => weightOf(store.term(word).frequency, store.documents))
  const common = Math.max(COMMON.least, store.documents * COMMON.share)
  const isCommon = ({ frequency }: Term) => frequency >= common
  const ranking = createRanking(store, query, offset + limit)
  const words = [...new Set(tokens)].slice(0, MOST_WORDS).map((word) => store.term(word))

  ranking.addWhole(store.bySquash(query.squash, filter, FARTHEST))
  const exact = store.byWords(
    words.map((word) => [word]),
    filter,
    FARTHEST,
  )
  ranking.addWhole(exact.numbers)
  for (const code of new Set(query.codes))
    if (code.length >= SHORTEST_CODE) ranking.addWhole(store.byCode(code, filter, MOST.sound))

  const look = (parts: readonly { readonly groups: Groups; readonly most: number }[]) => {
    for (const { groups, most } of parts) ranking.addPartial(store.byWords(groups, filter, most).numbers)
  }
  // The shortest marks of each word: those of a common or short one would leave no place for the others.
  const lookOfEach = (terms: readonly Term[], most: number) => ranking.addPartial(store.byEachWord(terms, filter, most))
  const lookJoined = (at: number, isDeep: boolean) => {
    const joined = store.expand(tokens[at]! + tokens[at + 1]!, isDeep)
    lookOfEach(joined.slice(0, isDeep ? JOINED.deep : JOINED.shallow), JOINED.marks)
  }
  for (let at = 0; at + 1 < tokens.length; at++) lookJoined(at, false)
  const groups = words.map((word) =>
    store.expand(word.text, false).slice(0, isCommon(word) ? MOST_FOR_COMMON : undefined),
  )
  if (words.length === 1) lookOfEach(groups[0]!, MOST_OF_WORD.shallow)
  else look(partsOf(words, groups))

  if (ranking.top() < GOOD) {
    const rare = rarestFirst(words.filter((word) => !isCommon(word))).slice(0, MOST_DEEP)
    const deep = words.map((word, at) => (rare.includes(word) ? store.expand(word.text, true) : groups[at]!))
    const shortened = shortenedOf(store, words)
    if (words.length > 1) {
      if (rare.length > 0) look(partsOf(words, deep))
      if (tokens.length === 2 && tokens.every(({ length }) => length >= SHORTEST_JOINED)) lookJoined(0, true)
      look(shortened)
    } else {
      if (rare.length > 0) lookOfEach(deep[0]!, MOST_OF_WORD.deep)
      look(halvesOf(store, query.squash))
      for (const part of shortened) lookOfEach(part.groups[0]!, MOST_OF_WORD.deep)
    }
    for (const inside of insidesOf(query.squash)) ranking.addPartial(store.bySquash(inside, filter, MOST.inside))
  }
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
