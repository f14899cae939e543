/** What a record system knows of a record right now; null where it does not say. */
export type CaseStatus = {
  /** Status in words. */
  readonly status: string | null
  readonly isLive: boolean | null
  readonly owner: string | null
  /** Empty where there is none. */
  readonly attorney: string | null
  /** When it was last touched, `YYYY-MM-DD`. */
  readonly touched: string | null
  /** The latest events, newest first, each `YYYY-MM-DD words`. */
  readonly history: readonly string[]
  /** International classes: `009`. */
  readonly classes: readonly string[]
}

/** Whoever knows more, or fresher, than the files of the register. Implementations live in `sources/`. */
export type RecordSystem = {
  /** Null where it knows no such record. Throws UpstreamError where it cannot tell. */
  look(serial: string, signal: AbortSignal): Promise<CaseStatus | null>
}
