import { MAX_LABEL_LENGTH, type LabelParts } from './label.ts'
import { MAX_WORD_LENGTH, type Words } from './word-list.ts'

/** How much the words of a label speak against letters drawn at random (see `Words.evidence`). */
export type Evidence = {
  /** All words that fit beside one another, hyphens and digits aside. */
  whole: number
  /** Those between two breaks only: less where a hyphen or a digit cuts a word. */
  within: number
  /** The strongest of these alone: a label says no more by saying its words twice. */
  strongestWithin: number
}

/** The most that words speak for a label. The answer is valid until the next call. */
export function createEvidence(words: Words): (parts: LabelParts) => Evidence {
  const size = MAX_LABEL_LENGTH + 2
  const whole = new Float64Array(size)
  const within = new Float64Array(size)
  const found = new Int32Array(size + MAX_WORD_LENGTH)
  const result: Evidence = { whole: 0, within: 0, strongestWithin: 0 }
  return ({ letters, letterCount, breaks }) => {
    whole.fill(0, 0, letterCount + 1)
    within.fill(0, 0, letterCount + 1)
    result.strongestWithin = 0
    for (let from = 0; from < letterCount; from++) {
      const sofar = whole[from]!
      const sofarWithin = within[from]!
      if (sofar > whole[from + 1]!) whole[from + 1] = sofar
      if (sofarWithin > within[from + 1]!) within[from + 1] = sofarWithin
      const end = words.findAll(letters, from, letterCount, found)
      let isCut = false
      for (let to = from + 1; to <= end; to++) {
        if (to > from + 1 && breaks[to - 1] === 1) isCut = true
        const place = found[to]!
        if (place < 0) continue
        const speaks = words.evidence[place]!
        if (sofar + speaks > whole[to]!) whole[to] = sofar + speaks
        if (isCut) continue
        if (sofarWithin + speaks > within[to]!) within[to] = sofarWithin + speaks
        if (speaks > result.strongestWithin) result.strongestWithin = speaks
      }
    }
    result.whole = whole[letterCount]!
    result.within = within[letterCount]!
    return result
  }
}
