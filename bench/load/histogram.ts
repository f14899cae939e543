/** Counts durations in buckets that are 1 % wide, so that a quantile is right to 1 % whatever the scale. */
export type Histogram = {
  add(milliseconds: number): void
  /** The duration that this fraction of all counted ones did not exceed; NaN where nothing was counted. */
  quantile(fraction: number): number
  readonly count: number
}

const WIDTH = Math.log(1.01)
const MIN_MS = 0.001
const MAX_MS = 120_000

export function createHistogram(): Histogram {
  const buckets = new Uint32Array(bucketOf(MAX_MS) + 1)
  let count = 0
  return {
    add(milliseconds) {
      buckets[bucketOf(milliseconds)]! += 1
      count += 1
    },
    quantile(fraction) {
      const wanted = Math.max(1, Math.ceil(count * fraction))
      let seen = 0
      for (let at = 0; at < buckets.length; at++) {
        seen += buckets[at]!
        if (seen >= wanted) return MIN_MS * Math.exp((at + 0.5) * WIDTH)
      }
      return Number.NaN
    },
    get count() {
      return count
    },
  }
}

function bucketOf(milliseconds: number): number {
  const within = Math.min(Math.max(milliseconds, MIN_MS), MAX_MS)
  return Math.floor(Math.log(within / MIN_MS) / WIDTH)
}
