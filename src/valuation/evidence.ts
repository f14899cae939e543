import { MAX_LABEL_LENGTH, type LabelParts } from './label.ts'
import { MAX_WORD_LENGTH, type Words } from './word-list.ts'

/** Log evidence of the words in a label against random letters (see `Words.evidence`). */
export type Evidence = {
  /** The best words that do not overlap, ignoring hyphens and digits. */
  whole: number
  /** Only words without a break inside: less than `whole` if a hyphen or a digit splits a word. */
  within: number
  /** The strongest single word of `within`. Repeating a word does not raise it. */
  strongestWithin: number
}

/** Finds the words with the most evidence (dynamic programming over the letters). The result is valid until the next call. */
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
      const wholeSoFar = whole[from]!
      const withinSoFar = within[from]!
      if (wholeSoFar > whole[from + 1]!) whole[from + 1] = wholeSoFar
      if (withinSoFar > within[from + 1]!) within[from + 1] = withinSoFar
      const end = words.findAll(letters, from, letterCount, found)
      let isCut = false
      for (let to = from + 1; to <= end; to++) {
        if (to > from + 1 && breaks[to - 1] === 1) isCut = true
        const place = found[to]!
        if (place < 0) continue
        const evidence = words.evidence[place]!
        if (wholeSoFar + evidence > whole[to]!) whole[to] = wholeSoFar + evidence
        if (isCut) continue
        if (withinSoFar + evidence > within[to]!) within[to] = withinSoFar + evidence
        if (evidence > result.strongestWithin) result.strongestWithin = evidence
      }
    }
    result.whole = whole[letterCount]!
    result.within = within[letterCount]!
    return result
  }
}
