import { JOINED, type SearchWord, type Word } from './words.ts'

/** Slogans are compared by their first words. */
export const MAX_WORDS = 24
/** Marks with the same words in another order or number are not the same mark. */
export const MAX_PAIRED = 0.97

type Search = { readonly words: readonly SearchWord[]; readonly weights: readonly number[]; readonly weight: number }

/** What was found out about the words paired last. One object, written anew each time: hundreds are compared per search. */
export const paired = {
  /** How alike they are, 0 to 1, and how much of that can be heard. */
  alike: 0,
  heard: 0,
  /** Weight of the words of the search that were found again. */
  matched: 0,
}

const bestOfSearch = new Float64Array(MAX_WORDS)
const bestOfMark = new Float64Array(MAX_WORDS)
const heardOfSearch = new Uint8Array(MAX_WORDS)
const heardOfMark = new Uint8Array(MAX_WORDS)

/** Pairs each word with its best partner on the other side, whatever the order, and weighs by what the words tell. */
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
  paired.alike = (MAX_PAIRED * matched) / both
  paired.heard = (MAX_PAIRED * heard) / both
}

type Spelled = { readonly token: string }

/** Two neighbours of one side that are one word of the other: FACE BOOK, FACEBOOK. */
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
      bestApart[i] = Math.max(bestApart[i]!, JOINED)
      bestApart[i + 1] = Math.max(bestApart[i + 1]!, JOINED)
      bestJoined[k] = Math.max(bestJoined[k]!, JOINED)
      heardApart[i] = heardApart[i + 1] = heardJoined[k] = 1
    }
  }
}
