import { createEvidence, type Evidence } from './evidence.ts'
import { emptyParts, takeApart, type LabelParts } from './label.ts'
import { createPronouncer, learnSpelling, type Pronounceability } from './pronounce.ts'
import { createSegmenter, type Segmentation } from './segmentation.ts'
import type { Words } from './word-list.ts'

/** A name as the model sees it: the registered label and everything after its dot. */
export type Name = { readonly label: string; readonly tld: string }

/** The name read once; valid until the next name is read. */
export type Sight = {
  readonly parts: LabelParts
  readonly pieces: Segmentation
  readonly spelling: Pronounceability
  /** Looked for when it is asked for: most names are clear without. */
  readonly evidence: () => Evidence
}

export type Reader = {
  readonly words: Words
  look(label: string): Sight
  /** A reader of the same words with a working space of its own: what this one looks at stays valid. */
  another(): Reader
}

export function createReader(words: Words, spelling = learnSpelling(words)): Reader {
  const segment = createSegmenter(words)
  const pronounce = createPronouncer(spelling)
  const parts = emptyParts()
  const weigh = createEvidence(words)
  let weighed: Evidence | null = null
  const evidence = () => (weighed ??= weigh(parts))
  return {
    words,
    look(label) {
      takeApart(label, parts)
      weighed = null
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

/** Up to this length every letter counts, and there are few enough parts to compare a name with each. */
export const SHORT_NAME = 4
/** Words of one letter, `a` and `i`, are found in any letters. */
const MIN_WORD_LENGTH = 2

export const isReadByWords = (sight: Sight) => sight.parts.letterCount <= SHORT_NAME || isMadeOfWords(sight)

/** Every letter is part of a known word of two letters or more, and no word is said twice in a row. */
export function isMadeOfWords({ pieces }: Sight): boolean {
  for (let at = 0; at < pieces.count; at++) {
    const place = pieces.places[at]!
    if (place < 0 || pieces.ends[at]! - pieces.starts[at]! < MIN_WORD_LENGTH) return false
    if (at > 0 && place === pieces.places[at - 1]) return false
  }
  return pieces.count > 0
}
