/** The candidate a typing mistake away from `word`, or undefined where none is near enough to be worth a guess. */
export function closestMatch(word: string, candidates: Iterable<string>): string | undefined {
  let best: string | undefined
  let bestDistance = Infinity
  for (const candidate of candidates) {
    const allowed = Math.max(1, Math.floor(Math.max(word.length, candidate.length) / 3))
    const far = editDistance(word, candidate)
    if (far <= allowed && far < bestDistance) [best, bestDistance] = [candidate, far]
  }
  return best
}

/** Insertions, deletions, replacements and swaps of neighbours between two words (optimal string alignment). */
function editDistance(from: string, to: string): number {
  // What a person typed by mistake is short; anything longer is not worth the quadratic work.
  if (Math.abs(from.length - to.length) > 8 || from.length > 80) return Infinity
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
