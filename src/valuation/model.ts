import { AT, BLANK, FEATURE_NAMES, LETTER_FEATURES, WORD_FEATURES, type FeatureName } from './feature-names.ts'
import type { Effects } from './features.ts'
import { settleTrees } from './settle.ts'
import { compileForest, compileTrees, type Ensemble, type Forest, type StoredTrees } from './trees.ts'
import type { Words } from './word-list.ts'

/** Space-separated names, and for each its effect on the log price and how often it was seen, as log(1 + count). */
type StoredEffects = {
  readonly names: string
  readonly effect: readonly number[]
  readonly seen: readonly number[]
}

/** A piecewise linear function, constant beyond the first and the last point. */
export type Points = readonly (readonly [at: number, value: number])[]

/** Trees and calibration for sales with a known or an unknown context (see `ModelFile`). */
export type StoredMarket = {
  readonly tlds: StoredEffects
  readonly words: StoredEffects
  readonly venues: Readonly<Record<string, number>>
  /** The median of each feature, for names read by words and by letters. It affects speed, not results (see trees.ts). */
  readonly usual: { readonly byWords: readonly number[]; readonly byLetters: readonly number[] }
  /** Log price: the middle, and the ends of the band. */
  readonly price: StoredTrees
  readonly low: StoredTrees
  readonly high: StoredTrees
  /** Log odds that a sale brings between half and twice the middle. */
  readonly confidence: StoredTrees
  readonly calibration: {
    /**
     * Shifts of the predictions, by the prediction of the price trees. The ends are shifted so that the band covers its
     * promised share of sales at every price level; the middle is shifted for the most expensive names, which the trees
     * underestimate because leaves average over many names.
     */
    readonly low: Points
    readonly middle: Points
    readonly high: Points
    /** The predicted confidence, and how often such a prediction was right. */
    readonly confidence: Points
  }
}

export type ModelFile = {
  readonly id: string
  readonly date: string
  readonly rows: { readonly trained: number; readonly names: number; readonly heldOut: number }
  readonly features: readonly string[]
  /** Context unknown: the estimate of the API. */
  readonly open: StoredMarket
  /** Venue, market and year are known. */
  readonly known: StoredMarket
  readonly liquidity: StoredTrees
  /** The last year of each market in the training sales. */
  readonly latest: { readonly auction: number; readonly retail: number }
  readonly heldOut: unknown
  /** A Bloom filter of the training names. The names themselves cannot be read from it. */
  readonly seen: { readonly hashes: number; readonly bits: string }
}

export type MarketModel = {
  readonly effects: Effects
  readonly venues: ReadonlyMap<string, number>
  /** See PRICES. */
  readonly prices: Forest
  readonly confidence: Ensemble
  readonly calibration: StoredMarket['calibration']
}

/** Indexes of the sums that `prices` writes: log prices, and the log odds that the name is one that sells. */
export const PRICES = { mid: 0, low: 1, high: 2, liquidity: 3 } as const

export type Model = {
  readonly id: string
  readonly date: string
  readonly open: MarketModel
  readonly known: MarketModel
  readonly latest: ModelFile['latest']
}

export function readModel(file: ModelFile, words: Words): Model {
  if (file.features.join() !== FEATURE_NAMES.join()) {
    throw new Error(`The model ${file.id} was trained on other features; train it again.`)
  }
  return {
    id: file.id,
    date: file.date,
    open: readMarket(file.open, file.liquidity, words),
    known: readMarket(file.known, file.liquidity, words),
    latest: file.latest,
  }
}

export function readMarket(stored: StoredMarket, liquidity: StoredTrees, words: Words): MarketModel {
  const effects = {
    tlds: new Map(
      namesOf(stored.tlds).map((tld, at) => [tld, [stored.tlds.effect[at]!, stored.tlds.seen[at]!] as const]),
    ),
    words: new Float32Array(words.text.length),
    wordsSeen: new Float32Array(words.text.length),
  }
  for (const [at, word] of namesOf(stored.words).entries()) {
    const place = words.place(word)
    if (place < 0) continue
    effects.words[place] = stored.words.effect[at]!
    effects.wordsSeen[place] = stored.words.seen[at]!
  }
  return {
    effects,
    venues: new Map(Object.entries(stored.venues)),
    prices: compilePrices([stored.price, stored.low, stored.high, liquidity], stored.usual),
    confidence: compileTrees(stored.confidence, stored.usual.byWords),
    calibration: stored.calibration,
  }
}

/** Compiles two smaller forests: one for names read by their words, one for names read by their letters. */
function compilePrices(trees: readonly StoredTrees[], usual: StoredMarket['usual']): Forest {
  const without = (features: readonly FeatureName[], lettersOnly: 0 | 1, usualRow: readonly number[]) => {
    const settled = new Map(features.map((name) => [AT[name], BLANK[AT[name]]!]))
    settled.set(AT.lettersOnly, lettersOnly)
    return compileForest(
      trees.map((some) => settleTrees(some, settled)),
      usualRow,
    )
  }
  const byWords = without(LETTER_FEATURES, 0, usual.byWords)
  const byLetters = without(WORD_FEATURES, 1, usual.byLetters)
  return (row, sums) => (row[AT.lettersOnly] === 1 ? byLetters(row, sums) : byWords(row, sums))
}

const namesOf = ({ names }: StoredEffects) => (names === '' ? [] : names.split(' '))
