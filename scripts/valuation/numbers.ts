/** Rounds to 5 decimals for the model file; training continues with the rounded values. */
export const round = (number: number) => Math.round(number * 1e5) / 1e5

/** The weighted quantile `at`: the smallest value such that at least this share of the weight is not above it. */
export function weightedQuantile(values: Float64Array, weights: Float64Array | null, at: number): number {
  if (values.length === 0) return 0
  if (weights === null) {
    const sorted = values.toSorted()
    return sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(at * sorted.length) - 1))]!
  }
  const order = Uint32Array.from(values, (_, index) => index).sort((a, b) => values[a]! - values[b]!)
  let total = 0
  for (const weight of weights) total += weight
  let sofar = 0
  for (const index of order) {
    sofar += weights[index]!
    if (sofar >= at * total) return values[index]!
  }
  return values[order.at(-1)!]!
}
