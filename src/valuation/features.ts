import { CATEGORY_OF } from './category.ts'
import { AT, BLANK, NO_WORD_RARITY } from './feature-names.ts'
import { writeLetters, writeSound } from './letters.ts'
import { isReadByWords, type Sight } from './sight.ts'
import type { Words } from './word-list.ts'

/** Learned effects of single TLDs and words: the mean difference in log price from other sales of the same market. */
export type Effects = {
  readonly tlds: ReadonlyMap<string, readonly [effect: number, seen: number]>
  /** Indexed by place in the word list. */
  readonly words: Float32Array
  readonly wordsSeen: Float32Array
}

/** Effect (log price) of a TLD without a known sale: slightly below average. */
const UNKNOWN_TLD_EFFECT = -0.3

/** A table of the word list with 1 for each word of the category taxonomy. */
function tradePlaces(words: Words): Uint8Array {
  const places = new Uint8Array(words.text.length)
  for (const word of CATEGORY_OF.keys()) {
    const place = words.place(word)
    if (place >= 0) places[place] = 1
  }
  return places
}

export type Features = {
  /** Writes the features of a name into `row`: those of its words if `isReadByWords`, otherwise those of its letters. */
  write(sight: Sight, tld: string, row: Float64Array): void
  /** Writes the features of the letters in any case. `more` is added to the length, as if neutral letters followed. */
  writeByLetters(sight: Sight, tld: string, row: Float64Array, more?: number): void
}

export function createFeatures(words: Words, effects: Effects): Features {
  const trades = tradePlaces(words)

  const writeCommon = ({ parts }: Sight, tld: string, row: Float64Array) => {
    row.set(BLANK)
    row[AT.length] = parts.length
    row[AT.hyphens] = parts.hyphens
    row[AT.digits] = parts.digits
    row[AT.letters] = parts.letterCount
    row[AT.foreignLetters] = parts.foreign
    row[AT.idn] = parts.isIdn ? 1 : 0
    row[AT.tldLength] = tld.length
    row[AT.tldDots] = tld.includes('.') ? 1 : 0
    const known = effects.tlds.get(tld)
    row[AT.tldEffect] = known === undefined ? UNKNOWN_TLD_EFFECT : known[0]
    row[AT.tldSeen] = known === undefined ? 0 : known[1]
    row[AT.isCom] = tld === 'com' ? 1 : 0
  }

  const writeWords = ({ parts, pieces }: Sight, row: Float64Array) => {
    row[AT.numericOnly] = parts.letterCount === 0 && parts.foreign === 0 ? 1 : 0
    row[AT.words] = pieces.count
    if (pieces.count === 0) return
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
        rarest = NO_WORD_RARITY
        sum += NO_WORD_RARITY
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
    const { count } = pieces
    const first = pieces.places[0]!
    const last = pieces.places[count - 1]!
    row[AT.unknownLetters] = unknown
    row[AT.rarestWord] = rarest
    row[AT.meanRarity] = sum / count
    row[AT.firstLength] = pieces.ends[0]! - pieces.starts[0]!
    row[AT.lastLength] = pieces.ends[count - 1]! - pieces.starts[count - 1]!
    row[AT.costPerLetter] = pieces.cost / parts.letterCount
    row[AT.dictionaryWords] = dictionaryWords
    row[AT.tradeWords] = tradeWords
    row[AT.meanWordEffect] = effect / count
    row[AT.wordsSeen] = seen / count
    if (first >= 0) {
      row[AT.firstRarity] = words.cost[first]!
      row[AT.firstWordEffect] = effects.words[first]!
      if (count === 1) {
        row[AT.wholeWordRarity] = words.cost[first]!
        row[AT.dictionaryWord] = words.inDictionary[first]!
      }
    }
    if (last >= 0) {
      row[AT.lastRarity] = words.cost[last]!
      row[AT.lastWordEffect] = effects.words[last]!
    }
  }

  return {
    write(sight, tld, row) {
      writeCommon(sight, tld, row)
      if (isReadByWords(sight)) {
        writeWords(sight, row)
        writeSound(sight, row)
      } else writeLetters(sight, row)
    },
    writeByLetters(sight, tld, row, more = 0) {
      writeCommon(sight, tld, row)
      writeLetters(sight, row)
      row[AT.length]! += more
      row[AT.letters]! += more
    },
  }
}
