import type { Usd } from './money.ts'

/** A request for an endpoint that is paid, its parameters already checked. */
export type PaidRequest = {
  /** The endpoint's name; a payment is for one endpoint. */
  readonly endpoint: string
  /** What it is, in a line a wallet may show. */
  readonly description: string
  readonly price: Usd
  /** Absolute address of what is paid for, without what its caller made up. */
  readonly url: string
  /** Equal for requests that mean the same: a payment buys one of them. */
  readonly fingerprint: string
  /** Of the caller; names in lower case. Payments travel in some of them, so they are never logged. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly signal: AbortSignal
}

/** Does what is paid for. What it throws is thrown on, and never charged. */
export type Work = (signal: AbortSignal) => Promise<Product>

export type Product = {
  readonly status: number
  /** JSON. */
  readonly body: string
  /** False for an answer that failed or carries `error`: it is delivered, and the payment stays usable. */
  readonly isCharged: boolean
}

/** What goes over the wire. */
export type PaidAnswer = {
  readonly status: number
  /** Name, value, name, value. */
  readonly headers: readonly string[]
  /** JSON. */
  readonly body: string
  /** Whether this answer has been paid for. */
  readonly isSettled: boolean
}

/** Takes the money for a door. */
export type Paywall = {
  /**
   * Answers 402 to requests without a valid payment. With one, runs the work at most once at a time and delivers its
   * answer when it is paid, or without payment where the answer is not charged. `prepare` is called before money is
   * spoken of, unless the payment has already bought the answer; what it throws is thrown on. Throws ApiError
   * `service_unavailable` where nothing can be paid for.
   */
  serve(request: PaidRequest, prepare: () => Promise<Work>): Promise<PaidAnswer>
  /**
   * Whether the request carries one payment of the right amount whose form, seal and signature are valid. Asks nobody
   * outside, so whether the money is there is not known yet.
   */
  isSigned(request: PaidRequest): Promise<boolean>
}
