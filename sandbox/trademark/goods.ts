import type { Dice } from './dice.ts'
import type { Vocabulary } from './vocabulary.ts'
import { WARES, type Wares } from './wares.ts'

const FIELDS =
  'health care|education|finance|agriculture|transportation|sports|music|fashion|energy|insurance|travel|security|nutrition|gaming|photography|law|pet care|construction|aviation|logistics|human resources|food and beverage|personal development|home improvement|data analytics|environmental protection'.split(
    '|',
  )
const KINDS =
  'electronic|portable|custom|organic|electric|decorative|plastic|wooden|metal|cotton|leather|wireless|digital|printed|frozen|natural|medical|industrial|protective|disposable'.split(
    '|',
  )
const PURPOSES = [
  'household use',
  'commercial use',
  'medical use',
  'children and adults',
  'use in databases and spreadsheets',
]

/** Each entry repeated by its weight, so that a uniform pick is a weighted one. */
const WEIGHTED_WARES = WARES.flatMap((one) => Array.from({ length: Math.round(one.weight * 10) }, () => one))
const anyWares = (dice: Dice): Wares => dice.pick(WEIGHTED_WARES)

/** One to four classes, mostly one, with the goods and services of each. */
export function goodsOf(words: Vocabulary, dice: Dice): { readonly classes: string[]; readonly goods: string } {
  const first = anyWares(dice)
  if (!dice.chance(0.3)) return { classes: [first.class], goods: textOf(first, words, dice) }
  const chosen = new Set([first, anyWares(dice)])
  while (chosen.size < 4 && dice.chance(0.4)) chosen.add(anyWares(dice))
  const inOrder = [...chosen].sort((a, b) => (a.class < b.class ? -1 : 1))
  return {
    classes: inOrder.map((one) => one.class),
    goods: inOrder.map((one) => textOf(one, words, dice)).join(' '),
  }
}

function textOf({ class: name, items }: Wares, words: Vocabulary, dice: Dice): string {
  // Long texts are rare, very long ones very rare.
  const length = 50 + 540 * dice.fraction() ** 2.6
  const isService = name >= '035'
  let text = ''
  do {
    text += text === '' ? '' : '; '
    text += isService ? service(items, words, dice) : ware(items, words, dice)
  } while (text.length < length)
  return `${text[0]!.toUpperCase()}${text.slice(1)}.`
}

function service(items: readonly string[], words: Vocabulary, dice: Dice): string {
  const kind = dice.fraction()
  const first = dice.pick(items)
  if (kind < 0.2) return `${first} featuring ${enumeration(anyWares(dice).items, words, dice, 3)}`
  if (kind < 0.45) return `${first}, namely, ${enumeration(items, words, dice, 4)} in the field of ${dice.pick(FIELDS)}`
  if (kind < 0.6) return `providing ${first} via a global computer network`
  if (kind < 0.72)
    return `providing a website featuring information in the field of ${dice.pick(FIELDS)} and ${dice.pick(FIELDS)}`
  return enumeration(items, words, dice, 4)
}

function ware(items: readonly string[], words: Vocabulary, dice: Dice): string {
  const kind = dice.fraction()
  const first = dice.pick(items)
  if (kind < 0.3) return `${first}, namely, ${enumeration(items, words, dice, 5)}`
  if (kind < 0.4) return `${first} for use in the field of ${dice.pick(FIELDS)}`
  if (kind < 0.5) return `${first} for ${dice.pick(PURPOSES)}`
  if (kind < 0.58) return `${first} and ${dice.pick(items)} sold as a unit`
  if (kind < 0.66) return `structural parts and fittings for ${first}`
  return enumeration(items, words, dice, 6)
}

function enumeration(items: readonly string[], words: Vocabulary, dice: Dice, maxItems: number): string {
  const count = 1 + dice.below(maxItems)
  let text = described(items, words, dice)
  for (let at = 1; at < count; at++) text += (at === count - 1 ? ' and ' : ', ') + described(items, words, dice)
  return text
}

function described(items: readonly string[], words: Vocabulary, dice: Dice): string {
  const kind = dice.fraction()
  const item = dice.pick(items)
  if (kind < 0.66) return item
  if (kind < 0.8) return `${dice.pick(KINDS)} ${item}`
  return `${kind < 0.97 ? words.word(dice) : words.rareWord(dice)} ${item}`
}
