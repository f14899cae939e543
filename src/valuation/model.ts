import { AT, BLANK, FEATURE_NAMES, LETTER_FEATURES, WORD_FEATURES, type FeatureName } from './feature-names.ts'
import type { Effects } from './features.ts'
import { settleTrees } from './settle.ts'
import { plantForest, plantTrees, type Ensemble, type Forest, type StoredTrees } from './trees.ts'
import type { Words } from './word-list.ts'

/** Names apart by a space, and for each its effect in log price and how often it was seen (log of 1 + count). */
type StoredEffects = {
  readonly names: string
  readonly effect: readonly number[]
  readonly seen: readonly number[]
}

/** Straight lines between points, flat beyond the first and the last. */
export type Points = readonly (readonly [at: number, value: number])[]

/** Trees and calibration of one question: what does a sale bring, knowing or not knowing how it came about. */
export type StoredMarket = {
  readonly tlds: StoredEffects
  readonly words: StoredEffects
  readonly venues: Readonly<Record<string, number>>
  /** The median of each feature, by either way of reading. It makes the evaluation quick and has no part in an answer. */
  readonly usual: { readonly byWords: readonly number[]; readonly byLetters: readonly number[] }
  /** Log price: the middle, and the ends of the band. */
  readonly price: StoredTrees
  readonly low: StoredTrees
  readonly high: StoredTrees
  /** Log odds that a sale falls within twice and half of the middle. */
  readonly confidence: StoredTrees
  readonly calibration: {
    /**
     * Added to the ends of the band, by what the price trees say, so that it holds as often as promised for cheap and
     * dear names alike; and to the middle of the dearest, which trees that average over many names put too low.
     */
    readonly low: Points
    readonly middle: Points
    readonly high: Points
    /** What the trees say, and how often it came true. */
    readonly confidence: Points
  }
}

export type ModelFile = {
  readonly id: string
  readonly date: string
  readonly rows: { readonly trained: number; readonly names: number; readonly heldOut: number }
  readonly features: readonly string[]
  /** Venue unknown: what the API answers with. */
  readonly open: StoredMarket
  /** Venue, market and year known. */
  readonly known: StoredMarket
  readonly liquidity: StoredTrees
  /** The last year of each market that is in the sales. */
  readonly latest: { readonly auction: number; readonly retail: number }
  readonly heldOut: unknown
  /** Which names the model was trained on, as a filter that tells a stranger from a name seen; it holds no names. */
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

/** The sums that `prices` writes: log prices, and the log odds that the name is one that sells. */
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
    prices: plantPrices([stored.price, stored.low, stored.high, liquidity], stored.usual),
    confidence: plantTrees(stored.confidence, stored.usual.byWords),
    calibration: stored.calibration,
  }
}

/** A name is read by its words or by its letters, so each way of reading has its own, smaller forest. */
function plantPrices(trees: readonly StoredTrees[], usual: StoredMarket['usual']): Forest {
  const without = (features: readonly FeatureName[], lettersOnly: 0 | 1, usualRow: readonly number[]) => {
    const settled = new Map(features.map((name) => [AT[name], BLANK[AT[name]]!]))
    settled.set(AT.lettersOnly, lettersOnly)
    return plantForest(
      trees.map((some) => settleTrees(some, settled)),
      usualRow,
    )
  }
  const byWords = without(LETTER_FEATURES, 0, usual.byWords)
  const byLetters = without(WORD_FEATURES, 1, usual.byLetters)
  return (row, sums) => (row[AT.lettersOnly] === 1 ? byLetters(row, sums) : byWords(row, sums))
}

const namesOf = ({ names }: StoredEffects) => (names === '' ? [] : names.split(' '))
