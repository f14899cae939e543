export type Loss =
  | { readonly kind: 'squared' }
  | { readonly kind: 'quantile'; readonly at: number }
  | { readonly kind: 'logistic' }

export type BoostOptions = {
  readonly loss: Loss
  readonly trees: number
  readonly rate: number
  readonly leaves: number
  /** Maximum number of splits from root to leaf. */
  readonly depth: number
  readonly minLeafRows: number
  /** Share of the rows and of the features that each tree uses. */
  readonly rows: number
  readonly features: number
  readonly seed: number
  /** Monotonicity of each feature: -1, 0 or 1; see src/valuation/feature-names.ts. */
  readonly directions: readonly number[]
  /** Weight of each row; null for equal weights. */
  readonly weights: Float64Array | null
}
