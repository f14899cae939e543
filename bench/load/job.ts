/** What a load generator is told to send. */
export type Job = {
  readonly ask: 'drive'
  readonly port: number
  readonly connections: number
  readonly bodyLength: number
  /** Evenly at a rate, or as much as the connections carry for a time or a number of requests. */
  readonly load:
    | { readonly seconds: number; readonly rate: number }
    | { readonly seconds: number }
    | { readonly requests: number }
}

/** What it measured, or why it failed. */
export type Load =
  | { readonly failed: string }
  | {
      readonly requests: number
      readonly seconds: number
      readonly p50Ms: number
      readonly p99Ms: number
      /** Part of one processor this process was busy. */
      readonly busy: number
    }
