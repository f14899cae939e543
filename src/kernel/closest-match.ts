/** The candidate with the smallest edit distance from `word` ("did you mean"); undefined if none is close enough. */
export function closestMatch(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Infinity
  for (const candidate of candidates) {
    const allowed = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))
    const distance = editDistance(word, candidate)
    if (distance <= allowed && distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

const MAX_WORD_LENGTH = 80
const MAX_LENGTH_DIFFERENCE = 8

/** Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment). */
function editDistance(from: string, to: string): number {
  // The work is quadratic, and a mistyped word is short.
  if (Math.abs(from.length - to.length) > MAX_LENGTH_DIFFERENCE || from.length > MAX_WORD_LENGTH) return Infinity
  let beforePrevious: number[] = []
  let previous = Array.from({ length: to.length + 1 }, (_, at) => at)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1]
      let cost = Math.min(previous[j]! + 1, row[j - 1]! + 1, previous[j - 1]! + (same ? 0 : 1))
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      if (swapped) cost = Math.min(cost, beforePrevious[j - 2]! + 1)
      row.push(cost)
    }
    beforePrevious = previous
    previous = row
  }
  return previous[to.length]!
}
