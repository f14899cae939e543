import type { Hex } from '../kernel/hex.ts'
import type { Usd } from '../kernel/money.ts'

export type { Hex }

/** What is for sale to one request. */
export type Offer = {
  /** The endpoint it is for. */
  readonly scope: string
  readonly description: string
  readonly price: Usd
  /** Absolute address of what is paid for. */
  readonly url: string
}

/** The parts of a 402 one protocol speaks through. */
export type PaymentChallenge = {
  /** Name, value, name, value. */
  readonly headers: readonly string[]
  /** Members of the body, as JSON without the braces around them. */
  readonly members: string
}

/**
 * A way to pay. Reading and inviting ask nobody: they are open to anybody, and must be cheap. `why` is a sentence for
 * the client whose payment was not taken.
 */
export type Scheme = {
  readonly id: 'x402' | 'mpp'
  challenge(offer: Offer, why: string | undefined): PaymentChallenge
  /** The payment among the headers; undefined where there is none of this kind. Throws PaymentRefused. */
  parse(headers: RequestHeaders, offer: Offer): Payment | undefined
  /** The payment again, from what it wrote down of itself in `stored`; for recovery after a crash. */
  restore(stored: string): Payment
}

export type RequestHeaders = Readonly<Record<string, string | string[] | undefined>>

/** One payment, signed by its payer, and good for one answer. */
export type Payment = {
  /** The same for the same payment however it is written; no two payments share one. */
  readonly key: string
  readonly payer: string
  /** The payer's signature, without which a key alone (who, and which of theirs) proves nothing. */
  readonly proof: string
  /** All that is needed to settle or recover it in another process. Never logged. */
  readonly stored: string
  /** Seconds since the epoch until when it can be settled. */
  readonly expiresAt: number
  /** Whether its payer signed it. Asks nobody outside. */
  isSigned(): Promise<boolean>
  /** Whether it would be good, without taking it. Throws PaymentRefused, or UpstreamError where that cannot be told. */
  verify(signal: AbortSignal): Promise<void>
  /**
   * Takes it. Throws PaymentRefused where it certainly was not and will not be taken, UpstreamError where that is not
   * known: then `recover` tells later.
   */
  settle(signal: AbortSignal): Promise<Settlement>
  /** What the chain says became of it; null where it was not taken and can be settled (again). Throws as `settle`. */
  recover(signal: AbortSignal): Promise<Settlement | null>
}

export type Settlement = {
  readonly transaction: Hex
  /** The receipt for the client: name, value, name, value. */
  readonly headers: readonly string[]
}

/** The words of the `Payment` authentication scheme for what can be wrong with a payment. */
export type PaymentProblem =
  | 'payment-required'
  | 'payment-insufficient'
  | 'payment-expired'
  | 'verification-failed'
  | 'malformed-credential'
  | 'invalid-challenge'

/** The payment is not taken; the message is for the client. */
export class PaymentRefused extends Error {
  override readonly name = 'PaymentRefused'
  readonly problem: PaymentProblem

  constructor(problem: PaymentProblem, message: string, options?: { cause?: unknown }) {
    super(message, options)
    this.problem = problem
  }
}
