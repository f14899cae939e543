/** Where it is written down which payment was used for what. Shared by all instances that take the same money. */
export type Ledger = {
  /**
   * Takes a payment for a request, unless somebody else has it: one atomic step. The lease holds for `leaseMs`; whoever
   * finds a lease that has run out may go on where its owner stopped, if it is for the same request.
   */
  claim(claim: Claim): Promise<ClaimResult>
  /** Keeps the answer before it is paid for. False where the claim was lost to another owner meanwhile. */
  compute(key: string, owner: string, answer: StoredAnswer): Promise<boolean>
  /** It is paid: the answer may be given out, again and again. False where the claim was lost. */
  settle(key: string, owner: string, receipt: Receipt): Promise<boolean>
  /** Lets go of a payment that was not taken; it can be used again, for anything. */
  release(key: string, owner: string): Promise<void>
  /** Ends the lease at once: the outcome is not known, and the next who comes may find it out. */
  yield(key: string, owner: string): Promise<void>
  find(key: string): Promise<LedgerEntry | undefined>
  /** Those with an answer that is not known to be paid and whose lease has run out; oldest first. */
  unsettled(limit: number): Promise<readonly LedgerEntry[]>
  /** The latest, newest first. */
  list(limit: number): Promise<readonly LedgerEntry[]>
  close(): void
}

export type Claim = {
  readonly key: string
  readonly fingerprint: string
  /** Random; every later write is by this owner or not at all. */
  readonly owner: string
  readonly leaseMs: number
  /** For the books. */
  readonly details: PaymentDetails
  /** What is needed to settle it later, as the scheme wrote it. */
  readonly payment: string
}

export type PaymentDetails = {
  readonly scheme: string
  readonly payer: string
  readonly endpoint: string
  /** Millionths of a dollar. */
  readonly micros: bigint
}

export type ClaimResult =
  /** It is ours. With `answer` somebody had got so far before. */
  | { readonly won: true; readonly answer: StoredAnswer | undefined }
  /** Somebody has it, or had it. */
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
