/** Records which payment was used for which request. Shared by all instances that accept the same payments. */
export type Ledger = {
  /** Random, created with the ledger. Two instances share a ledger if it has the same id for both. */
  readonly id: string
  /**
   * Claims a payment for a request, in one atomic step; fails if another owner holds it. The lease lasts `leaseMs`. After
   * it has expired, another owner may claim the payment, and continues with a saved answer if the request is the same.
   * With `balance`, the same step checks that the payer can afford this payment besides all his open ones.
   */
  claim(claim: Claim): Promise<ClaimResult>
  /** Saves the answer before the payment is taken. False if another owner has claimed the payment meanwhile. */
  compute(key: string, owner: string, answer: StoredAnswer): Promise<boolean>
  /** Records a transaction of ours before it is sent. False if the claim was lost: then it must not be sent. */
  sending(key: string, owner: string, transaction: SentTransaction): Promise<boolean>
  /** Records a further transaction for a payment before it is sent: it replaces a stuck one, or one that the chain dropped. */
  resending(key: string, transaction: SentTransaction): Promise<void>
  /** Records what a transaction of ours has cost, in wei; 0 if it will never be in a block. */
  spent(hash: string, wei: bigint): Promise<void>
  /** Our transactions whose cost is not recorded yet; oldest first. */
  unpriced(limit: number): Promise<readonly UnpricedTransaction[]>
  /** Marks the payment as taken: its answer may be delivered, also repeatedly. False if the claim was lost. */
  settle(key: string, owner: string, receipt: Receipt): Promise<boolean>
  /** Deletes the entry of a payment that was not taken; it can be used again, for any request. */
  release(key: string, owner: string): Promise<void>
  /** Ends the lease at once. The outcome is unknown; the next claimant may find it out. */
  yield(key: string, owner: string): Promise<void>
  /** Records that the answer of a settled payment was written to its caller. */
  delivered(key: string): Promise<void>
  find(key: string): Promise<LedgerEntry | undefined>
  /** Key of the payment that was claimed under this name; undefined if the name is free. */
  findNamed(name: string): Promise<string | undefined>
  /** Entries with a saved answer, an unconfirmed payment and an expired lease; oldest first. */
  unsettled(limit: number): Promise<readonly LedgerEntry[]>
  /**
   * Settled entries whose transaction is due to be looked up again, because a reorganization of the chain can undo it.
   * Each is looked up twice in its first hour, by one caller each time: it is leased to the caller until `recheck`, or for
   * RECHECK_LEASE_MS if the caller crashes.
   */
  dueRechecks(limit: number): Promise<readonly LedgerEntry[]>
  /** Records what `dueRechecks` led to. After `unknown` the entry is due again. */
  recheck(key: string, outcome: RecheckOutcome): Promise<void>
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
  /**
   * The payer's tokens, in millionths of a dollar, read before this claim. The claim fails if they do not cover this
   * payment and the payer's open ones of this scheme, or if MAX_OPEN_PAYMENTS are open. Undefined skips the check.
   */
  readonly balance?: bigint | undefined
  /** Fails while another payment with the same slot is leased; see `Payment.slot`. */
  readonly slot?: string | undefined
  /** Fails if another payment under the same name is leased, computed or settled; see `Payment.name`. */
  readonly name?: string | undefined
  /** The transaction that made the payment before it was claimed. The entry is never pruned: an answer is owed. */
  readonly paidIn?: string | undefined
  /** SHA-256 of the token that the client chose, in hexadecimal: it holds even if a crash comes before the answer. */
  readonly tokenHash?: string | undefined
}

/** A transaction that we sign: it costs gas, whatever becomes of its payment. */
export type SentTransaction = { readonly hash: string; readonly sender: string; readonly nonce: number }

export type UnpricedTransaction = SentTransaction & { readonly sentAt: number }

/** Payments of one payer that may be claimed or computed at the same time. */
export const MAX_OPEN_PAYMENTS = 8
/** A balance may have been read from a node that did not know a settlement yet, so it stays reserved this long. */
export const SETTLED_RESERVE_MS = 10_000

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
  /** The payer has too little for his open payments and this one, too many open payments, or used its nonce or name. */
  | { readonly won: false; readonly entry: undefined; readonly shortOf: Shortage }

export type Shortage = 'balance' | 'open payments' | 'nonce' | 'name'

export type StoredAnswer = { readonly status: number; readonly body: string }
export type Receipt = {
  readonly transaction: string
  readonly headers: readonly string[]
  /** SHA-256 of the token that the first answer carries, in hexadecimal. */
  readonly tokenHash?: string | undefined
}

/** The transaction that holds the payment now; `lost` if there is none and the payment cannot be taken again. */
export type RecheckOutcome = { readonly transaction: string } | 'lost' | 'unknown'

/** The ages at which a settled entry is due to be looked up again, and the age after which it no longer is. */
export const RECHECK_AGES_MS = [60_000, 300_000] as const
export const MAX_RECHECK_AGE_MS = 3_600_000
export const RECHECK_LEASE_MS = 120_000

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
  /** `Claim.tokenHash`, or that of the receipt. */
  readonly tokenHash: string | undefined
  /** `Claim.paidIn`. */
  readonly paidIn: string | undefined
  /** Hashes of the transactions that were sent for it. */
  readonly sent: readonly string[]
  readonly settledAt: number | undefined
  /** When the answer was written to its caller. */
  readonly deliveredAt: number | undefined
  /** It was settled, but the chain dropped the transaction and the payment cannot be taken again. */
  readonly isLost: boolean
}
