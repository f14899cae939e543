import type { Dice } from './dice.ts'
import type { Vocabulary } from './vocabulary.ts'

const MARK_PURPOSE = 3
/** Share of marks without words: a picture, a shape, a sound. */
const WORDLESS_SHARE = 0.03
/** Share of marks that repeat an earlier one. */
const REPEATED_SHARE = 0.1

/** The mark of a record, as the register writes it; empty for one without words. */
export function markOf(index: number, words: Vocabulary, dice: Dice): string {
  dice.reseed(index, MARK_PURPOSE)
  if (dice.chance(WORDLESS_SHARE)) return ''
  let source = index
  while (source > 0 && dice.chance(REPEATED_SHARE)) {
    source = dice.below(source)
    dice.reseed(source, MARK_PURPOSE)
    dice.fraction()
  }
  const kind = dice.fraction()
  if (kind < 0.4) return soleWord(source, words, dice).toUpperCase()
  const count = kind < 0.7 ? 2 : kind < 0.87 ? 3 : kind < 0.94 ? 4 : kind < 0.975 ? 5 : 6 + dice.below(4)
  let text = wordOf(source, 0, words, dice)
  for (let slot = 1; slot < count; slot++) text += between(dice) + wordOf(source, slot, words, dice)
  return text.toUpperCase()
}

const between = (dice: Dice) => {
  const kind = dice.fraction()
  return kind < 0.96 ? ' ' : kind < 0.98 ? ' & ' : '-'
}

/** A mark of one word is mostly coined, because dictionary words are already taken. */
function soleWord(index: number, words: Vocabulary, dice: Dice): string {
  const kind = dice.fraction()
  if (kind < 0.3) return words.word(dice)
  if (kind < 0.36) return words.rareWord(dice)
  if (kind < 0.88) return words.coinage(index, 0)
  return kind < 0.93 ? words.surname(dice) : initials(dice)
}

function wordOf(index: number, slot: number, words: Vocabulary, dice: Dice): string {
  const kind = dice.fraction()
  if (kind < 0.6) return words.word(dice)
  if (kind < 0.64) return words.rareWord(dice)
  if (kind < 0.84) return words.coinage(index, slot)
  if (kind < 0.9) return words.surname(dice)
  if (kind < 0.93) return words.givenName(dice)
  if (kind < 0.95) return words.town(dice)
  if (kind < 0.985) return initials(dice)
  return String(dice.chance(0.5) ? dice.below(100) : 1900 + dice.below(130))
}

function initials(dice: Dice): string {
  let text = ''
  for (let left = 2 + dice.below(3); left > 0; left--) text += String.fromCharCode(97 + dice.below(26))
  return text
}

const NUMBERS: Readonly<Record<string, string>> = { 1: 'ONE', 2: 'TWO', 4: 'FOUR', 8: 'EIGHT', 10: 'TEN' }

/** Pseudo marks: the Office's own spelling of a mark, if it has one. */
export function pseudoMarksOf(mark: string, dice: Dice): string[] {
  const isTogether = dice.chance(0.1)
  const first = mark.indexOf(' ')
  if (first === -1) return NUMBERS[mark] === undefined ? [] : [NUMBERS[mark]]
  if (/(?:^| )(?:1|2|4|8|10)(?: |$)/.test(mark)) {
    const spoken = mark.split(' ').map((part) => NUMBERS[part] ?? part)
    return [spoken.join(' ')]
  }
  return isTogether && !mark.includes(' ', first + 1) ? [mark.replace(' ', '')] : []
}
