/** The probability that two random sales are ranked in the right order; equal estimates count half. */
export function rankScore(estimates: Float64Array, prices: Float64Array): number {
  const order = Uint32Array.from(estimates, (_, at) => at).sort((a, b) => prices[a]! - prices[b]!)
  const ranks = ranksOf(estimates)
  const size = estimates.length + 2
  const tree = new Float64Array(size)
  const add = (at: number) => {
    for (let node = at + 1; node < size; node += node & -node) tree[node]! += 1
  }
  const countUpTo = (at: number) => {
    let sum = 0
    for (let node = at + 1; node > 0; node -= node & -node) sum += tree[node]!
    return sum
  }
  let right = 0
  let pairs = 0
  let below = 0
  for (let from = 0; from < order.length;) {
    let to = from
    while (to < order.length && prices[order[to]!] === prices[order[from]!]) to++
    for (let at = from; at < to; at++) {
      const rank = ranks[order[at]!]!
      const under = rank === 0 ? 0 : countUpTo(rank - 1)
      right += under + (countUpTo(rank) - under) / 2
      pairs += below
    }
    for (let at = from; at < to; at++) add(ranks[order[at]!]!)
    below += to - from
    from = to
  }
  return pairs === 0 ? 0.5 : right / pairs
}

function ranksOf(values: Float64Array): Uint32Array {
  const distinct = values.toSorted().filter((value, at, all) => at === 0 || value !== all[at - 1])
  const place = new Map(Array.from(distinct, (value, at) => [value, at]))
  return Uint32Array.from(values, (value) => place.get(value)!)
}

/** Half of all sales are within this factor of the estimate: exp of the median absolute error of the log price. */
export function medianFactor(logEstimates: Float64Array, logPrices: Float64Array): number {
  const errors = logEstimates.map((estimate, at) => Math.abs(estimate - logPrices[at]!)).sort()
  return errors.length === 0 ? 1 : Math.exp(errors[Math.floor(errors.length / 2)]!)
}

export const isWithinTwo = (logEstimate: number, logPrice: number) => Math.abs(logEstimate - logPrice) <= Math.LN2

export type CalibrationBin = {
  readonly from: number
  readonly to: number
  readonly count: number
  readonly said: number
  readonly happened: number
}

/** Ten bins of confidence: the mean confidence and the actual share of hits. */
export function calibrationBins(confidence: Float64Array, hits: Uint8Array): CalibrationBin[] {
  return Array.from({ length: 10 }, (_, bin) => {
    const members = Array.from(confidence.keys()).filter((at) => Math.min(9, Math.floor(confidence[at]! * 10)) === bin)
    const mean = (of: (at: number) => number) =>
      members.reduce((sum, at) => sum + of(at), 0) / Math.max(1, members.length)
    return {
      from: bin / 10,
      to: (bin + 1) / 10,
      count: members.length,
      said: mean((at) => confidence[at]!),
      happened: mean((at) => hits[at]!),
    }
  })
}

/** The mean distance between confidence and actual share, weighted by bin size. */
export function calibrationError(bins: readonly CalibrationBin[]): number {
  const total = bins.reduce((sum, { count }) => sum + count, 0)
  return (
    bins.reduce((sum, { count, said, happened }) => sum + count * Math.abs(said - happened), 0) / Math.max(1, total)
  )
}
