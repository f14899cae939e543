import { SPOKEN_DIGITS } from './tokenize.ts'

/** Spellings of one sound, in the order in which they are looked for: what they are here, and the plain way to write them. */
const SPELLINGS: readonly (readonly [pattern: RegExp, plain: string])[] = [
  [/(?<=..[^aeiouy])e$/, ''],
  [/^(?:kn|gn|pn)/, 'n'],
  [/^wr/, 'r'],
  [/ph/g, 'f'],
  [/qu/g, 'kw'],
  [/ght/g, 't'],
  [/(?:ck|cc|q)/g, 'k'],
  [/ch/g, '*'],
  [/c(?=[eiy])/g, 's'],
  [/c/g, 'k'],
  [/\*/g, 'ch'],
  [/x/g, 'ks'],
  [/z/g, 's'],
  [/(?:ai|ay|ei)/g, 'e'],
  [/ey$/, 'i'],
  [/(?:ee|ea|ie|(?<=.)y)/g, 'i'],
  [/(?:oo|ou|ew)/g, 'u'],
  [/(.)\1+/g, '$1'],
]

/** A word as one would write it down who only heard it: two spellings of one word mostly become the same. */
export const plainSpelling = (token: string): string =>
  SPELLINGS.reduce(
    (text, [pattern, plain]) => text.replace(pattern, plain),
    token.replace(/\d/g, (digit) => SPOKEN_DIGITS[Number(digit)]!),
  )
