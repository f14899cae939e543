import type { Words } from './words.ts'

/** How easily letters are said, by the log probability of a letter after the two before it. */
export type Pronounceability = {
  /** Over the whole, its beginning and its end counted in. */
  mean: number
  worst: number
  /** Without beginning and end: letters put there can only add to `hard` and take from the others. */
  readonly inside: {
    sum: number
    worst: number
    /** Letters that are unlikely where they stand. */
    hard: number
    /** By the one letter before only. */
    pairs: number
    worstPair: number
  }
}

const EDGE = 26
const SIDE = 27
/** Enough to know English spelling; the tail of the list is names. */
const WORDS_READ = 40_000
const SMOOTHING = 0.2
/** One in 150. */
const HARD = -5

/** A model of English spelling in letter pairs and triples: the log probability of each last letter. */
export type Spelling = { readonly pairs: Float32Array; readonly triples: Float32Array }

/** Learns from the dictionary words of the list. */
export function learnSpelling(words: Words): Spelling {
  const counts = countTriples(words)
  return { pairs: logOdds(pairsOf(counts)), triples: logOdds(counts) }
}

export function createPronouncer({
  pairs,
  triples,
}: Spelling): (letters: Uint8Array, length: number) => Pronounceability {
  const result: Pronounceability = { mean: 0, worst: 0, inside: { sum: 0, worst: 0, hard: 0, pairs: 0, worstPair: 0 } }
  const { inside } = result
  return (letters, length) => {
    let sum = 0
    let worst = 0
    let before = EDGE
    let last = EDGE
    inside.sum = inside.worst = inside.hard = inside.pairs = inside.worstPair = 0
    for (let at = 0; at <= length; at++) {
      const letter = at < length ? letters[at]! : EDGE
      const odd = triples[(before * SIDE + last) * SIDE + letter]!
      sum += odd
      if (odd < worst) worst = odd
      if (at > 0 && at < length) {
        const pairOdd = pairs[last * SIDE + letter]!
        inside.pairs += pairOdd
        if (pairOdd < inside.worstPair) inside.worstPair = pairOdd
      }
      if (at > 1 && at < length) {
        inside.sum += odd
        if (odd < inside.worst) inside.worst = odd
        if (odd < HARD) inside.hard++
      }
      before = last
      last = letter
    }
    result.mean = length === 0 ? 0 : sum / (length + 1)
    result.worst = length === 0 ? 0 : worst
    return result
  }
}

function countTriples(words: Words): Float32Array {
  const counts = new Float32Array(SIDE * SIDE * SIDE)
  const read = Math.min(WORDS_READ, words.text.length)
  for (let place = 0; place < read; place++) {
    const word = words.text[place]!
    if (words.inDictionary[place] === 0 || word.length < 3) continue
    let before = EDGE
    let last = EDGE
    for (let at = 0; at <= word.length; at++) {
      const letter = at < word.length ? word.charCodeAt(at) - 97 : EDGE
      counts[(before * SIDE + last) * SIDE + letter]! += 1
      before = last
      last = letter
    }
  }
  return counts
}

function pairsOf(triples: Float32Array): Float32Array {
  const pairs = new Float32Array(SIDE * SIDE)
  for (let triple = 0; triple < triples.length; triple++) pairs[triple % pairs.length]! += triples[triple]!
  return pairs
}

/** Counts of a letter after the same letters stand together; for each its share among these, as a log. */
function logOdds(counts: Float32Array): Float32Array {
  const odds = new Float32Array(counts.length)
  for (let from = 0; from < counts.length; from += SIDE) {
    let total = 0
    for (let letter = 0; letter < SIDE; letter++) total += counts[from + letter]!
    for (let letter = 0; letter < SIDE; letter++) {
      odds[from + letter] = Math.log((counts[from + letter]! + SMOOTHING) / (total + SMOOTHING * SIDE))
    }
  }
  return odds
}
