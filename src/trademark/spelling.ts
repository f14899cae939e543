import { SPOKEN_DIGITS } from './tokenize.ts'

/** Replacements, applied in this order, that turn the spellings of a sound into one spelling. */
const REPLACEMENTS: readonly (readonly [pattern: RegExp, plain: string])[] = [
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

/** Eighteen replacements take longer than a comparison, and the same words come up in search after search. */
const MAX_CACHED = 20_000
let cache = new Map<string, string>()

/** The word respelled by its sound: different spellings of one word mostly become equal. */
export function plainSpelling(token: string): string {
  let plain = cache.get(token)
  if (plain === undefined) {
    plain = respell(token)
    if (cache.size >= MAX_CACHED) cache = new Map()
    cache.set(token, plain)
  }
  return plain
}

const respell = (token: string): string =>
  REPLACEMENTS.reduce(
    (text, [pattern, plain]) => text.replace(pattern, plain),
    token.replace(/\d/g, (digit) => SPOKEN_DIGITS[Number(digit)]!),
  )
