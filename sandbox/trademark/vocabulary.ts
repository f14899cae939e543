import type { Dice } from './dice.ts'
import {
  BEGINNINGS,
  CODAS,
  ENDINGS,
  FAMILIES,
  FAMILY_ENDINGS,
  GIVEN,
  INFLECTIONS,
  ONSETS,
  TOWNS,
  VOWELS,
  WORDS,
} from './word-lists.ts'

export type Vocabulary = {
  /** A word as frequent as its place in the language of marks. */
  word(dice: Dice): string
  /** A word of the dictionary that hardly anybody uses. */
  rareWord(dice: Dice): string
  /** The word that was coined for this thing; some were coined before, for something else. */
  coinage(index: number, slot: number): string
  surname(dice: Dice): string
  givenName(dice: Dice): string
  town(dice: Dice): string
}

/** So many words are in use. */
const COMMON = 45_000
/** And so many more stand in the dictionary. */
const RARE = 205_000
/** Chances that a coinage is one of an earlier record's. Not all of those were ever used. */
const COINED_BEFORE = 0.6

const PURPOSE = { common: 1, rare: 2, coinage: 16 }

/** `mine` throws for the words themselves, so that asking for one does not disturb whoever asks. */
export function createVocabulary(mine: Dice): Vocabulary {
  mine.turnTo(0, PURPOSE.common)
  const common = commonWords(mine)
  // Zipf's law, flattened at the head as it is in registers.
  const heights = new Float64Array(common.length)
  let height = 0
  for (let place = 0; place < common.length; place++) heights[place] = height += 1 / (place + 6) ** 0.95
  const places = startsOf(heights)
  const word = (dice: Dice) => common[firstAbove(heights, places, dice.fraction())]!

  const surnames = FAMILIES.flatMap((family) => [family, ...FAMILY_ENDINGS.map((ending) => family + ending)])

  const coin = (): string => {
    const dice = mine.fraction()
    if (dice < 0.3) return invent(mine)
    if (dice < 0.55) return syllable(mine) + (mine.chance(0.4) ? syllable(mine) : '') + mine.pick(ENDINGS)
    if (dice < 0.75) return mine.pick(BEGINNINGS) + word(mine)
    if (dice < 0.9) return word(mine) + (mine.chance(0.5) ? word(mine) : mine.pick(ENDINGS))
    return mine.pick(BEGINNINGS) + syllable(mine) + mine.pick(ENDINGS)
  }

  return {
    word,
    rareWord(dice) {
      mine.turnTo(dice.below(RARE), PURPOSE.rare)
      return invent(mine) + syllable(mine)
    },
    coinage(index, slot) {
      let source = index
      mine.turnTo(source, PURPOSE.coinage + slot)
      while (source > 0 && mine.chance(COINED_BEFORE)) {
        source = mine.below(source)
        mine.turnTo(source, PURPOSE.coinage)
      }
      return coin()
    },
    surname: (dice) => dice.pick(surnames),
    givenName: (dice) => dice.pick(GIVEN),
    town: (dice) => dice.pick(TOWNS),
  }
}

const syllable = (dice: Dice) => dice.pick(ONSETS) + dice.pick(VOWELS) + (dice.chance(0.6) ? dice.pick(CODAS) : '')
const invent = (dice: Dice) => syllable(dice) + syllable(dice) + (dice.chance(0.35) ? syllable(dice) : '')

/** The most used first: plain words, then what is made of them among words that mean nothing to us. */
function commonWords(dice: Dice): readonly string[] {
  const words = new Set(WORDS)
  const plain = [...words]
  while (words.size < COMMON) {
    const kind = dice.fraction()
    if (kind < 0.35) words.add(dice.pick(plain) + dice.pick(INFLECTIONS))
    else if (kind < 0.5) words.add(dice.pick(plain) + dice.pick(plain))
    else words.add(invent(dice))
  }
  return [...words]
}

/** Where to begin to look, for each thousandth of the whole height. */
const STEPS = 1024

function startsOf(heights: Float64Array): Uint32Array {
  const whole = heights.at(-1)!
  const starts = new Uint32Array(STEPS + 1)
  let place = 0
  for (let step = 0; step <= STEPS; step++) {
    while (place < heights.length - 1 && heights[place]! < (step / STEPS) * whole) place++
    starts[step] = place
  }
  return starts
}

function firstAbove(heights: Float64Array, starts: Uint32Array, fraction: number): number {
  const height = fraction * heights.at(-1)!
  const step = Math.floor(fraction * STEPS)
  let low = starts[step]!
  let high = starts[step + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (heights[middle]! < height) low = middle + 1
    else high = middle
  }
  return low
}
