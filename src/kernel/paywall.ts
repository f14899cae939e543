import type { Usd } from './money.ts'

/** A request to a paid endpoint, with valid parameters. */
export type PaidRequest = {
  /** The endpoint's name; a payment is for one endpoint. */
  readonly endpoint: string
  /** One line that a wallet may show. */
  readonly description: string
  readonly price: Usd
  /** Absolute URL of the resource, without unknown parameters of the caller. */
  readonly url: string
  /** Hash of the parameters in the body; empty or missing if the URL has them all. */
  readonly bodyFingerprint?: string
  /** Digest of the body as it was received (RFC 9530); undefined if the request has none. */
  readonly bodyDigest?: string | undefined
  /** Equal for equivalent requests: a payment buys one of them. */
  readonly fingerprint: string
  /** Request headers, names in lower case. Some contain payments, so they are never logged. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly signal: AbortSignal
}

/** Produces the answer. An error is rethrown and never charged. */
export type Work = (signal: AbortSignal) => Promise<Product>

export type Product = {
  readonly status: number
  /** JSON. */
  readonly body: string
  /** False for an answer that failed or carries `error`: it is delivered, and the payment stays usable. */
  readonly isCharged: boolean
}

/** The HTTP response. */
export type PaidAnswer = {
  readonly status: number
  /** Name, value, name, value. */
  readonly headers: readonly string[]
  /** JSON. */
  readonly body: string
  /** Whether this answer has been paid for. */
  readonly isSettled: boolean
  /** To be called once the whole response has been written. */
  readonly onDelivered?: () => void
  /** To be called instead if the connection was closed before. */
  readonly onLost?: () => void
}

/** Charges for requests to paid endpoints. */
export type Paywall = {
  /**
   * Answers 402 to requests without a valid payment. With one, runs the work at most once at a time, and delivers the
   * answer when it is settled, or without payment if the answer is not charged. `prepare` runs before a price is
   * quoted, unless the payment has already bought the answer; its errors are rethrown. Throws ApiError
   * `service_unavailable` if payments are not possible.
   */
  serve(request: PaidRequest, prepare: () => Promise<Work>): Promise<PaidAnswer>
  /**
   * Whether the request has exactly one payment with the right amount and a valid format, seal and signature. A local
   * check: it does not tell whether the money is there.
   */
  isSigned(request: PaidRequest): Promise<boolean>
}
