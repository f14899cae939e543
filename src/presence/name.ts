import { domainToASCII } from 'node:url'

/** A name prepared for searching: its words, and its spelling as one word. */
export type SoughtName = {
  /** As requested, with spaces normalized. */
  readonly shown: string
  /** The search query: without characters that engines treat as operators. */
  readonly query: string
  readonly words: readonly string[]
  readonly joined: string
  /** Spellings in a URL: as one word, and also with `ae`, `oe`, `ue` if it has umlauts. */
  readonly spellings: readonly string[]
  /** Its domain label in ASCII; null if it cannot be one. */
  readonly label: string | null
}

const MAX_LABEL_LENGTH = 63

/** Null if it has neither letters nor digits. */
export function parseName(text: string): SoughtName | null {
  // A combining mark without a letter before it is not part of a name.
  const words = folded(text).match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  const joined = words.join('')
  if (joined === '') return null
  const shown = text.trim().replaceAll(/\s+/g, ' ')
  // `example.com` means the domain itself, not `examplecom.com`; a name that is already a label stays as it is.
  const bare = shown.toLowerCase().replace(/\.com$/, '')
  const isLabel = /^[a-z\d](?:[a-z\d-]*[a-z\d])?$/.test(bare)
  const label = isLabel ? bare : domainToASCII(/\.com$/i.test(shown) ? joined.slice(0, -3) : joined)
  return {
    shown,
    query: queryOf(shown) || words.join(' '),
    words,
    joined,
    spellings: [...new Set([joined, wordsOf(spelledOut(text)).join('')])],
    label: label === '' || label.length > MAX_LABEL_LENGTH ? null : label,
  }
}

const spelledOut = (text: string): string =>
  text
    .toLowerCase()
    .normalize('NFC')
    .replaceAll(/[äöüåø]/g, (letter) => ({ ä: 'ae', ö: 'oe', ü: 'ue', å: 'aa', ø: 'oe' })[letter]!)

/** Removes search operators: `-word`, `"two words"`, `site:` and `!bang`. */
const queryOf = (shown: string): string =>
  shown
    .replaceAll(/["“”„():<>\\]/g, ' ')
    .split(' ')
    .map((word) => word.replace(/^[-+!?~*|^]+/, ''))
    .filter((word) => word !== '')
    .join(' ')

/** Scripts without spaces between words: any letter may begin or end a word. */
const UNSPACED = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
/** Katakana are kept together: a run of them is usually one foreign word. */
const KATAKANA = '[\\p{scx=Katakana}&&[\\p{L}\\p{M}]]'
const PIECE = new RegExp(
  [
    `[${KATAKANA}&&\\p{L}]${KATAKANA}*`,
    `[[${UNSPACED}]&&\\p{L}]\\p{M}*`,
    `[[\\p{L}\\p{N}]--${KATAKANA}--[[${UNSPACED}]&&\\p{L}]][[\\p{L}\\p{N}\\p{M}]--[${KATAKANA}&&\\p{L}]--[[${UNSPACED}]&&\\p{L}]]*`,
  ].join('|'),
  'gv',
)
const ONE_LETTER = new RegExp(`^[[${UNSPACED}]&&\\p{L}]\\p{M}*$`, 'v')

/** Tokenizes a text: words, or single letters in scripts without spaces. */
export const wordsOf = (text: string): string[] => folded(text).match(PIECE) ?? []

/** Normalizes text for comparison: no case, no accents, no trademark signs. */
export const folded = (text: string): string =>
  text
    .replaceAll(/[™®©℠]/g, ' ')
    .normalize('NFKD')
    .toLowerCase()
    // Only where the accent does not make another letter: й is not и, が is not か, and Indic vowels are marks.
    .replaceAll(/(?<=[\p{sc=Latin}\p{sc=Greek}])[\u0300-\u036f]+/gu, '')
    .replaceAll(/[\u0640\u064b-\u065f\u0670\u0591-\u05bd\u05bf-\u05c7]+/g, '')
    .normalize('NFC')
    .replaceAll(/[ßæœøłđıё]/g, (letter) => PLAIN[letter]!)

const PLAIN: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  ł: 'l',
  đ: 'd',
  ı: 'i',
  ё: 'е',
}

/**
 * The index of the token where the name begins in a text, spelled as separate words, as one word, or with punctuation
 * between; -1 if not found.
 */
export function placeOf(joined: string, text: readonly string[]): number {
  // A single ideograph is part of many words; it only counts alone.
  if (ONE_LETTER.test(joined)) return text.length === 1 && text[0] === joined ? 0 : -1
  for (let at = 0; at < text.length; at++) {
    let run = ''
    for (let end = at; end < text.length && run.length < joined.length; end++) {
      run += text[end]!
      if (run === joined) return at
      if (!joined.startsWith(run)) break
    }
  }
  return -1
}

/** Whether all words occur in any order, possibly inflected, or the name is part of a longer word. */
export const hasLoosely = ({ words, joined }: SoughtName, text: readonly string[]): boolean =>
  words.every((word) => placeOf(word, text) >= 0 || text.some((other) => isInflected(word, other))) ||
  (joined.length >= 6 && text.some((other) => other.includes(joined)))

/** `examples` for `example`; Korean appends particles to a word. */
const isInflected = (word: string, other: string): boolean =>
  other.startsWith(word) &&
  (/^\p{sc=Hangul}{2,}$/u.test(word)
    ? other.length <= word.length + 2
    : word.length >= 5 && other.length <= word.length + 3)
