/** Current data of a record; null if the system does not provide it. */
export type CaseStatus = {
  /** Status in words. */
  readonly status: string | null
  readonly isLive: boolean | null
  readonly owner: string | null
  /** Empty if there is no attorney. */
  readonly attorney: string | null
  /** Day of the last change, `YYYY-MM-DD`. */
  readonly touched: string | null
  /** The latest events, newest first, each `YYYY-MM-DD words`. */
  readonly history: readonly string[]
  /** International classes: `009`. */
  readonly classes: readonly string[]
}

/** A service with more recent data than the imported files. Implementations live in `sources/`. */
export type RecordSystem = {
  /** Null if the system has no such record. Throws UpstreamError if the lookup fails. */
  lookUp(serial: string, signal: AbortSignal): Promise<CaseStatus | null>
}
