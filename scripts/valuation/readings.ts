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

/** One way to read the name of a sale. */
export type Reading = { readonly sale: Sale; readonly byLetters: boolean }

/** What a letter more takes off, about, as a share of the price (log). */
const LETTER_MORE = 0.3

export const targetOf = ({ sale, byLetters }: Reading) => sale.logPrice - (byLetters ? LETTER_MORE : 0)

/**
 * A short name is read by its letters, too: it teaches what the longer names that begin or end with it can be worth at
 * most (see estimate.ts), which is less than it is worth itself.
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
 * The features of each sale, with the effects of TLDs and words learned from other names only: a name must not be
 * explained by its own price.
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

/** The median of each feature but those of the confidence, among the names read this way. */
export function mediansOf(columns: readonly Float64Array[], lettersOnly: 0 | 1): number[] {
  const isMember = (_: number, at: number) => columns[AT.lettersOnly]![at] === lettersOnly
  return columns.slice(0, ROW - CONFIDENCE_FEATURES).map((column) => {
    const values = column.filter(isMember).sort()
    return round(values[values.length >> 1] ?? 0)
  })
}
