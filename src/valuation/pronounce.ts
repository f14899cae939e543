import { VOWELS } from './label.ts'
import type { Words } from './word-list.ts'

/** How pronounceable letters are, by the log probability of each letter after the two before it. */
export type Pronounceability = {
  /** Over all letters, including the beginning and the end. */
  mean: number
  worst: number
  /** Without beginning and end: letters added there can only raise `hard` and lower the others. */
  readonly inside: {
    sum: number
    worst: number
    /** Number of letters that are unlikely at their position. */
    hard: number
    /** By the preceding letter only. */
    pairs: number
    worstPair: number
    /**
     * Oddness of the oddest stretch: by pairs, by triples, and by consonants without vowels. Near 0 for most words, above
     * 15 for most random letters. The value of a whole is never less than that of a part.
     */
    stretch: number
  }
}

/** The symbol before the first and after the last letter; letters are 0 to 25. */
const EDGE = 26
const SYMBOLS = 27
/** Words to learn spelling from; the tail of the list is mostly names. */
const MAX_WORDS_LEARNED = 40_000
const SMOOTHING = 0.2
/** Log probability below which a letter is hard: about 1 in 150. */
const MAX_HARD_LOG_PROBABILITY = -5
/** Average oddness per letter above which a stretch counts as odd: between English words and random letters. */
const USUAL_PAIR_ODDNESS = 3
const USUAL_TRIPLE_ODDNESS = 3.2
/** A vowel cancels two consonants. Up to three consonants in a row are usual, and each further one adds to the oddness. */
const CONSONANTS_PER_VOWEL = 2
const MAX_USUAL_CONSONANTS = 3
const ODDNESS_PER_CONSONANT = 5

/** A model of English spelling: the log probability of each letter after one or two others. */
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
  const result: Pronounceability = {
    mean: 0,
    worst: 0,
    inside: { sum: 0, worst: 0, hard: 0, pairs: 0, worstPair: 0, stretch: 0 },
  }
  const { inside } = result
  return (letters, length) => {
    let sum = 0
    let worst = 0
    let before = EDGE
    let last = EDGE
    let pairStretch = 0
    let tripleStretch = 0
    let oddestPairs = 0
    let oddestTriples = 0
    let consonants = 0
    let mostConsonants = 0
    inside.sum = inside.worst = inside.hard = inside.pairs = inside.worstPair = 0
    for (let at = 0; at <= length; at++) {
      const letter = at < length ? letters[at]! : EDGE
      const odd = triples[(before * SYMBOLS + last) * SYMBOLS + letter]!
      sum += odd
      if (odd < worst) worst = odd
      if (at > 0 && at < length) {
        const pairOdd = pairs[last * SYMBOLS + letter]!
        inside.pairs += pairOdd
        if (pairOdd < inside.worstPair) inside.worstPair = pairOdd
        pairStretch -= pairOdd + USUAL_PAIR_ODDNESS
        if (pairStretch < 0) pairStretch = 0
        else if (pairStretch > oddestPairs) oddestPairs = pairStretch
      }
      if (at > 1 && at < length) {
        inside.sum += odd
        if (odd < inside.worst) inside.worst = odd
        if (odd < MAX_HARD_LOG_PROBABILITY) inside.hard++
        tripleStretch -= odd + USUAL_TRIPLE_ODDNESS
        if (tripleStretch < 0) tripleStretch = 0
        else if (tripleStretch > oddestTriples) oddestTriples = tripleStretch
      }
      if (at < length) {
        consonants += VOWELS[letter] === 1 ? -CONSONANTS_PER_VOWEL : 1
        if (consonants < 0) consonants = 0
        else if (consonants > mostConsonants) mostConsonants = consonants
      }
      before = last
      last = letter
    }
    result.mean = length === 0 ? 0 : sum / (length + 1)
    result.worst = length === 0 ? 0 : worst
    inside.stretch =
      oddestPairs + oddestTriples + ODDNESS_PER_CONSONANT * Math.max(0, mostConsonants - MAX_USUAL_CONSONANTS)
    return result
  }
}

function countTriples(words: Words): Float32Array {
  const counts = new Float32Array(SYMBOLS * SYMBOLS * SYMBOLS)
  const read = Math.min(MAX_WORDS_LEARNED, words.text.length)
  for (let place = 0; place < read; place++) {
    const word = words.text[place]!
    if (words.inDictionary[place] === 0 || word.length < 3) continue
    let before = EDGE
    let last = EDGE
    for (let at = 0; at <= word.length; at++) {
      const letter = at < word.length ? word.charCodeAt(at) - 97 : EDGE
      counts[(before * SYMBOLS + last) * SYMBOLS + letter]! += 1
      before = last
      last = letter
    }
  }
  return counts
}

function pairsOf(triples: Float32Array): Float32Array {
  const pairs = new Float32Array(SYMBOLS * SYMBOLS)
  for (let triple = 0; triple < triples.length; triple++) pairs[triple % pairs.length]! += triples[triple]!
  return pairs
}

/** Turns the counts of each group into log shares of the group. */
function logOdds(counts: Float32Array): Float32Array {
  const odds = new Float32Array(counts.length)
  for (let from = 0; from < counts.length; from += SYMBOLS) {
    let total = 0
    for (let letter = 0; letter < SYMBOLS; letter++) total += counts[from + letter]!
    for (let letter = 0; letter < SYMBOLS; letter++) {
      odds[from + letter] = Math.log((counts[from + letter]! + SMOOTHING) / (total + SMOOTHING * SYMBOLS))
    }
  }
  return odds
}
