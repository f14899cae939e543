import { doubleMetaphone } from 'double-metaphone'
import { SPOKEN_DIGITS, tokenize } from './tokenize.ts'

/** Enough for the common words of the register; beyond it the memory starts anew. */
const REMEMBERED = 200_000
/** A word is known by how it begins to sound. */
const LONGEST = 64

export type Codes = readonly [primary: string, alternate: string]

/** How the digits sound. */
export const SPOKEN_CODES: readonly Codes[] = SPOKEN_DIGITS.map((word) => doubleMetaphone(word))

let remembered = new Map<string, Codes>()

/**
 * How a word sounds: its two double metaphone codes, the same twice where there is one. Digits inside a word are said
 * (gr8 is great); a number by itself stays a number, its words are `homophonesOf`.
 */
export function codesOf(token: string): Codes {
  const known = remembered.get(token)
  if (known !== undefined) return known
  const codes = encode(token)
  if (remembered.size >= REMEMBERED) remembered = new Map()
  remembered.set(token, codes)
  return codes
}

/** The same without remembering it. */
export const encodeWord = (token: string): Codes => encode(token)

/** A mark is known by how it begins to sound; nobody says a slogan in one breath. */
export const MAX_CODE_LENGTH = 48

type Sounding = { readonly token: string; readonly codes: Codes }

/** How words sound run together. One word sounds as it does; a digit among other words is said. */
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

/** The codes of what a single digit is said as; undefined for all other words. */
const spokenOf = (token: string): Codes | undefined =>
  token.length === 1 ? SPOKEN_CODES[token.charCodeAt(0) - 48] : undefined

/** How the whole text sounds when its words run together. */
export const jointCode = (text: string): string =>
  codesOfWords(tokenize(text).map((token) => ({ token, codes: codesOf(token) })))[0]

function encode(whole: string): Codes {
  const cut = whole.length > LONGEST ? whole.slice(0, LONGEST) : whole
  // XPRESS and XTRA are said with the name of the letter; metaphone knows only xylophones.
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
