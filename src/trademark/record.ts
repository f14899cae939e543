/** A day as a whole number: 20260115 for 15 January 2026. */
export type Day = number

/** One record of the register as we store it. Texts are unchanged; an unknown date is null. */
export type TrademarkRecord = {
  /** Eight digits. */
  readonly serial: string
  /** Empty for a mark without words. */
  readonly mark: string
  /** Other spellings by the Office of how the mark sounds or reads. */
  readonly pseudoMarks: readonly string[]
  /** Three digits; see `statuses.ts`. */
  readonly status: string
  readonly statusDate: Day | null
  readonly filingDate: Day | null
  readonly registrationDate: Day | null
  /** Beginning of the latest term, not its end. */
  readonly renewalDate: Day | null
  /** When the register last changed the record; of two versions the later wins. */
  readonly transactionDate: Day
  /** The latest owner. */
  readonly owner: string
  readonly goods: string
  /** International classes: `009`, `A`, `200`. */
  readonly classes: readonly string[]
  readonly attorney: string
  /** The latest events, newest first, each `YYYY-MM-DD words`. */
  readonly history: readonly string[]
}
