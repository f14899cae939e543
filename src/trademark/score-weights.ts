/** Weights of the parts of a score; their sum is 1. The score bounds in `engine/format/marks` use the same weights. */
export const SCORE_WEIGHTS = { spelling: 0.74, sound: 0.2, prefix: 0.06 } as const
/** A pseudo mark (the Office's own reading of a mark) counts a little less than the mark itself. */
export const PSEUDO_MARK_WEIGHT = 0.99
/** Maximum score of marks compared word by word: the same words in another order are not the same mark. */
export const MAX_PAIRED_SCORE = 0.97
/** Score of a text contained in a longer one, before it is scaled by its share of the length. */
export const CONTAINMENT_WEIGHT = 0.9
/** Minimum sound score of marks with the same phonetic code. */
export const MIN_SAME_SOUND_SCORE = 0.7
/** Similarity of singular and plural. */
export const PLURAL_SIMILARITY = 0.97
/** Similarity of words that are pronounced the same. */
export const HOMOPHONE_SIMILARITY = 0.96
