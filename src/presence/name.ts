import { domainToASCII } from 'node:url'

/** A name as it is looked for: its words, and how it is written in one. */
export type SoughtName = {
  /** As it was asked, spaces put in order. */
  readonly shown: string
  /** What the engines are asked: the same, without the signs that would be orders to them. */
  readonly query: string
  readonly words: readonly string[]
  readonly joined: string
  /** How it may be written in an address: the same, and where it has umlauts also with an e for each. */
  readonly spellings: readonly string[]
  /** What it is before a TLD, in ASCII; null where it cannot stand there. */
  readonly label: string | null
}

const MAX_LABEL_LENGTH = 63

/** Null where there is nothing in it to look for. */
export function readName(text: string): SoughtName | null {
  // A mark belongs to the letter before it; one that stands alone is no part of a name.
  const words = folded(text).match(/[\p{L}\p{N}][\p{L}\p{N}\p{M}]*/gu) ?? []
  const joined = words.join('')
  if (joined === '') return null
  const shown = text.trim().replaceAll(/\s+/g, ' ')
  // `example.com` means the domain itself, not `examplecom.com`; a name that is a label already is asked about as it is.
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

/** `-word`, `"two words"`, `site:` and `!bang` are orders to an engine; nobody is called so. */
const queryOf = (shown: string): string =>
  shown
    .replaceAll(/["“”„():<>\\]/g, ' ')
    .split(' ')
    .map((word) => word.replace(/^[-+!?~*|^]+/, ''))
    .filter((word) => word !== '')
    .join(' ')

/** Scripts that put no spaces between words: each letter may be the first or last of one. */
const UNSPACED = '\\p{sc=Han}\\p{sc=Hiragana}\\p{sc=Thai}\\p{sc=Lao}\\p{sc=Khmer}\\p{sc=Myanmar}'
/** Katakana stay together: they write one foreign word at a time. */
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

/** The pieces of a text between which a name may begin or end: words, or letters where there are no spaces. */
export const wordsOf = (text: string): string[] => folded(text).match(PIECE) ?? []

/** Neither case nor accents tell two names apart; signs of property are no letters. */
export const folded = (text: string): string =>
  text
    .replaceAll(/[™®©℠]/g, ' ')
    .normalize('NFKD')
    .toLowerCase()
    // Only where they are not letters of their own: й is not и, が is not か, and vowels of Indic scripts are marks.
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
 * Where the words of a name stand in a row in a text, spelled apart, joined, or with signs between: the number of pieces
 * before it; -1 where they do not.
 */
export function placeOf(joined: string, text: readonly string[]): number {
  // A single ideograph is part of a thousand words; only alone it is meant.
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

/** All words are there in some order, perhaps with an ending, or all of it is part of a longer word. */
export const hasLoosely = ({ words, joined }: SoughtName, text: readonly string[]): boolean =>
  words.every((word) => placeOf(word, text) >= 0 || text.some((other) => isInflected(word, other))) ||
  (joined.length >= 6 && text.some((other) => other.includes(joined)))

/** `examples` of `example`; Korean hangs its particles on a word. */
const isInflected = (word: string, other: string): boolean =>
  other.startsWith(word) &&
  (/^\p{sc=Hangul}{2,}$/u.test(word)
    ? other.length <= word.length + 2
    : word.length >= 5 && other.length <= word.length + 3)
