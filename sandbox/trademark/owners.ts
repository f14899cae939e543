import type { Dice } from './dice.ts'
import type { Vocabulary } from './vocabulary.ts'

const OWNER_PURPOSE = 4
/** Share of records whose owner has an earlier one. Owners with many records get more, as in reality. */
const REPEATED_SHARE = 0.58

const FORMS = [
  'LLC',
  'LLC',
  'LLC',
  'Inc.',
  'Inc.',
  'Corporation',
  'Corp.',
  'Co.',
  'Co., Ltd.',
  'Ltd.',
  'L.P.',
  'GmbH',
  'S.A.',
  'B.V.',
  'Foundation',
]
const TRADES =
  'Group Holdings Industries Brands Foods Systems Media Partners Studios Trading Technology International Enterprises Products Solutions Capital Health Laboratories Designs Software Networks Energy Electronics Services Ventures'.split(
    ' ',
  )

export function ownerOf(index: number, words: Vocabulary, dice: Dice): string {
  let source = index
  dice.reseed(source, OWNER_PURPOSE)
  while (source > 0 && dice.chance(REPEATED_SHARE)) {
    source = dice.below(source)
    dice.reseed(source, OWNER_PURPOSE)
  }
  const kind = dice.fraction()
  if (kind < 0.26) {
    const middle = dice.chance(0.6) ? ` ${String.fromCharCode(65 + dice.below(26))}.` : ''
    return `${capital(words.surname(dice))}, ${capital(words.givenName(dice))}${middle}`
  }
  const name =
    kind < 0.62
      ? capital(words.coinage(source, 15))
      : kind < 0.9
        ? `${capital(words.word(dice))} ${capital(words.word(dice))}`
        : `${capital(words.surname(dice))} & ${capital(words.surname(dice))}`
  const trade = dice.chance(0.6) ? ` ${dice.pick(TRADES)}` : ''
  return `${name}${trade}${dice.chance(0.4) ? ',' : ''} ${dice.pick(FORMS)}`
}

export const capital = (word: string) => word[0]!.toUpperCase() + word.slice(1)
