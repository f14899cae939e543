import { prepareQuery, type PreparedQuery, scoreMark } from '../../scoring.ts'
import { type MarkQuery, MAX_REACHABLE_RESULTS, type Page } from '../../search-index.ts'
import { tokenize } from '../../tokenize.ts'
import { weightOf } from '../../word-match.ts'
import { halvesOf, insidesOf, type Part, partsOf, rarestFirst, shortenedOf } from './parts.ts'
import { createRanking } from './rank.ts'
import type { Filter, First, Store, Term } from './store.ts'
import { MIN_CODE_LENGTH } from './word-forms.ts'

/** More words than these are not looked for one by one. */
const MAX_WORDS = 8
/**
 * Candidates that are looked at in any case, the shortest first: marks that sound like the search, that are inside it, or
 * that have a word which may stand for its only word, or for two of its words joined.
 */
const MAX = { sound: 150, inside: 10, ofWord: 16, ofDeepWord: 8, ofJoined: 6 }
/**
 * Candidates beyond those, if there are more: nearly all in a register of up to `documents` records. In a larger one these
 * limits shrink in proportion, since longer lists take the time; a cut makes the total a lower bound.
 */
const MAX_MORE = { sound: 2000, shallow: 1500, deep: 1000, documents: 100_000 }
/** Words that may be two words of the search in one. */
const MAX_JOINED = { shallow: 16, deep: 48 }
/** The deep search joins two words where there are no others, and no shorter ones. */
const MIN_JOINED_LENGTH = 3
/** A word of this many marks is hardly mistyped: few others may stand for it. */
const COMMON = { least: 1000, share: 1 / 2000 }
const MAX_FOR_COMMON = 8
/** Words for which the deep search goes deep: the rarest, since what is mistyped is rare. */
const MAX_DEEP = 3
const EVERYTHING: Filter = { life: 'all' }

/**
 * Marks like this text, best first. What counts as found: every word is in the mark, or the whole reads or sounds the
 * same run together; or it has words that may stand for them, or for some of them, and the score says it is alike.
 *
 * Which marks are candidates never depends on the filter, and it is applied to them before they are counted: so what a
 * filtered search finds, the same search without the filter finds, too, and its parts add up to the whole. Only marks
 * with all the words are asked for with the filter where there are more of them than one can page through.
 */
export function searchMarks(store: Store, question: MarkQuery): Page {
  const { text, life, class: only, group, offset, limit } = question
  const tokens = tokenize(text)
  if (tokens.length === 0) return { hits: [], total: 0, isLowerBound: false }
  const filter: Filter = { life, class: only }
  const query = prepareQuery(text, (word) => weightOf(store.term(word).frequency, store.documents))
  const ranking = createRanking(store, query, {
    keeps: store.keeps(filter),
    wanted: group === 'mark' ? Infinity : offset + limit,
  })
  const isCut = addCandidates(store, ranking, query, tokens, filter)
  const groups = group === 'mark' ? ranking.groups() : null
  const page = groups ? groups.slice(offset, offset + limit) : ranking.page(offset, limit)
  const total = groups ? groups.length : ranking.count()
  return {
    hits: page.map(({ number, groupCount }) => {
      const record = store.recordOfMark(number)
      return { record, ...scoreMark(query, record), ...(groups && { groupCount }) }
    }),
    total,
    isLowerBound: isCut || ranking.count() > MAX_REACHABLE_RESULTS,
  }
}

/** Whether there are more than were looked at. */
function addCandidates(
  store: Store,
  ranking: ReturnType<typeof createRanking>,
  query: PreparedQuery,
  tokens: readonly string[],
  filter: Filter,
): boolean {
  const common = Math.max(COMMON.least, store.documents * COMMON.share)
  const isCommon = ({ frequency }: Term) => frequency >= common
  const words = [...new Set(tokens)].slice(0, MAX_WORDS).map((word) => store.term(word))
  const isFiltered = filter.life !== 'all' || filter.class !== undefined
  let isCut = false
  const addAll = (find: (filter: Filter) => First, add: (numbers: First['numbers']) => void) => {
    const found = find(EVERYTHING)
    add(found.numbers)
    const kept = found.isMore && isFiltered ? find(filter) : found
    if (kept !== found) ranking.addFiltered(kept.numbers)
    isCut ||= kept.isMore
  }
  const share = Math.min(1, MAX_MORE.documents / store.documents)
  let more = Math.round(share * MAX_MORE.sound)
  const some = (max: number, find: (max: number) => First) => {
    const found = find(max + more)
    more -= Math.max(0, found.numbers.length - max)
    isCut ||= found.isMore
    return found.numbers
  }

  addAll((kept) => store.bySquash(query.squash, kept, MAX_REACHABLE_RESULTS), ranking.addSame)
  addAll(
    (kept) =>
      store.byWords(
        words.map((word) => [word]),
        kept,
        MAX_REACHABLE_RESULTS,
      ),
    ranking.addWhole,
  )
  for (const code of new Set(query.codes))
    if (code.length >= MIN_CODE_LENGTH) ranking.addWhole(some(MAX.sound, (max) => store.byCode(code, max)))

  const look = (parts: readonly Part[]) => {
    for (const { groups, max } of parts)
      ranking.addPartial(some(max, (most) => store.byWords(groups, EVERYTHING, most)))
  }
  // The shortest marks of each word: those of a common or short one would leave no place for the others.
  const lookOfEach = (terms: readonly Term[], max: number) => {
    for (const term of terms) ranking.addPartial(some(max, (most) => store.byWord(term, most)))
  }
  const lookJoined = (at: number, isDeep: boolean) => {
    const joined = store.expand(tokens[at]! + tokens[at + 1]!, isDeep)
    lookOfEach(joined.slice(0, isDeep ? MAX_JOINED.deep : MAX_JOINED.shallow), MAX.ofJoined)
  }
  /** Marks with the only word itself were found already. */
  const others = (terms: readonly Term[]) => terms.filter((term) => term.text !== words[0]!.text)

  more = Math.round(share * MAX_MORE.shallow)
  const groups = words.map((word) =>
    store.expand(word.text, false).slice(0, isCommon(word) ? MAX_FOR_COMMON : undefined),
  )
  for (let at = 0; at + 1 < tokens.length; at++) lookJoined(at, false)
  if (words.length === 1) lookOfEach(others(groups[0]!), MAX.ofWord)
  else look(partsOf(words, groups))
  if (ranking.hasGood()) return isCut

  more = Math.round(share * MAX_MORE.deep)
  const rare = rarestFirst(words.filter((word) => !isCommon(word))).slice(0, MAX_DEEP)
  const deep = words.map((word, at) => (rare.includes(word) ? store.expand(word.text, true) : groups[at]!))
  const shortened = shortenedOf(store, words)
  if (words.length > 1) {
    if (rare.length > 0) look(partsOf(words, deep))
    if (tokens.length === 2 && tokens.every(({ length }) => length >= MIN_JOINED_LENGTH)) lookJoined(0, true)
    look(shortened)
  } else {
    if (rare.length > 0) lookOfEach(others(deep[0]!), MAX.ofDeepWord)
    look(halvesOf(store, query.squash))
    for (const part of shortened) lookOfEach(part.groups[0]!, MAX.ofDeepWord)
  }
  for (const inside of insidesOf(query.squash))
    ranking.addPartial(some(MAX.inside, (max) => store.bySquash(inside, EVERYTHING, max)))
  return isCut
}
