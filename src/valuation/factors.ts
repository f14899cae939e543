import type { Category } from './category.ts'
import type { Name, Sight } from './sight.ts'
import { lettersOf } from './label.ts'
import type { Words } from './word-list.ts'

/** As named in the API contract; the factors that raise a value come first. */
export type Factor =
  | 'short_length'
  | 'dot_com'
  | 'dictionary_word'
  | 'high_search_volume'
  | 'brandable'
  | 'premium_tld'
  | 'exact_match'
  | 'numeric'
  | 'hyphenated'
  | 'long_name'

export type KeyFactors = {
  readonly length: number
  readonly tld: string
  readonly is_dictionary_word: boolean
  readonly has_hyphens: boolean
  readonly has_numbers: boolean
  readonly category: Category | null
}

const MAX_SHORT_LENGTH = 6
const MIN_LONG_LENGTH = 15
/** TLDs besides .com that raise the price, by the training sales and by common opinion in the trade. */
const PREMIUM_TLDS = new Set([
  'ai',
  'app',
  'ca',
  'ch',
  'co',
  'co.uk',
  'de',
  'dev',
  'io',
  'net',
  'org',
  'tv',
  'uk',
  'us',
  'xyz',
])
/**
 * We have no search volumes. Instead, a name counts as much searched if it consists of one or two words of at most this rank
 * in the word list, and one of them belongs to a category.
 */
const MAX_COMMON_RANK = 8000
/** Log probabilities of the spelling (see pronounce.ts): as pronounceable as most English words, without a hard letter pair. */
const MIN_BRAND_SPELLING = -2.9
const MIN_BRAND_WORST_SPELLING = -6.2
const MIN_BRAND_LENGTH = 4
const MAX_BRAND_LENGTH = 11
const MIN_PAIR_WORD_LENGTH = 3

/** The words of a label. A hyphen or a digit splits a word, as it does for a reader: `ri-ver` is `ri` and `ver`. */
export function piecesOf({ parts, pieces }: Sight): string[] {
  const text = lettersOf(parts)
  const found: string[] = []
  for (let at = 0; at < pieces.count; at++) {
    let start = pieces.starts[at]!
    const end = pieces.ends[at]!
    for (let cut = start + 1; cut < end; cut++) {
      if (parts.breaks[cut] === 0) continue
      found.push(text.slice(start, cut))
      start = cut
    }
    found.push(text.slice(start, end))
  }
  return found
}

/** The factors of a name; `segments` and `category` must come from the same sight. */
export function factorsOf(
  { tld }: Name,
  sight: Sight,
  words: Words,
  segments: readonly string[],
  category: Category | null,
): Factor[] {
  const { parts, pieces } = sight
  const plain = parts.digits === 0 && !parts.isIdn
  const oneWord = isDictionaryWord(sight, words)
  const twoWords = plain && isPairOfWords(sight, segments)
  const found: Factor[] = []
  if (parts.length <= MAX_SHORT_LENGTH) found.push('short_length')
  if (tld === 'com') found.push('dot_com')
  if (oneWord) found.push('dictionary_word')
  if ((oneWord || twoWords) && category !== null && areCommon(pieces)) found.push('high_search_volume')
  if (plain && parts.hyphens === 0 && isBrandable(sight)) found.push('brandable')
  if (PREMIUM_TLDS.has(tld)) found.push('premium_tld')
  if (twoWords) found.push('exact_match')
  if (parts.digits > 0) found.push('numeric')
  if (parts.hyphens > 0) found.push('hyphenated')
  if (parts.length >= MIN_LONG_LENGTH) found.push('long_name')
  return found
}

/** Two unbroken words. A hyphen between them is allowed; a hyphen inside one changes the segments. */
const isPairOfWords = ({ pieces }: Sight, segments: readonly string[]) =>
  pieces.count === 2 &&
  segments.length === 2 &&
  pieces.places[0]! >= 0 &&
  pieces.places[1]! >= 0 &&
  segments[0]!.length >= MIN_PAIR_WORD_LENGTH &&
  segments[1]!.length >= MIN_PAIR_WORD_LENGTH

function areCommon({ places, count }: Sight['pieces']): boolean {
  for (let at = 0; at < count; at++) if (places[at]! >= MAX_COMMON_RANK) return false
  return true
}

function isBrandable({ parts, pieces, spelling }: Sight): boolean {
  const { letterCount } = parts
  return (
    letterCount >= MIN_BRAND_LENGTH &&
    letterCount <= MAX_BRAND_LENGTH &&
    pieces.count <= 2 &&
    spelling.mean >= MIN_BRAND_SPELLING &&
    spelling.worst >= MIN_BRAND_WORST_SPELLING
  )
}

/** Whether the label is exactly one dictionary word, without any other character. */
function isDictionaryWord({ parts, pieces }: Sight, words: Words): boolean {
  const place = pieces.places[0]!
  return (
    pieces.count === 1 &&
    place >= 0 &&
    words.inDictionary[place] === 1 &&
    parts.letterCount >= 2 &&
    parts.letterCount === parts.length &&
    !parts.isIdn
  )
}

export function keyFactorsOf({ tld }: Name, sight: Sight, words: Words, category: Category | null): KeyFactors {
  const { parts } = sight
  return {
    length: parts.length,
    tld,
    is_dictionary_word: isDictionaryWord(sight, words),
    has_hyphens: parts.hyphens > 0,
    has_numbers: parts.digits > 0,
    category,
  }
}
