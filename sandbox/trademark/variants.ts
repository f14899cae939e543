import type { Dice } from './dice.ts'
import { WORDS } from './word-lists.ts'

/** Ways to misspell or imitate a mark, for recall tests. */
export const VARIANTS = [
  'exact',
  'one typo',
  'two typos',
  'typo anywhere',
  'respelled',
  'joined',
  'split',
  'plural',
  'word order',
  'word dropped',
  'word added',
] as const
export type VariantKind = (typeof VARIANTS)[number]

/** Letters that sound alike, in both directions. */
const SOUNDS: readonly (readonly [string, string])[] = [
  ['PH', 'F'],
  ['CK', 'K'],
  ['QU', 'KW'],
  ['EE', 'EA'],
  ['OO', 'U'],
  ['X', 'KS'],
  ['C', 'K'],
  ['S', 'Z'],
  ['Y', 'I'],
  ['AI', 'AY'],
]
const RESPELLINGS = SOUNDS.flatMap(([a, b]) => [[a, b] as const, [b, a] as const])

/** A variant of this kind; null if the mark has no such variant: a single word cannot be joined. */
export function variantOf(kind: VariantKind, mark: string, dice: Dice): string | null {
  const words = mark.split(/[^A-Z0-9]+/).filter((word) => word !== '')
  if (words.length === 0) return null
  const text = createVariant(kind, words, dice)
  return text === null || (text === words.join(' ') && kind !== 'exact') ? null : text
}

function createVariant(kind: VariantKind, words: readonly string[], dice: Dice): string | null {
  const longest = words.reduce((best, word, place) => (word.length > words[best]!.length ? place : best), 0)
  const word = words[longest]!
  const changed = (replacement: string) => words.with(longest, replacement).join(' ')
  switch (kind) {
    case 'exact':
      return words.join(' ')
    case 'one typo':
      return word.length < 5 ? null : changed(mistyped(word, dice))
    case 'two typos':
      return word.length < 7 ? null : changed(mistyped(mistyped(word, dice), dice))
    case 'typo anywhere': {
      const text = words.join(' ')
      return text.length < 5 ? null : insertTypo(text, dice.below(text.length), dice)
    }
    case 'respelled': {
      const fitting = RESPELLINGS.filter(([from]) => word.includes(from))
      if (word.length < 4 || fitting.length === 0) return null
      const [from, to] = dice.pick(fitting)
      return changed(word.replace(from, to))
    }
    case 'joined':
      return words.length < 2 || words.length > 3 ? null : words.join('')
    case 'split':
      return words.length > 1 || word.length < 7
        ? null
        : `${word.slice(0, word.length >> 1)} ${word.slice(word.length >> 1)}`
    case 'plural':
      return word.length < 4 || !/[A-RT-Z]$/.test(word) ? null : changed(`${word}S`)
    case 'word order':
      return words.length < 2 ? null : [...words.slice(1), words[0]!].join(' ')
    case 'word dropped':
      return words.length < 3 ? null : words.toSpliced(dice.below(words.length), 1).join(' ')
    case 'word added':
      return word.length < 4 ? null : [...words, dice.pick(WORDS).toUpperCase()].join(' ')
  }
}

/** One typo within a word; its first and last letters are right. */
const mistyped = (word: string, dice: Dice) => insertTypo(word, 1 + dice.below(word.length - 2), dice)

/** Omits, doubles or replaces a letter, or swaps it with the next one. */
function insertTypo(text: string, place: number, dice: Dice): string {
  const before = text.slice(0, place)
  const letter = text[place]!
  const after = text.slice(place + 1)
  switch (dice.below(4)) {
    case 0:
      return before + after
    case 1:
      return before + letter + letter + after
    case 2:
      return before + String.fromCharCode(65 + dice.below(26)) + after
    default:
      return before + after.slice(0, 1) + letter + after.slice(1)
  }
}
