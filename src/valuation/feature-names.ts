/**
 * Every number of a name that the models see, in three groups, and which way it may move a value: -1 never up, 1 never
 * down, 0 either way. A hyphen or a digit changes `length`, `hyphens` and `digits` and nothing else (see label.ts), so
 * with these three held down no model can pay for one.
 */
const ALWAYS = {
  length: -1,
  hyphens: -1,
  digits: -1,
  letters: -1,
  foreignLetters: -1,
  idn: -1,
  tldLength: 0,
  tldDots: 0,
  tldEffect: 0,
  tldSeen: 0,
  isCom: 0,
  lettersOnly: 0,
} as const satisfies Directions

/** Of a name that is made of words, or so short that every letter counts. */
const BY_WORDS = {
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
  firstWordEffect: 0,
  lastWordEffect: 0,
  meanWordEffect: 0,
  wordsSeen: 0,
} as const satisfies Directions

/**
 * Of the letters alone. A letter more at either end moves each of these one way only, and that way the models may not pay
 * for: so a name read by its letters is never worth more than a part of it.
 */
const BY_LETTERS = {
  insideSpelling: 1,
  worstInside: 1,
  hardLetters: -1,
  pairSpelling: 1,
  worstPair: 1,
  vowels: -1,
  consonants: -1,
  longestVowels: -1,
  longestConsonants: -1,
  rareLettersAlone: -1,
  distinctLettersAlone: -1,
} as const satisfies Directions

type Directions = Readonly<Record<string, -1 | 0 | 1>>

const DIRECTIONS = { ...ALWAYS, ...BY_WORDS, ...BY_LETTERS }

export type FeatureName = keyof typeof DIRECTIONS

export const FEATURE_NAMES = Object.keys(DIRECTIONS) as readonly FeatureName[]
export const FEATURE_DIRECTIONS: readonly (-1 | 0 | 1)[] = Object.values(DIRECTIONS)
export const WORD_FEATURES = Object.keys(BY_WORDS) as readonly FeatureName[]
export const LETTER_FEATURES = Object.keys(BY_LETTERS) as readonly FeatureName[]

/** The place of each feature in the row. */
export const AT = Object.fromEntries(FEATURE_NAMES.map((name, at) => [name, at])) as Record<FeatureName, number>

/** Dearer than any word of the list: stands where there is no word. */
export const NO_WORD = 16
/** A row of which nothing was read. */
export const BLANK = new Float64Array(FEATURE_NAMES.length)
for (const name of ['wholeWordRarity', 'rarestWord', 'meanRarity', 'firstRarity', 'lastRarity'] as const) {
  BLANK[AT[name]] = NO_WORD
}
BLANK[AT.shape] = -1
