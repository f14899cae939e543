import type { Category } from './category.ts'
import type { Name, Sight } from './sight.ts'
import { lettersOf } from './label.ts'
import type { Words } from './word-list.ts'

/** In the words of the contract, those that raise a value first. */
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

const SHORT = 6
const LONG = 15
/** Endings besides .com that buyers pay more for, by the sales we learned from and by common opinion of the trade. */
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
 * We have no search volumes. The stand-in: a name of one or two words all of which are among the most used of the word
 * list, and one of which belongs to a trade.
 */
const MUCH_USED = 8000
/** As easily said as most English words, and no pair of letters that trips the tongue. */
const SAYS_EASILY = -2.9
const NO_STUMBLE = -6.2
const BRAND_LENGTHS = { least: 4, most: 11 }

/** The name as words. A hyphen or a digit inside a word makes two of it, as a reader would: `ri-ver` is `ri` and `ver`. */
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

/** The factors of a name; `segments` and `category` are those of the same sight. */
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
  if (parts.length <= SHORT) found.push('short_length')
  if (tld === 'com') found.push('dot_com')
  if (oneWord) found.push('dictionary_word')
  if ((oneWord || twoWords) && category !== null && areMuchUsed(pieces)) found.push('high_search_volume')
  if (plain && parts.hyphens === 0 && isBrandable(sight)) found.push('brandable')
  if (PREMIUM_TLDS.has(tld)) found.push('premium_tld')
  if (twoWords) found.push('exact_match')
  if (parts.digits > 0) found.push('numeric')
  if (parts.hyphens > 0) found.push('hyphenated')
  if (parts.length >= LONG) found.push('long_name')
  return found
}

/** Two words as they stand: a hyphen between them does no harm, one inside makes other segments of them. */
const isPairOfWords = ({ pieces }: Sight, segments: readonly string[]) =>
  pieces.count === 2 &&
  segments.length === 2 &&
  pieces.places[0]! >= 0 &&
  pieces.places[1]! >= 0 &&
  segments[0]!.length >= 3 &&
  segments[1]!.length >= 3

function areMuchUsed({ places, count }: Sight['pieces']): boolean {
  for (let at = 0; at < count; at++) if (places[at]! >= MUCH_USED) return false
  return true
}

function isBrandable({ parts, pieces, spelling }: Sight): boolean {
  const { letterCount } = parts
  return (
    letterCount >= BRAND_LENGTHS.least &&
    letterCount <= BRAND_LENGTHS.most &&
    pieces.count <= 2 &&
    spelling.mean >= SAYS_EASILY &&
    spelling.worst >= NO_STUMBLE
  )
}

/** The label is exactly one word of the dictionary: every character of it a letter of that word. */
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
