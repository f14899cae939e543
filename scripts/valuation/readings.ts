import { CONTEXT_FEATURES, writeContext } from '../../src/valuation/context.ts'
import { CONFIDENCE_FEATURES } from '../../src/valuation/estimate.ts'
import { AT, FEATURE_DIRECTIONS, FEATURE_NAMES } from '../../src/valuation/feature-names.ts'
import { createFeatures, type Features } from '../../src/valuation/features.ts'
import { isMadeOfWords, isReadByWords, type Reader } from '../../src/valuation/sight.ts'
import { learnEffects } from './effects.ts'
import { round } from './numbers.ts'
import type { Sale } from './sales.ts'
import { foldOf } from './split.ts'

export const NAMES = FEATURE_NAMES.length
export const ROW = NAMES + CONTEXT_FEATURES.length + CONFIDENCE_FEATURES
export const DIRECTIONS = [...FEATURE_DIRECTIONS, ...Array<number>(ROW - NAMES).fill(0)]
const EFFECT_FOLDS = 8

/** One way to compute the features of a sale: by words or by letters. */
export type Reading = { readonly sale: Sale; readonly byLetters: boolean }

/** How much one more letter lowers the log price, roughly. */
const EXTRA_LETTER_LOG_PRICE = 0.3

export const targetOf = ({ sale, byLetters }: Reading) => sale.logPrice - (byLetters ? EXTRA_LETTER_LOG_PRICE : 0)

/**
 * A short name is also read by its letters: it bounds the value of longer names that start or end with it (see
 * estimate.ts), which are worth less than the short name.
 */
export function readingsOf(sales: readonly Sale[], reader: Reader): Reading[] {
  return sales.flatMap((sale) => {
    const sight = reader.look(sale.name.label)
    const isShort = isReadByWords(sight) && !isMadeOfWords(sight)
    const once = { sale, byLetters: false }
    return isShort ? [once, { sale, byLetters: true }] : [once]
  })
}

export function writeReading(
  { sale, byLetters }: Reading,
  reader: Reader,
  features: Features,
  row: Float64Array,
): void {
  const { label, tld } = sale.name
  const write = byLetters ? features.writeByLetters : features.write
  write(reader.look(label), tld, row)
}

/**
 * The features of each sale. The effects of TLDs and words are learned from other folds, so that the price of a name does
 * not leak into its own features.
 */
export function trainingColumns(
  sales: readonly Sale[],
  readings: readonly Reading[],
  reader: Reader,
  contextKnown: boolean,
): Float64Array[] {
  const folds = Array.from({ length: EFFECT_FOLDS }, (_, fold) =>
    learnEffects(
      sales.filter(({ domain }) => foldOf(domain, EFFECT_FOLDS) !== fold),
      reader,
      contextKnown,
    ),
  )
  const features = folds.map((effects) => createFeatures(reader.words, effects))
  const columns = newColumns(readings.length)
  const row = new Float64Array(ROW)
  for (const [at, reading] of readings.entries()) {
    const { domain, context } = reading.sale
    const fold = foldOf(domain, EFFECT_FOLDS)
    writeReading(reading, reader, features[fold]!, row)
    if (contextKnown) writeContext(context, folds[fold]!.venues, row, NAMES)
    for (let feature = 0; feature < ROW; feature++) columns[feature]![at] = row[feature]!
  }
  return columns
}

export const newColumns = (rows: number) => Array.from({ length: ROW }, () => new Float64Array(rows))

/** The median of each feature, without the confidence features, among the names read this way. */
export function mediansOf(columns: readonly Float64Array[], lettersOnly: 0 | 1): number[] {
  const isMember = (_: number, at: number) => columns[AT.lettersOnly]![at] === lettersOnly
  return columns.slice(0, ROW - CONFIDENCE_FEATURES).map((column) => {
    const values = column.filter(isMember).sort()
    return round(values[values.length >> 1] ?? 0)
  })
}
