import type { Words } from '../../src/valuation/word-list.ts'
import { createDice } from './dice.ts'

/**
 * Invents names that nobody would buy: random letters, words with random letters, many words in a row, misspellings, pairs
 * of rare words. The liquidity model learns to distinguish them from names that sold.
 */
export function inventJunk(words: Words, count: number, seed: number): string[] {
  const dice = createDice(seed)
  const from = (low: number, high: number) => low + Math.floor(dice() * (high - low + 1))
  const oneOf = <Item>(items: ArrayLike<Item>) => items[Math.floor(dice() * items.length)]!
  const letters = (length: number, alphabet: string) => Array.from({ length }, () => oneOf(alphabet)).join('')
  // Common words are more frequent, as in real names.
  const word = () => words.text[Math.floor(words.text.length ** dice())]!
  const rareWord = () => words.text[from(Math.floor(words.text.length / 3), words.text.length - 1)]!
  const longWord = () => {
    for (;;) {
      const found = word()
      if (found.length >= 5) return found
    }
  }
  const kinds: (() => string)[] = [
    () => letters(from(6, 14), ALPHABET),
    () => letters(from(6, 14), ALPHABET),
    () => letters(from(5, 9), ALPHABET),
    () => letters(from(5, 9), ALPHABET),
    () => letters(from(5, 8), CONSONANTS),
    () => letters(from(7, 14), ENGLISH_FREQUENCIES),
    () => word() + letters(from(3, 6), ALPHABET),
    () => letters(from(3, 6), ALPHABET) + word(),
    () => longWord() + letters(from(1, 3), CONSONANTS),
    () => Array.from({ length: from(4, 6) }, word).join(''),
    () => Array.from({ length: from(4, 5) }, word).join(''),
    () => Array.from({ length: 4 }, word).join(''),
    () => Array.from({ length: from(3, 5) }, word).join(''),
    () => Array.from({ length: from(2, 3) }, rareWord).join(''),
    () => misspell(longWord() + longWord(), dice),
    () => word() + word() + letters(from(2, 4), ALPHABET),
  ]
  return Array.from({ length: count }, () => addHyphenOrDigits(oneOf(kinds)().slice(0, 40), dice))
}

const ALPHABET = 'abcdefghijklmnopqrstuvwxyz'
const CONSONANTS = 'bcdfghjklmnpqrstvwxz'
const ENGLISH_FREQUENCIES = 'eeeeeettttaaaaooooiiiinnnnssshhhrrrdddllccuummwwffggyyppbbvkjxqz'

/** Replaces two letters. */
function misspell(text: string, dice: () => number): string {
  const letters = text.split('')
  for (let time = 0; time < 2; time++) {
    letters[Math.floor(dice() * letters.length)] = ALPHABET[Math.floor(dice() * ALPHABET.length)]!
  }
  return letters.join('')
}

/** Adds a hyphen or digits to one name in six. */
function addHyphenOrDigits(text: string, dice: () => number): string {
  const draw = dice()
  const at = 1 + Math.floor(dice() * (text.length - 1))
  if (draw < 0.08) return `${text.slice(0, at)}-${text.slice(at)}`
  return draw < 0.16 ? text + Math.floor(dice() * 1000) : text
}
