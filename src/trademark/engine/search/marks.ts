import { prepareQuery, type PreparedQuery, scoreMark } from '../../scoring.ts'
import { type MarkQuery, MAX_REACHABLE_RESULTS, type Page } from '../../search-index.ts'
import { tokenize } from '../../tokenize.ts'
import { weightOf } from '../../word-match.ts'
import { halvesOf, insidesOf, type Part, partsOf, rarestFirst, shortenedOf } from './parts.ts'
import { createRanking } from './rank.ts'
import type { Filter, FirstMarks, Store, Term } from './store.ts'
import { MIN_CODE_LENGTH } from './word-forms.ts'

/** Further words of the query are only used to score candidates. */
const MAX_QUERY_WORDS = 8
/**
 * Candidates from each lookup in a register of any size, shortest marks first: marks that sound like the query, marks that are
 * contained in it, and marks with a word that may replace its only word (`ofWord`, `ofDeepWord`) or two of its words joined.
 */
const MAX_CANDIDATES = { sound: 150, inside: 10, ofWord: 16, ofDeepWord: 8, ofJoined: 6 }
/**
 * Additional candidates of all lookups of a stage together. In a register of up to `documents` records that is nearly all there
 * are. In a larger one the limits shrink in proportion, because longer lists take longer to intersect. If candidates are left
 * out, the total is a lower bound.
 */
const MAX_EXTRA_CANDIDATES = { sound: 2000, shallow: 1500, deep: 1000, documents: 100_000 }
/** Words that may replace two joined words of the query. */
const MAX_JOINED_TERMS = { shallow: 16, deep: 48 }
/** The deep search joins two words only if the query has no others and both have at least this length. */
const MIN_JOINED_LENGTH = 3
/** A word with this many marks, or this share of all marks, is common. It is rarely mistyped, so few words may replace it. */
const COMMON_WORD = { marks: 1000, share: 1 / 2000 }
const MAX_COMMON_TERMS = 8
/** Words that the deep search expands further: the rarest, because a mistyped word is rare. */
const MAX_DEEP_WORDS = 3
const EVERYTHING: Filter = { life: 'all' }

/**
 * Marks similar to a text, best first. A mark is a result if it has all words of the query, or has the same letters or sounds
 * the same without spaces. It is also a result if it has words that may replace some of them, and its score is high enough.
 *
 * Candidates do not depend on the filter, which is applied before they are counted. So the unfiltered search finds everything
 * that a filtered one finds, and the totals of `live`, `dead` and neither add up. One exception: if more marks have all the
 * words than can be paged through, they are looked up once more with the filter.
 */
export function searchMarks(store: Store, request: MarkQuery): Page {
  const { text, life, class: only, group, offset, limit } = request
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

/** Adds all candidates to the ranking. Returns whether candidates were left out. */
function addCandidates(
  store: Store,
  ranking: ReturnType<typeof createRanking>,
  query: PreparedQuery,
  tokens: readonly string[],
  filter: Filter,
): boolean {
  const common = Math.max(COMMON_WORD.marks, store.documents * COMMON_WORD.share)
  const isCommon = ({ frequency }: Term) => frequency >= common
  const words = [...new Set(tokens)].slice(0, MAX_QUERY_WORDS).map((word) => store.term(word))
  const isFiltered = filter.life !== 'all' || filter.class !== undefined
  let isCut = false
  /** Adds all marks that `find` returns, up to the number that can be paged through. */
  const addAll = (find: (filter: Filter) => FirstMarks, add: (numbers: FirstMarks['numbers']) => void) => {
    const found = find(EVERYTHING)
    add(found.numbers)
    const kept = found.isMore && isFiltered ? find(filter) : found
    if (kept !== found) ranking.addFiltered(kept.numbers)
    isCut ||= kept.isMore
  }
  const share = Math.min(1, MAX_EXTRA_CANDIDATES.documents / store.documents)
  let extra = Math.round(share * MAX_EXTRA_CANDIDATES.sound)
  /** Up to `max` marks, and as many extra ones as are left. */
  const some = (max: number, find: (max: number) => FirstMarks) => {
    const found = find(max + extra)
    extra -= Math.max(0, found.numbers.length - max)
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
    if (code.length >= MIN_CODE_LENGTH) ranking.addWhole(some(MAX_CANDIDATES.sound, (max) => store.byCode(code, max)))

  const addParts = (parts: readonly Part[]) => {
    for (const { groups, max } of parts)
      ranking.addPartial(some(max, (limit) => store.byWords(groups, EVERYTHING, limit)))
  }
  // A limit for each word: one list for all words would be filled by the marks of a common one.
  const addOfEach = (terms: readonly Term[], max: number) => {
    for (const term of terms) ranking.addPartial(some(max, (limit) => store.byWord(term, limit)))
  }
  const addJoined = (at: number, isDeep: boolean) => {
    const joined = store.expand(tokens[at]! + tokens[at + 1]!, isDeep)
    addOfEach(joined.slice(0, isDeep ? MAX_JOINED_TERMS.deep : MAX_JOINED_TERMS.shallow), MAX_CANDIDATES.ofJoined)
  }
  /** Without the word itself, whose marks were added already. */
  const others = (terms: readonly Term[]) => terms.filter((term) => term.text !== words[0]!.text)

  extra = Math.round(share * MAX_EXTRA_CANDIDATES.shallow)
  const groups = words.map((word) =>
    store.expand(word.text, false).slice(0, isCommon(word) ? MAX_COMMON_TERMS : undefined),
  )
  for (let at = 0; at + 1 < tokens.length; at++) addJoined(at, false)
  if (words.length === 1) addOfEach(others(groups[0]!), MAX_CANDIDATES.ofWord)
  else addParts(partsOf(words, groups))
  if (ranking.hasGood()) return isCut

  extra = Math.round(share * MAX_EXTRA_CANDIDATES.deep)
  const rare = rarestFirst(words.filter((word) => !isCommon(word))).slice(0, MAX_DEEP_WORDS)
  const deep = words.map((word, at) => (rare.includes(word) ? store.expand(word.text, true) : groups[at]!))
  const shortened = shortenedOf(store, words)
  if (words.length > 1) {
    if (rare.length > 0) addParts(partsOf(words, deep))
    if (tokens.length === 2 && tokens.every(({ length }) => length >= MIN_JOINED_LENGTH)) addJoined(0, true)
    addParts(shortened)
  } else {
    if (rare.length > 0) addOfEach(others(deep[0]!), MAX_CANDIDATES.ofDeepWord)
    addParts(halvesOf(store, query.squash))
    for (const part of shortened) addOfEach(part.groups[0]!, MAX_CANDIDATES.ofDeepWord)
  }
  for (const inside of insidesOf(query.squash))
    ranking.addPartial(some(MAX_CANDIDATES.inside, (max) => store.bySquash(inside, EVERYTHING, max)))
  return isCut
}
