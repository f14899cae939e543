/** The parts of a score; together 1. The bounds in `engine/format/marks` rely on the same weights. */
export const SCORE_WEIGHTS = { spelling: 0.74, sound: 0.2, prefix: 0.06 } as const
/** A pseudo mark (the Office's own reading of a mark) counts a little less than the mark itself. */
export const PSEUDO_MARK_WEIGHT = 0.99
/** Marks with the same words in another order or number are not the same mark. */
export const MAX_PAIRED_SCORE = 0.97
/** Of a text inside a longer one, before its share of the length counts. */
export const CONTAINMENT_WEIGHT = 0.9
/** The least sound score of marks with the same phonetic code. */
export const MIN_SAME_SOUND_SCORE = 0.7
/** Two words that differ only in number, and two that are pronounced the same. */
export const PLURAL_SIMILARITY = 0.97
export const HOMOPHONE_SIMILARITY = 0.96
