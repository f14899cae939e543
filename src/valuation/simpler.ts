import type { Sight } from './features.ts'
import { lettersOf } from './label.ts'

/**
 * Simpler names that a name cannot be worth more than:
 * - its digits alone, when letters were put to a number;
 * - what it is built on, piece by piece: `greenleafonline` is not worth more than `greenleaf`, `xqvonline` not more than
 *   `xqv`. Two known words are not asked, to be quick: the first is
 *   almost always the dearer anyway;
 * - what is left when a tail of consonants that no word ends in is cut off, anywhere in the tail (`greenxqvk`).
 * Digits and hyphens stay with what is left, so one more of them lowers all of these too.
 */
export function simplerNames(sight: Sight, look: (label: string) => Sight): string[] {
  const { parts } = sight
  if (parts.letterCount === 0) return []
  const found = parts.digits > 0 ? ['0'.repeat(parts.digits)] : []
  const run = hardEnding(sight)
  if (run === 0 && isPlainPair(sight)) return found
  const rest = '0'.repeat(parts.digits) + '-'.repeat(parts.hyphens)
  // Looking at another name overwrites this sight, so its letters are kept.
  const letters = lettersOf(parts)
  const heads = new Set(headsOf(sight))
  const shortestLeft = run === 0 ? letters.length : Math.max(1, letters.length - run)
  for (let cut = shortestLeft; cut <= letters.length - SHORTEST_CUT; cut++) {
    heads.add(cut)
    for (const head of headsOf(look(letters.slice(0, cut)))) heads.add(head)
  }
  for (const head of heads) found.push(letters.slice(0, head) + rest)
  return found
}

/** One piece, or two words that are known: most names. */
const isPlainPair = ({ pieces }: Sight) =>
  pieces.count < 2 || (pieces.count === 2 && pieces.places[0]! >= 0 && pieces.places[1]! >= 0)

/** Where the pieces but the last end. */
const headsOf = (sight: Sight) =>
  isPlainPair(sight) ? [] : Array.from(sight.pieces.ends.subarray(0, sight.pieces.count - 1))

/** So many consonants end few words (`first`, `worlds`); of such a tail this many or more may be cut off. */
const HARD = 3
const SHORTEST_CUT = 2
const VOWELS = new Set(Array.from('aeiouy', (letter) => letter.charCodeAt(0) - 97))

/** The length of a tail of consonants that is too long to be said; 0 when a known word says it. */
function hardEnding({ parts, pieces }: Sight): number {
  const { letters, letterCount } = parts
  let run = 0
  while (run < letterCount && !VOWELS.has(letters[letterCount - 1 - run]!)) run++
  if (run < HARD) return 0
  const last = pieces.count - 1
  const isSaid = pieces.places[last]! >= 0 && pieces.starts[last]! < letterCount - run
  return isSaid ? 0 : run
}
