export type Loss =
  | { readonly kind: 'squared' }
  | { readonly kind: 'quantile'; readonly at: number }
  | { readonly kind: 'logistic' }

export type BoostOptions = {
  readonly loss: Loss
  readonly trees: number
  readonly rate: number
  readonly leaves: number
  /** Questions from root to leaf, at most. */
  readonly depth: number
  readonly smallestLeaf: number
  /** Share of rows and of features each tree sees. */
  readonly rows: number
  readonly features: number
  readonly seed: number
  /** For each feature -1, 0 or 1; see src/valuation/features.ts. */
  readonly directions: readonly number[]
  /** Counts a row more or less; all alike when null. */
  readonly weights: Float64Array | null
}
