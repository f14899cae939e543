import { CATEGORY_OF } from './category.ts'
import { emptyParts, takeApart, type LabelParts } from './label.ts'
import { createPronouncer, type Pronounceability } from './pronounce.ts'
import { createSegmenter, type Segmentation } from './segmentation.ts'
import type { Words } from './words.ts'

/** A name as the model sees it: the registered label and everything after its dot. */
export type Name = { readonly label: string; readonly tld: string }

/**
 * Every number of a name that the models see, in order, and which way it may move a value: -1 never up, 1 never down,
 * 0 either way. A hyphen or a digit changes `length`, `hyphens` and `digits` and nothing else (see label.ts), so with
 * these three held down no model can pay for one.
 */
const DIRECTIONS = {
  length: -1,
  hyphens: -1,
  digits: -1,
  letters: -1,
  foreignLetters: -1,
  idn: -1,
  numericOnly: 0,
  words: 0,
  unknownLetters: -1,
  wholeWordRarity: -1,
  dictionaryWord: 1,
  rarestWord: 0,
  meanRarity: 0,
  firstRarity: 0,
  lastRarity: 0,
  firstLength: 0,
  lastLength: 0,
  costPerLetter: 0,
  spelling: 0,
  worstSpelling: 0,
  vowelShare: 0,
  consonantRun: 0,
  shape: 0,
  rareLetters: 0,
  distinctLetters: 0,
  ending: 0,
  dictionaryWords: 0,
  tradeWords: 0,
  tldLength: 0,
  tldDots: 0,
  tldEffect: 0,
  tldSeen: 0,
  isCom: 0,
  firstWordEffect: 0,
  lastWordEffect: 0,
  meanWordEffect: 0,
  wordsSeen: 0,
} as const satisfies Record<string, -1 | 0 | 1>

export type FeatureName = keyof typeof DIRECTIONS

export const FEATURE_NAMES = Object.keys(DIRECTIONS) as readonly FeatureName[]
export const FEATURE_DIRECTIONS: readonly (-1 | 0 | 1)[] = Object.values(DIRECTIONS)

/** The place of each feature in the row. */
export const AT = Object.fromEntries(FEATURE_NAMES.map((name, at) => [name, at])) as Record<FeatureName, number>

/** What sales taught about single TLDs and words: how far, in log price, they stand from other sales of their market. */
export type Effects = {
  readonly tlds: ReadonlyMap<string, readonly [effect: number, seen: number]>
  /** By place in the word list. */
  readonly words: Float32Array
  readonly wordsSeen: Float32Array
}

/** The name read once; valid until the next name is read. */
export type Sight = { readonly parts: LabelParts; readonly pieces: Segmentation; readonly spelling: Pronounceability }

export type Reader = {
  readonly words: Words
  look(label: string): Sight
}

export function createReader(words: Words): Reader {
  const segment = createSegmenter(words)
  const pronounce = createPronouncer(words)
  const parts = emptyParts()
  return {
    words,
    look(label) {
      takeApart(label, parts)
      return {
        parts,
        pieces: segment(parts.letters, parts.letterCount),
        spelling: pronounce(parts.letters, parts.letterCount),
      }
    },
  }
}

/** Dearer than any word of the list: stands where there is no word. */
const NO_WORD = 16
const VOWELS = letterSet('aeiouy')
const RARE_LETTERS = letterSet('jqvwxz')

/** The trade words as places in the list, once per list. */
function tradePlaces(words: Words): Uint8Array {
  const places = new Uint8Array(words.text.length)
  for (const word of CATEGORY_OF.keys()) {
    const place = words.place(word)
    if (place >= 0) places[place] = 1
  }
  return places
}

