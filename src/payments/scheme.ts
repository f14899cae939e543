import type { Hex } from '../kernel/hex.ts'
import type { Usd } from '../kernel/money.ts'
import type { SentTransaction } from './ledger.ts'

export type { Hex }

/** What one request costs, and what for. */
export type Offer = {
  /** Name of the endpoint. */
  readonly scope: string
  readonly description: string
  readonly price: Usd
  /** Absolute URL of the paid resource. */
  readonly url: string
  /** Hash of the parameters in the body; empty or missing if the URL has them all. */
  readonly bodyFingerprint?: string | undefined
  /** Digest of the request body (RFC 9530); undefined if the request has none. */
  readonly bodyDigest?: string | undefined
}

/** What one scheme contributes to a 402 response. */
export type PaymentChallenge = {
  /** Alternating names and values. */
  readonly headers: readonly string[]
  /** Members of the JSON body, without the surrounding braces. */
  readonly members: string
}

/**
 * A way to pay. `challenge` and `parse` run for unauthenticated requests, so they must be cheap and make no network
 * calls. `why` tells the client why its payment was refused.
 */
export type Scheme = {
  readonly id: 'x402' | 'mpp'
  /** Whether everything in a payment can be read on the chain after it is settled: a repeat then needs a token. */
  readonly isProofPublic?: boolean
  /** Why it cannot be paid with at the moment; undefined if it can. Absent if it always can. */
  whyNotReady?(): { readonly reason: string; readonly retryAfterSeconds: number } | undefined
  challenge(offer: Offer, why: string | undefined): PaymentChallenge
  /** The payment in the headers; undefined if they carry no payment of this scheme. Throws PaymentRefused. */
  parse(headers: RequestHeaders, offer: Offer): Payment | undefined
  /** Recreates a payment from its `stored` text; for recovery after a crash. */
  restore(stored: string): Payment
}

export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** One payment, signed by its payer. It buys one answer. */
export type Payment = {
  /** Unique to the payment, whichever way it is encoded. */
  readonly key: string
  readonly payer: string
  /** What it pays, if that can differ from the current price: an earlier offer may have been honoured. */
  readonly amount?: Usd
  /** Payments with the same slot exclude each other (one nonce of an account): one is worked on at a time. */
  readonly slot?: string
  /** What its payer calls it: a second payment of the payer under the same name is not taken. */
  readonly name?: string
  /** The transaction in which it was paid already: if the work fails, an answer is owed; the same payment buys it later. */
  readonly paidIn?: Hex
  /** Derived from the payer's signature: the key alone is public and proves nothing. */
  readonly proof: string
  /** Everything another process needs to settle or recover it. Never logged. */
  readonly stored: string
  /** End of its validity, in seconds since the epoch. */
  readonly expiresAt: number
  /** Whether its payer signed it. Makes no network calls. */
  isSigned(): Promise<boolean>
  /** Checks that it could be settled. Throws PaymentRefused, or UpstreamError if that cannot be determined. */
  verify(signal: AbortSignal): Promise<Verified>
  /**
   * Takes the payment. Throws PaymentRefused if it was not and will not be taken, UpstreamError if the outcome is
   * unknown: then `recover` finds it out later. `onSending` gets a transaction that we sign before it is sent; nothing is
   * sent if it throws.
   */
  settle(signal: AbortSignal, onSending?: OnSending): Promise<Settlement>
  /**
   * The outcome according to the chain; null if it was not taken and can still be settled. Throws like `settle`. `sent`
   * are hashes that `onSending` got: they are looked up first.
   */
  recover(signal: AbortSignal, sent?: readonly string[]): Promise<Settlement | null>
}

export type OnSending = (transaction: SentTransaction) => Promise<void>

export type Verified = {
  /** The payer's tokens, in millionths of a dollar; undefined if the money has moved already. */
  readonly balance: bigint | undefined
}

export type Settlement = {
  readonly transaction: Hex
  /** The receipt for the client: alternating names and values. */
  readonly headers: readonly string[]
}

/** Problem types of the `Payment` HTTP authentication scheme. */
export type PaymentProblem =
  | 'payment-required'
  | 'payment-insufficient'
  | 'payment-expired'
  | 'verification-failed'
  | 'malformed-credential'
  | 'invalid-challenge'

/** The payment is not taken. The message is sent to the client. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
  readonly problem: PaymentProblem

  constructor(problem: PaymentProblem, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.problem = problem
  }
}
