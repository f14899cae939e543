/** Something of which there can be a thousand or a million: how it is built, and what is asked of it. */
export type Part = {
  /** Writes what the build reads; not measured. Returns the CPU time that the build spends on making up its input. */
  prepare?(size: number, folder: string): Promise<number | void> | number | void
  build(size: number, folder: string): Promise<Built> | Built
}

export type Built = {
  /** Each returns what one operation does; `at` differs from call to call. */
  readonly operations: Readonly<Record<string, (at: number) => unknown>>
  /** Of one measurement of each operation; fewer for slow ones. */
  readonly rounds?: number
  /** Files that were built. */
  readonly diskBytes?: number
  close?(): Promise<void> | void
}

export type Sample = {
  readonly size: number
  readonly buildCpuMs: number
  readonly wallMs: number
  /** What it holds in memory after a garbage collection, beside what the process had before. */
  readonly heldBytes: number
  readonly peakRssBytes: number
  readonly diskBytes: number | undefined
  /** CPU time of one operation, in microseconds. */
  readonly operations: Readonly<Record<string, number>>
}
