/** A job for a load generator. */
export type Job = {
  readonly ask: 'drive'
  readonly port: number
  readonly connections: number
  readonly bodyLength: number
  /** At a constant rate, or at saturation for a time or a number of requests. */
  readonly load:
    | { readonly seconds: number; readonly rate: number }
    | { readonly seconds: number }
    | { readonly requests: number }
}

/** The figures of a job, or why it failed. */
export type Load =
  | { readonly failed: string }
  | {
      readonly requests: number
      readonly seconds: number
      readonly p50Ms: number
      readonly p99Ms: number
      /** Fraction of one processor that the generator used. */
      readonly busy: number
    }
