import type { Effects } from '../../src/valuation/features.ts'
import type { Reader } from '../../src/valuation/sight.ts'
import type { Sale } from './sales.ts'

/** Shrinkage: with this many sales the effect of a group counts half. */
const SHRINKAGE_SALES = { tld: 15, word: 8, venue: 10 }

/** Groups with fewer sales are dropped: they say more about those sales than about the group. */
const MIN_SALES = 3

export type LearnedEffects = Effects & { readonly venues: ReadonlyMap<string, number> }

/**
 * The effect of each TLD and word on the log price, with small groups shrunk towards zero. With a known context it is
 * relative to sales of the same market and venue.
 */
export function learnEffects(sales: readonly Sale[], reader: Reader, contextKnown: boolean): LearnedEffects {
  const left = Float64Array.from(sales, ({ logPrice }) => logPrice)
  subtract(
    left,
    sales.map(({ context }) => [contextKnown ? context.market : 'any']),
    0,
  )
  const venuesOf = ({ context }: Sale) => (contextKnown && context.venue !== null ? [context.venue] : [])
  const venues = subtract(left, sales.map(venuesOf), SHRINKAGE_SALES.venue)
  const tlds = subtract(
    left,
    sales.map(({ name }) => [name.tld]),
    SHRINKAGE_SALES.tld,
  )
  const words = subtract(
    left,
    sales.map((sale) => knownPlaces(reader, sale)),
    SHRINKAGE_SALES.word,
  )
  const { text } = reader.words
  const effects = { words: new Float32Array(text.length), wordsSeen: new Float32Array(text.length) }
  for (const [place, { effect, seen }] of words) {
    if (seen < MIN_SALES) continue
    effects.words[place] = effect
    effects.wordsSeen[place] = short(Math.log1p(seen))
  }
  const withEnoughSales = <Key>(groups: Map<Key, Group>) => [...groups].filter(([, { seen }]) => seen >= MIN_SALES)
  return {
    ...effects,
    tlds: new Map(
      withEnoughSales(tlds).map(([tld, { effect, seen }]) => [tld, [effect, short(Math.log1p(seen))] as const]),
    ),
    venues: new Map(withEnoughSales(venues).map(([venue, { effect }]) => [venue, effect])),
  }
}

/** The tables in the format of the model file. */
export function storedEffects({ tlds, words, wordsSeen, venues }: LearnedEffects, text: readonly string[]) {
  const places = Array.from(words.keys()).filter((place) => wordsSeen[place]! > 0)
  return {
    tlds: {
      names: [...tlds.keys()].join(' '),
      effect: Array.from(tlds.values(), ([effect]) => effect),
      seen: Array.from(tlds.values(), ([, seen]) => seen),
    },
    words: {
      names: places.map((place) => text[place]!).join(' '),
      effect: places.map((place) => short(words[place]!)),
      seen: places.map((place) => short(wordsSeen[place]!)),
    },
    venues: Object.fromEntries(venues),
  }
}

type Group = { readonly effect: number; readonly seen: number }

const short = (number: number) => Math.round(number * 1e3) / 1e3

/** Cached, because every fold needs the words of every sale. */
const placesOfSale = new WeakMap<Sale, readonly number[]>()

function knownPlaces(reader: Reader, sale: Sale): readonly number[] {
  const found = placesOfSale.get(sale)
  if (found !== undefined) return found
  const { pieces } = reader.look(sale.name.label)
  const places = Array.from(pieces.places.subarray(0, pieces.count)).filter((place) => place >= 0)
  placesOfSale.set(sale, places)
  return places
}

/** Subtracts the effects of the groups from the residuals in `left`, and returns the effects. */
function subtract<Key>(left: Float64Array, groups: readonly (readonly Key[])[], shrinkage: number): Map<Key, Group> {
  const sums = new Map<Key, { sum: number; seen: number }>()
  for (const [row, keys] of groups.entries()) {
    for (const key of keys) {
      const group = sums.get(key) ?? { sum: 0, seen: 0 }
      sums.set(key, { sum: group.sum + left[row]!, seen: group.seen + 1 })
    }
  }
  const effects = new Map(
    Array.from(sums, ([key, { sum, seen }]) => [key, { effect: short(sum / (seen + shrinkage)), seen }]),
  )
  for (const [row, keys] of groups.entries()) {
    for (const key of keys) left[row]! -= effects.get(key)!.effect / keys.length
  }
  return effects
}
