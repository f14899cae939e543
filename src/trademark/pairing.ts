import { MAX_PAIRED_SCORE } from './score-weights.ts'
import { JOINED_SIMILARITY, type SearchWord, type Word } from './word-match.ts'

/** Longer marks, such as slogans, are compared by their first words. */
export const MAX_WORDS = 24

type Search = { readonly words: readonly SearchWord[]; readonly weights: readonly number[]; readonly weight: number }

/** Result of the last `pairWords`. Reused to avoid an allocation for each of the many marks of a search. */
export const paired = {
  /** Similarity of the words, 0 to 1. */
  alike: 0,
  /** Share of the weight in words that sound the same, 0 to 1. */
  heard: 0,
  /** Weight of the words of the search that the mark has. */
  matched: 0,
}

// Module-level scratch: a pairing never yields to another, and a search makes thousands of them.
const bestOfSearch = new Float64Array(MAX_WORDS)
const bestOfMark = new Float64Array(MAX_WORDS)
const heardOfSearch = new Uint8Array(MAX_WORDS)
const heardOfMark = new Uint8Array(MAX_WORDS)

/** Pairs each word with the most similar word of the other side, in any order, weighted by how rare the words are. */
export function pairWords(query: Search, words: readonly Word[]): void {
  const ofSearch = query.words.length
  const ofMark = Math.min(words.length, MAX_WORDS)
  bestOfSearch.fill(0, 0, ofSearch)
  heardOfSearch.fill(0, 0, ofSearch)
  for (let k = 0; k < ofMark; k++) {
    const word = words[k]!
    bestOfMark[k] = 0
    heardOfMark[k] = 0
    for (let i = 0; i < ofSearch; i++) {
      const likeness = word.likeness[i]!
      if (likeness > bestOfSearch[i]!) bestOfSearch[i] = likeness
      if (likeness > bestOfMark[k]!) bestOfMark[k] = likeness
      if (word.sounds[i] === true) heardOfSearch[i] = heardOfMark[k] = 1
    }
  }
  pairJoined(query.words, ofSearch, words, ofMark, bestOfSearch, heardOfSearch, bestOfMark, heardOfMark)
  pairJoined(words, ofMark, query.words, ofSearch, bestOfMark, heardOfMark, bestOfSearch, heardOfSearch)
  let matched = 0
  let heard = 0
  for (let i = 0; i < ofSearch; i++) {
    matched += query.weights[i]! * bestOfSearch[i]!
    heard += query.weights[i]! * heardOfSearch[i]!
  }
  paired.matched = matched
  let weight = 0
  for (let k = 0; k < ofMark; k++) {
    weight += words[k]!.weight
    matched += words[k]!.weight * bestOfMark[k]!
    heard += words[k]!.weight * heardOfMark[k]!
  }
  const both = query.weight + weight
  paired.alike = (MAX_PAIRED_SCORE * matched) / both
  paired.heard = (MAX_PAIRED_SCORE * heard) / both
}

type Spelled = { readonly token: string }

/** Pairs two adjacent words of one side with one word of the other: FACE BOOK and FACEBOOK. */
function pairJoined(
  apart: readonly Spelled[],
  count: number,
  joined: readonly Spelled[],
  ofJoined: number,
  bestApart: Float64Array,
  heardApart: Uint8Array,
  bestJoined: Float64Array,
  heardJoined: Uint8Array,
): void {
  for (let i = 0; i + 1 < count; i++) {
    const first = apart[i]!.token
    const second = apart[i + 1]!.token
    for (let k = 0; k < ofJoined; k++) {
      const word = joined[k]!.token
      if (word.length !== first.length + second.length || !word.startsWith(first) || !word.endsWith(second)) continue
      bestApart[i] = Math.max(bestApart[i]!, JOINED_SIMILARITY)
      bestApart[i + 1] = Math.max(bestApart[i + 1]!, JOINED_SIMILARITY)
      bestJoined[k] = Math.max(bestJoined[k]!, JOINED_SIMILARITY)
      heardApart[i] = heardApart[i + 1] = heardJoined[k] = 1
    }
  }
}
