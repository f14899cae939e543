/** A histogram of durations with buckets 1 % wide: quantiles are exact to 1 % at any scale. */
export type Histogram = {
  add(milliseconds: number): void
  /** The duration that this fraction did not exceed; NaN if empty. */
  quantile(fraction: number): number
  readonly count: number
}

const BUCKET_WIDTH = Math.log(1.01)
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
        if (seen >= wanted) return MIN_MS * Math.exp((at + 0.5) * BUCKET_WIDTH)
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
  return Math.floor(Math.log(within / MIN_MS) / BUCKET_WIDTH)
}
