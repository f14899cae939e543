/** Records which payment was used for which request. Shared by all instances that accept the same payments. */
export type Ledger = {
  /**
   * Claims a payment for a request, in one atomic step; fails if another owner holds it. The lease lasts `leaseMs`. After
   * it has expired, another owner may claim the payment, and continues with a saved answer if the request is the same.
   */
  claim(claim: Claim): Promise<ClaimResult>
  /** Saves the answer before the payment is taken. False if another owner has claimed the payment meanwhile. */
  compute(key: string, owner: string, answer: StoredAnswer): Promise<boolean>
  /** Marks the payment as taken: its answer may be delivered, also repeatedly. False if the claim was lost. */
  settle(key: string, owner: string, receipt: Receipt): Promise<boolean>
  /** Deletes the entry of a payment that was not taken; it can be used again, for any request. */
  release(key: string, owner: string): Promise<void>
  /** Ends the lease at once. The outcome is unknown; the next claimant may find it out. */
  yield(key: string, owner: string): Promise<void>
  find(key: string): Promise<LedgerEntry | undefined>
  /** Entries with a saved answer, an unconfirmed payment and an expired lease; oldest first. */
  unsettled(limit: number): Promise<readonly LedgerEntry[]>
  /** The latest entries, newest first. */
  list(limit: number): Promise<readonly LedgerEntry[]>
  close(): void
}

export type Claim = {
  readonly key: string
  readonly fingerprint: string
  /** Random. Later writes succeed only for the owner of the claim. */
  readonly owner: string
  readonly leaseMs: number
  readonly details: PaymentDetails
  /** `Payment.stored`: what the scheme needs to settle it later. */
  readonly payment: string
}

/** For bookkeeping; not used to settle. */
export type PaymentDetails = {
  readonly scheme: string
  readonly payer: string
  readonly endpoint: string
  /** Millionths of a dollar. */
  readonly micros: bigint
}

export type ClaimResult =
  /** The claim succeeded. `answer` was saved by an earlier owner. */
  | { readonly won: true; readonly answer: StoredAnswer | undefined }
  /** Another owner holds the payment, or it is settled. */
  | { readonly won: false; readonly entry: LedgerEntry }

export type StoredAnswer = { readonly status: number; readonly body: string }
export type Receipt = { readonly transaction: string; readonly headers: readonly string[] }

export type LedgerEntry = {
  readonly key: string
  readonly fingerprint: string
  readonly state: 'claimed' | 'computed' | 'settled'
  /** Milliseconds since the epoch. */
  readonly leaseUntil: number
  readonly createdAt: number
  readonly details: PaymentDetails
  readonly payment: string
  readonly answer: StoredAnswer | undefined
  readonly receipt: Receipt | undefined
}
