import { isMadeOfWords, isReadByWords, type Sight } from './sight.ts'
import { lettersOf } from './label.ts'

/**
 * The simpler names whose values cap the value of a name read by its words:
 * - its digits alone, if it has letters and digits;
 * - every part of it, if it is short and not made of words: `kxqa` is not worth more than `kxq`, `xqa` or `kx`;
 * - its first words, if it has three words or more: `greenleafonline` is not worth more than `greenleaf`.
 * Each simpler name keeps all digits and hyphens, so an additional one lowers these caps, too. A name read by its letters
 * needs no cap: its features cannot improve with its length (see feature-names.ts).
 */
export function simplerNames(sight: Sight): string[] {
  const { parts, pieces } = sight
  if (parts.letterCount === 0 || !isReadByWords(sight)) return []
  const digits = '0'.repeat(parts.digits)
  const simpler = parts.digits > 0 ? [digits] : []
  const areWords = isMadeOfWords(sight)
  // Most names end here, before any string is built.
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