/** Writes the features of a name into `row`. */
export function createFeatures(reader: Reader, effects: Effects): (name: Name, row: Float64Array) => Sight {
  const { words } = reader
  const trades = tradePlaces(words)
  return ({ label, tld }, row) => {
    const sight = reader.look(label)
    const { parts, pieces, spelling } = sight
    const { letters, letterCount } = parts
    row[AT.length] = parts.length
    row[AT.hyphens] = parts.hyphens
    row[AT.digits] = parts.digits
    row[AT.letters] = letterCount
    row[AT.foreignLetters] = parts.foreign
    row[AT.idn] = parts.isIdn ? 1 : 0
    row[AT.numericOnly] = letterCount === 0 && parts.foreign === 0 ? 1 : 0

    row[AT.words] = pieces.count
    let unknown = 0
    let rarest = 0
    let sum = 0
    let dictionaryWords = 0
    let tradeWords = 0
    let effect = 0
    let seen = 0
    for (let at = 0; at < pieces.count; at++) {
      const place = pieces.places[at]!
      if (place < 0) {
        unknown += pieces.ends[at]! - pieces.starts[at]!
        rarest = NO_WORD
        sum += NO_WORD
        continue
      }
      const rarity = words.cost[place]!
      rarest = Math.max(rarest, rarity)
      sum += rarity
      dictionaryWords += words.inDictionary[place]!
      tradeWords += trades[place]!
      effect += effects.words[place]!
      seen += effects.wordsSeen[place]!
    }
    const count = Math.max(1, pieces.count)
    const first = pieces.count > 0 ? pieces.places[0]! : -1
    const last = pieces.count > 0 ? pieces.places[pieces.count - 1]! : -1
    row[AT.unknownLetters] = unknown
    row[AT.wholeWordRarity] = pieces.count === 1 && first >= 0 ? words.cost[first]! : NO_WORD
    row[AT.dictionaryWord] = pieces.count === 1 && first >= 0 ? words.inDictionary[first]! : 0
    row[AT.rarestWord] = pieces.count === 0 ? NO_WORD : rarest
    row[AT.meanRarity] = pieces.count === 0 ? NO_WORD : sum / count
    row[AT.firstRarity] = first >= 0 ? words.cost[first]! : NO_WORD
    row[AT.lastRarity] = last >= 0 ? words.cost[last]! : NO_WORD
    row[AT.firstLength] = pieces.count === 0 ? 0 : pieces.ends[0]! - pieces.starts[0]!
    row[AT.lastLength] = pieces.count === 0 ? 0 : pieces.ends[pieces.count - 1]! - pieces.starts[pieces.count - 1]!
    row[AT.costPerLetter] = pieces.cost / Math.max(1, letterCount)
    row[AT.dictionaryWords] = dictionaryWords
    row[AT.tradeWords] = tradeWords

    row[AT.spelling] = spelling.mean
    row[AT.worstSpelling] = spelling.worst
    let vowels = 0
    let run = 0
    let longestRun = 0
    let rareLetters = 0
    let used = 0
    let shape = 0
    for (let at = 0; at < letterCount; at++) {
      const letter = letters[at]!
      const isVowel = VOWELS[letter]!
      vowels += isVowel
      run = isVowel === 1 ? 0 : run + 1
      if (run > longestRun) longestRun = run
      rareLetters += RARE_LETTERS[letter]!
      used |= 1 << letter
      if (letterCount <= SHORT) shape = shape * 2 + isVowel
    }
    row[AT.vowelShare] = letterCount === 0 ? 0 : vowels / letterCount
    row[AT.consonantRun] = longestRun
    row[AT.shape] = letterCount <= SHORT ? shape : -1
    row[AT.rareLetters] = rareLetters
    row[AT.distinctLetters] = countBits(used)
    row[AT.ending] = endingOf(letters, letterCount)

    row[AT.tldLength] = tld.length
    row[AT.tldDots] = tld.includes('.') ? 1 : 0
    const known = effects.tlds.get(tld)
    row[AT.tldEffect] = known === undefined ? UNKNOWN_TLD : known[0]
    row[AT.tldSeen] = known === undefined ? 0 : known[1]
    row[AT.isCom] = tld === 'com' ? 1 : 0
    row[AT.firstWordEffect] = first >= 0 ? effects.words[first]! : 0
    row[AT.lastWordEffect] = last >= 0 ? effects.words[last]! : 0
    row[AT.meanWordEffect] = effect / count
    row[AT.wordsSeen] = seen / count
    return sight
  }
}

/** Up to this length the pattern of vowels and consonants is worth knowing (`abab`). */
const SHORT = 5
/** A TLD without a known sale stands a little below the others. */
const UNKNOWN_TLD = -0.3

/** The endings that make a brand or a plural, as a number: none 0, s 1, ing 2, er 3, ly 4, ify 5, o 6, a 7, y 8. */
function endingOf(letters: Uint8Array, count: number): number {
  if (count < 4) return 0
  const last = letters[count - 1]!
  const before = letters[count - 2]!
  const third = letters[count - 3]!
  if (last === 18) return 1
  if (last === 6 && before === 13 && third === 8) return 2
  if (last === 17 && before === 4) return 3
  if (last === 24) return before === 11 ? 4 : before === 5 && third === 8 ? 5 : 8
  return last === 14 ? 6 : last === 0 ? 7 : 0
}

function countBits(bits: number): number {
  let left = bits
  let count = 0
  while (left !== 0) {
    left &= left - 1
    count++
  }
  return count
}

function letterSet(text: string): Uint8Array {
  const set = new Uint8Array(26)
  for (const letter of text) set[letter.charCodeAt(0) - 97] = 1
  return set
}
