import { createEvidence, type Evidence } from './evidence.ts'
import { emptyParts, parseLabel, type LabelParts } from './label.ts'
import { createPronouncer, learnSpelling, type Pronounceability } from './pronounce.ts'
import { createSegmenter, type Segmentation } from './segmentation.ts'
import type { Words } from './word-list.ts'

/** A domain split for the model: the registered label and the suffix after its dot. */
export type Name = { readonly label: string; readonly tld: string }

/** The analysis of one label. Valid until the same reader looks at the next one. */
export type Sight = {
  readonly parts: LabelParts
  readonly pieces: Segmentation
  readonly spelling: Pronounceability
  /** Computed on the first call: most names are clear without it. */
  readonly evidence: () => Evidence
}

export type Reader = {
  readonly words: Words
  look(label: string): Sight
  /** Creates a reader of the same words with buffers of its own, so that results of this one stay valid. */
  another(): Reader
}

export function createReader(words: Words, spelling = learnSpelling(words)): Reader {
  const segment = createSegmenter(words)
  const pronounce = createPronouncer(spelling)
  const parts = emptyParts()
  const computeEvidence = createEvidence(words)
  let cached: Evidence | null = null
  const evidence = () => (cached ??= computeEvidence(parts))
  return {
    words,
    look(label) {
      parseLabel(label, parts)
      cached = null
      return {
        parts,
        pieces: segment(parts.letters, parts.letterCount),
        spelling: pronounce(parts.letters, parts.letterCount),
        evidence,
      }
    },
    another: () => createReader(words, spelling),
  }
}

/** Names up to this number of letters are compared with each of their parts: there are few, and every letter matters. */
export const MAX_SHORT_NAME_LENGTH = 4
/** Words of one letter, `a` and `i`, occur in random letters, too. */
const MIN_WORD_LENGTH = 2

/** Whether the features of its words describe a name; otherwise those of its letters do. */
export const isReadByWords = (sight: Sight) => sight.parts.letterCount <= MAX_SHORT_NAME_LENGTH || isMadeOfWords(sight)

/** Whether all letters belong to known words of two letters or more, and no word is repeated right after itself. */
export function isMadeOfWords({ pieces }: Sight): boolean {
  for (let at = 0; at < pieces.count; at++) {
    const place = pieces.places[at]!
    if (place < 0 || pieces.ends[at]! - pieces.starts[at]! < MIN_WORD_LENGTH) return false
    if (at > 0 && place === pieces.places[at - 1]) return false
  }
  return pieces.count > 0
}
