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
const MOST = { sound: 150, allLike: 400, oneLike: 200, part: 60, joined: 60, inside: 10 }
/** Of each word that may stand for the only one of the question so many: the deep search finds more words. */
const MOST_OF_WORD = { shallow: 16, deep: 8 }
/** Of the words that may be two of the question in one, so many. */
const MOST_JOINED = 16
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
  const look = (groups: Groups, mostOfWord: number) => {
    // Of one word: the shortest marks of each, since those of the shortest words would leave no place for the others.
    if (words.length === 1) ranking.addPartial(store.byEachWord(groups[0]!, filter, mostOfWord))
    else for (const { part, most } of partsOf(words, groups)) ranking.addPartial(first(part, most))
  }
  const groups = words.map((word) =>
    store.expand(word.text, false).slice(0, isCommon(word) ? MOST_FOR_COMMON : undefined),
  )
  look(groups, MOST_OF_WORD.shallow)
  if (ranking.top() < GOOD) {
    const rare = rarestFirst(words.filter((word) => !isCommon(word))).slice(0, MOST_DEEP)
    if (rare.length > 0)
      look(
        words.map((word, at) => (rare.includes(word) ? store.expand(word.text, true) : groups[at]!)),
        MOST_OF_WORD.deep,
      )
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

type Groups = readonly (readonly Term[])[]
type Part = { readonly part: Groups; readonly most: number }

const rarestFirst = (words: readonly Term[]): Term[] =>
  words.toSorted((a, b) => a.frequency - b.frequency || (a.text < b.text ? -1 : 1))

/** The words of the question, each with those that may stand for it, in the ways in which a mark may have them. */
function partsOf(words: readonly Term[], groups: Groups): Part[] {
  const parts: Part[] = [{ part: groups, most: MOST.allLike }]
  // One of them may be wrong and the others right.
  for (const [at, group] of groups.entries())
    if (words.every(({ frequency }, other) => other === at || frequency > 0))
      parts.push({ part: words.map((word, other) => (other === at ? group : [word])), most: MOST.oneLike })
  const byWeight = rarestFirst(words).map((word) => ({ word, group: groups[words.indexOf(word)]! }))
  // One of them may be left out.
  if (words.length > 2)
    for (let left = byWeight.length - 1; left >= 0 && left >= byWeight.length - 4; left--)
      parts.push({ part: byWeight.filter((_, at) => at !== left).map(({ group }) => group), most: MOST.part })
  // The rarest tell most.
  for (const { word, group } of byWeight.slice(0, 2))
    parts.push({ part: [word.frequency > 0 ? [word] : group], most: MOST.part })
  return parts
}

/** A mark inside the question must be this much of it, and the question not longer than a few words. */
const LEAST_INSIDE = { letters: 4, share: 0.45 }
const LONGEST_AROUND = 24

/** What a mark may be that is inside the question, run together: GOLDFISHPOND has GOLDFISH. */
function insidesOf(squash: string): string[] {
  const found = new Set<string>()
  if (squash.length > LONGEST_AROUND) return []
  const least = Math.max(LEAST_INSIDE.letters, Math.ceil(squash.length * LEAST_INSIDE.share))
  for (let length = squash.length - 1; length >= least; length--)
    for (let at = 0; at + length <= squash.length; at++) found.add(squash.slice(at, at + length))
  return [...found]
}
