/** Feature columns as bin numbers, with at most 256 bins. `edges[f][b]` is the upper edge of bin b of feature f. */
export type Binned = { readonly columns: readonly Uint8Array[]; readonly edges: readonly Float64Array[] }

const MAX_BINS = 255

export function binColumns(columns: readonly Float64Array[]): Binned {
  const edges = columns.map(edgesOf)
  return { edges, columns: columns.map((column, at) => Uint8Array.from(column, (value) => binOf(edges[at]!, value))) }
}

/** One bin per distinct value if there are few, otherwise bins of about equal size. */
function edgesOf(column: Float64Array): Float64Array {
  const sorted = column.toSorted()
  const distinct = sorted.filter((value, at) => at === 0 || value !== sorted[at - 1])
  if (distinct.length <= MAX_BINS) {
    return Float64Array.from(distinct, (value, at) =>
      at + 1 < distinct.length ? between(value, distinct[at + 1]!) : value,
    )
  }
  const chosen: number[] = []
  for (let bin = 1; bin <= MAX_BINS; bin++) {
    const edge = shorten(sorted[Math.min(sorted.length - 1, Math.floor((bin * sorted.length) / MAX_BINS))]!)
    if (chosen.length === 0 || edge > chosen.at(-1)!) chosen.push(edge)
  }
  return Float64Array.from(chosen)
}

/** A number with few digits between two values; otherwise their middle. */
function between(low: number, high: number): number {
  const middle = (low + high) / 2
  const short = shorten(middle)
  return short >= low && short < high ? short : middle
}

const shorten = (value: number) => Math.round(value * 1e4) / 1e4

function binOf(edges: Float64Array, value: number): number {
  let low = 0
  let high = edges.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if (value <= edges[middle]!) high = middle
    else low = middle + 1
  }
  return low
}
