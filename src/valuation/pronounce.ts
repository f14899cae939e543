import type { Words } from './words.ts'

/** How easily letters are said: the mean and the worst log probability of a letter after the two before it. */
export type Pronounceability = { mean: number; worst: number }

const EDGE = 26
const SIDE = 27
/** Enough to know English spelling; the tail of the list is names. */
const WORDS_READ = 40_000
const SMOOTHING = 0.2

/** A model of English spelling in letter triples, learned from the dictionary words of the list. */
export function createPronouncer(words: Words): (letters: Uint8Array, length: number) => Pronounceability {
  const odds = logOdds(words)
  const result = { mean: 0, worst: 0 }
  return (letters, length) => {
    let sum = 0
    let worst = 0
    let before = EDGE
    let last = EDGE
    for (let at = 0; at <= length; at++) {
      const letter = at < length ? letters[at]! : EDGE
      const odd = odds[(before * SIDE + last) * SIDE + letter]!
      sum += odd
      if (odd < worst) worst = odd
      before = last
      last = letter
    }
    result.mean = length === 0 ? 0 : sum / (length + 1)
    result.worst = length === 0 ? 0 : worst
    return result
  }
}

function logOdds(words: Words): Float32Array {
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
  for (let pair = 0; pair < counts.length; pair += SIDE) {
    let total = 0
    for (let letter = 0; letter < SIDE; letter++) total += counts[pair + letter]!
    for (let letter = 0; letter < SIDE; letter++) {
      counts[pair + letter] = Math.log((counts[pair + letter]! + SMOOTHING) / (total + SMOOTHING * SIDE))
    }
  }
  return counts
}
