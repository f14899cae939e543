import { MAX_LABEL_LENGTH } from './label.ts'
import { MAX_WORD_LENGTH, type Words } from './word-list.ts'

/** Letters split into words: piece k is letters[starts[k]..ends[k]), and `places[k]` is its place in the word list, or -1. */
export type Segmentation = {
  count: number
  readonly starts: Int32Array
  readonly ends: Int32Array
  readonly places: Int32Array
  /** Total cost: low for a few common words, high for letters that form no words. */
  cost: number
}

/** Cost of a run of letters that belong to no word: more than the rarest word, so that known words are preferred. */
const UNKNOWN_RUN_COST = 11
const UNKNOWN_LETTER_COST = 5

/** Splits letters into the most likely words (shortest path over word costs). The result is valid until the next call. */
export function createSegmenter(words: Words): (letters: Uint8Array, length: number) => Segmentation {
  const size = MAX_LABEL_LENGTH + 2
  const best = new Float64Array(size)
  const cameFrom = new Int32Array(size)
  const wordAt = new Int32Array(size)
  const inRun = new Float64Array(size)
  const runFrom = new Int32Array(size)
  const found = new Int32Array(size + MAX_WORD_LENGTH)
  const result: Segmentation = {
    count: 0,
    starts: new Int32Array(size),
    ends: new Int32Array(size),
    places: new Int32Array(size),
    cost: 0,
  }
  return (letters, length) => {
    best.fill(Infinity, 0, length + 1)
    inRun.fill(Infinity, 0, length + 1)
    best[0] = 0
    let whole = -1
    for (let from = 0; from < length; from++) {
      const costSoFar = best[from]!
      const end = words.findAll(letters, from, length, found)
      if (from === 0 && end === length) whole = found[length]!
      for (let to = from + 1; to <= end; to++) {
        const place = found[to]!
        if (place < 0) continue
        const cost = costSoFar + words.cost[place]!
        if (cost < best[to]!) {
          best[to] = cost
          cameFrom[to] = from
          wordAt[to] = place
        }
      }
      const next = from + 1
      const opened = costSoFar + UNKNOWN_RUN_COST + UNKNOWN_LETTER_COST
      const continued = inRun[from]! + UNKNOWN_LETTER_COST
      inRun[next] = Math.min(opened, continued)
      runFrom[next] = opened <= continued ? from : runFrom[from]!
      if (inRun[next] < best[next]!) {
        best[next] = inRun[next]
        cameFrom[next] = runFrom[next]
        wordAt[next] = -1
      }
    }
    // Letters that form one word stay one word, even if it is rare: `bean` is not `be` and `an`.
    if (whole >= 0) {
      best[length] = words.cost[whole]!
      cameFrom[length] = 0
      wordAt[length] = whole
    }
    result.cost = best[length]!
    let count = 0
    for (let to = length; to > 0; to = cameFrom[to]!) count++
    result.count = count
    for (let to = length, at = count - 1; to > 0; to = cameFrom[to]!, at--) {
      result.starts[at] = cameFrom[to]!
      result.ends[at] = to
      result.places[at] = wordAt[to]!
    }
    return result
  }
}
