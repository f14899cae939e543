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
  /** A common word, drawn by Zipf's law. */
  word(dice: Dice): string
  /** A rarely used word of the dictionary. */
  rareWord(dice: Dice): string
  /** The word coined for this record and slot; some repeat an earlier coinage. */
  coinage(index: number, slot: number): string
  surname(dice: Dice): string
  givenName(dice: Dice): string
  town(dice: Dice): string
}

const COMMON_WORDS = 45_000
const RARE_WORDS = 205_000
/** Share of coinages that repeat one of an earlier record. Not all earlier coinages were used in a mark. */
const REPEATED_COINAGE_SHARE = 0.6

const PURPOSE = { common: 1, rare: 2, coinage: 16 }

/** `own` generates the words themselves, so that it does not change the state of the caller's generator. */
export function createVocabulary(own: Dice): Vocabulary {
  own.reseed(0, PURPOSE.common)
  const common = commonWords(own)
  // Cumulative weights by Zipf's law, flattened at the head as in real registers.
  const cumulative = new Float64Array(common.length)
  let total = 0
  for (let place = 0; place < common.length; place++) cumulative[place] = total += 1 / (place + 6) ** 0.95
  const places = searchTable(cumulative)
  const word = (dice: Dice) => common[firstAbove(cumulative, places, dice.fraction())]!

  const surnames = FAMILIES.flatMap((family) => [family, ...FAMILY_ENDINGS.map((ending) => family + ending)])

  const coin = (): string => {
    const dice = own.fraction()
    if (dice < 0.3) return invent(own)
    if (dice < 0.55) return syllable(own) + (own.chance(0.4) ? syllable(own) : '') + own.pick(ENDINGS)
    if (dice < 0.75) return own.pick(BEGINNINGS) + word(own)
    if (dice < 0.9) return word(own) + (own.chance(0.5) ? word(own) : own.pick(ENDINGS))
    return own.pick(BEGINNINGS) + syllable(own) + own.pick(ENDINGS)
  }

  return {
    word,
    rareWord(dice) {
      own.reseed(dice.below(RARE_WORDS), PURPOSE.rare)
      return invent(own) + syllable(own)
    },
    coinage(index, slot) {
      let source = index
      own.reseed(source, PURPOSE.coinage + slot)
      while (source > 0 && own.chance(REPEATED_COINAGE_SHARE)) {
        source = own.below(source)
        own.reseed(source, PURPOSE.coinage)
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

/** By frequency: plain words first, then inflections and compounds of them mixed with invented words. */
function commonWords(dice: Dice): readonly string[] {
  const words = new Set(WORDS)
  const plain = [...words]
  while (words.size < COMMON_WORDS) {
    const kind = dice.fraction()
    if (kind < 0.35) words.add(dice.pick(plain) + dice.pick(INFLECTIONS))
    else if (kind < 0.5) words.add(dice.pick(plain) + dice.pick(plain))
    else words.add(invent(dice))
  }
  return [...words]
}

/** The search table has one entry per 1/1024 of the total weight. */
const SEARCH_STEPS = 1024

/** Start of the binary search for each step. */
function searchTable(cumulative: Float64Array): Uint32Array {
  const whole = cumulative.at(-1)!
  const starts = new Uint32Array(SEARCH_STEPS + 1)
  let place = 0
  for (let step = 0; step <= SEARCH_STEPS; step++) {
    while (place < cumulative.length - 1 && cumulative[place]! < (step / SEARCH_STEPS) * whole) place++
    starts[step] = place
  }
  return starts
}

function firstAbove(cumulative: Float64Array, starts: Uint32Array, fraction: number): number {
  const target = fraction * cumulative.at(-1)!
  const step = Math.floor(fraction * SEARCH_STEPS)
  let low = starts[step]!
  let high = starts[step + 1]!
  while (low < high) {
    const middle = (low + high) >>> 1
    if (cumulative[middle]! < target) low = middle + 1
    else high = middle
  }
  return low
}
