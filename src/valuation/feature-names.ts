/**
 * The features of a name in three groups, each with its monotonic constraint: a higher feature never raises the value (-1),
 * never lowers it (1), or may do either (0). A hyphen or a digit changes only `length`, `hyphens` and `digits` (see label.ts),
 * which are all -1, so neither can raise the value.
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

/** Features of a name that is short or made of words (see `isReadByWords`). */
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
 * Features of the letters alone. A letter added at either end moves each of them only in the direction that never raises the
 * value, so a name read by its letters is never worth more than a part of it.
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

/** The index of each feature in the row. */
export const AT = Object.fromEntries(FEATURE_NAMES.map((name, at) => [name, at])) as Record<FeatureName, number>

/** The rarity if there is no word: above that of any word in the list. */
export const NO_WORD_RARITY = 16
/** The row before any feature is written. */
export const BLANK = new Float64Array(FEATURE_NAMES.length)
for (const name of ['wholeWordRarity', 'rarestWord', 'meanRarity', 'firstRarity', 'lastRarity'] as const) {
  BLANK[AT[name]] = NO_WORD_RARITY
}
BLANK[AT.shape] = -1
