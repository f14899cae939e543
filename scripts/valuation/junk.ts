import type { Words } from '../../src/valuation/word-list.ts'
import { createDice } from './dice.ts'

/**
 * Names that nobody would buy, made up: random letters, words with a tail of letters, many words thrown together,
 * misspellings, pairs of rare words. What the liquidity model learns to tell from names that sold.
 */
export function inventJunk(words: Words, count: number, seed: number): string[] {
  const dice = createDice(seed)
  const from = (low: number, high: number) => low + Math.floor(dice() * (high - low + 1))
  const oneOf = <Item>(items: ArrayLike<Item>) => items[Math.floor(dice() * items.length)]!
  const letters = (length: number, alphabet: string) => Array.from({ length }, () => oneOf(alphabet)).join('')
  // Common words come up more often, as they do in names.
  const word = () => words.text[Math.floor(words.text.length ** dice())]!
  const rareWord = () => words.text[from(Math.floor(words.text.length / 3), words.text.length - 1)]!
  const longWord = () => {
    for (;;) {
      const found = word()
      if (found.length >= 5) return found
    }
  }
  const kinds: (() => string)[] = [
    () => letters(from(6, 14), EVEN),
    () => letters(from(6, 14), EVEN),
    () => letters(from(5, 9), EVEN),
    () => letters(from(5, 9), EVEN),
    () => letters(from(5, 8), CONSONANTS),
    () => letters(from(7, 14), AS_IN_ENGLISH),
    () => word() + letters(from(3, 6), EVEN),
    () => letters(from(3, 6), EVEN) + word(),
    () => longWord() + letters(from(1, 3), CONSONANTS),
    () => Array.from({ length: from(4, 6) }, word).join(''),
    () => Array.from({ length: from(4, 5) }, word).join(''),
    () => Array.from({ length: 4 }, word).join(''),
    () => Array.from({ length: from(3, 5) }, word).join(''),
    () => Array.from({ length: from(2, 3) }, rareWord).join(''),
    () => misspell(longWord() + longWord(), dice),
    () => word() + word() + letters(from(2, 4), EVEN),
  ]
  return Array.from({ length: count }, () => spoil(oneOf(kinds)().slice(0, 40), dice))
}

const EVEN = 'abcdefghijklmnopqrstuvwxyz'
const CONSONANTS = 'bcdfghjklmnpqrstvwxz'
const AS_IN_ENGLISH = 'eeeeeettttaaaaooooiiiinnnnssshhhrrrdddllccuummwwffggyyppbbvkjxqz'

/** Two letters changed for others. */
function misspell(text: string, dice: () => number): string {
  const letters = text.split('')
  for (let time = 0; time < 2; time++) {
    letters[Math.floor(dice() * letters.length)] = EVEN[Math.floor(dice() * EVEN.length)]!
  }
  return letters.join('')
}

/** One in six gets a hyphen or digits, as junk does. */
function spoil(text: string, dice: () => number): string {
  const lot = dice()
  const at = 1 + Math.floor(dice() * (text.length - 1))
  if (lot < 0.08) return `${text.slice(0, at)}-${text.slice(at)}`
  return lot < 0.16 ? text + Math.floor(dice() * 1000) : text
}
