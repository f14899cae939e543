import { isMadeOfWords, isReadByWords, type Sight } from './sight.ts'
import { lettersOf } from './label.ts'

/**
 * Simpler names that a name read by its words cannot be worth more than:
 * - its digits alone, when letters were put to a number;
 * - every part of it, when it is short and no word: `kxqa` is not worth more than `kxq`, `xqa` or `kx`;
 * - what it is built on, when it has three words or more: `greenleafonline` is not worth more than `greenleaf`.
 * Digits and hyphens stay with what is left, so one more of them lowers all of these too. What is read by its letters
 * needs none of this: see features.ts.
 */
export function simplerNames(sight: Sight): string[] {
  const { parts, pieces } = sight
  if (parts.letterCount === 0 || !isReadByWords(sight)) return []
  const digits = '0'.repeat(parts.digits)
  const simpler = parts.digits > 0 ? [digits] : []
  const areWords = isMadeOfWords(sight)
  // Most names, so nothing is cut for them.
  if (areWords && pieces.count <= 2) return simpler
  const rest = digits + '-'.repeat(parts.hyphens)
  const letters = lettersOf(parts)
  const add = (from: number, to: number) => simpler.push(letters.slice(from, to) + rest)
  if (areWords) {
    for (let at = 1; at < pieces.count - 1; at++) add(0, pieces.ends[at]!)
    return simpler
  }
  for (let length = letters.length - 1; length > 0; length--) {
    for (let from = 0; from + length <= letters.length; from++) add(from, from + length)
  }
  return simpler
}
