import { doubleMetaphone } from './double-metaphone.ts'
import { SPOKEN_DIGITS, tokenize } from './tokenize.ts'

/** Enough for the common words of the register. The cache is cleared when it is full. */
const MAX_CACHED = 200_000
/** Only the beginning of a longer word is encoded. */
const MAX_WORD_LENGTH = 64

export type Codes = readonly [primary: string, alternate: string]

/** How the digits sound. */
export const SPOKEN_CODES: readonly Codes[] = SPOKEN_DIGITS.map((word) => doubleMetaphone(word))

let cache = new Map<string, Codes>()

/**
 * The two double metaphone codes of a word; equal if there is only one. Digits inside a word are spoken (gr8 is great). A
 * number stays a number; `homophonesOf` has its words.
 */
export function codesOf(token: string): Codes {
  const known = cache.get(token)
  if (known !== undefined) return known
  const codes = encode(token)
  if (cache.size >= MAX_CACHED) cache = new Map()
  cache.set(token, codes)
  return codes
}

/** `codesOf` without the cache. */
export const encodeWord = (token: string): Codes => encode(token)

/** Only the beginning of a longer mark, such as a slogan, is encoded. */
export const MAX_CODE_LENGTH = 48

type Sounding = { readonly token: string; readonly codes: Codes }

/** The codes of words spoken without a pause. A single digit among other words is spoken. */
export function codesOfWords(words: readonly Sounding[]): Codes {
  if (words.length === 1) return words[0]!.codes
  let primary = ''
  let alternate = ''
  for (const { token, codes } of words) {
    const [first, second] = spokenOf(token) ?? codes
    primary += inside(first, primary)
    alternate += inside(second, alternate)
    if (primary.length >= MAX_CODE_LENGTH && alternate.length >= MAX_CODE_LENGTH) break
  }
  return [primary.slice(0, MAX_CODE_LENGTH), alternate.slice(0, MAX_CODE_LENGTH)]
}

/** The codes of a single spoken digit; undefined for all other words. */
const spokenOf = (token: string): Codes | undefined =>
  token.length === 1 ? SPOKEN_CODES[token.charCodeAt(0) - 48] : undefined

/** The primary code of a text spoken without pauses. */
export const jointCode = (text: string): string =>
  codesOfWords(tokenize(text).map((token) => ({ token, codes: codesOf(token) })))[0]

function encode(whole: string): Codes {
  const cut = whole.length > MAX_WORD_LENGTH ? whole.slice(0, MAX_WORD_LENGTH) : whole
  // In XPRESS and XTRA the name of the letter is spoken; metaphone only knows the x of xylophone.
  const token = cut.charCodeAt(0) === 120 && /^x[^aeiouy0-9]/.test(cut) ? `e${cut}` : cut
  if (!hasDigit(token)) return doubleMetaphone(token)
  if (/^\d+$/.test(token)) return [token, token]
  let primary = ''
  let alternate = ''
  for (const part of token.match(/\d+|\D+/g)!) {
    const [first, second] = isNumber(part) ? codesOfNumber(part) : doubleMetaphone(part)
    primary += inside(first, primary)
    alternate += inside(second, alternate)
  }
  return [primary, alternate]
}

function hasDigit(token: string): boolean {
  for (let at = 0; at < token.length; at++) if (token.charCodeAt(at) < 58) return true
  return false
}

const isNumber = (part: string) => part.charCodeAt(0) < 58
const codesOfNumber = (part: string): Codes => (part.length > 1 ? [part, part] : SPOKEN_CODES[Number(part)]!)
/** Vowels count at the beginning of a word only. */
const inside = (code: string, before: string) => (before !== '' && code.startsWith('A') ? code.slice(1) : code)
