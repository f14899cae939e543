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
  /** The same for the same question: a payment is for one. */
  readonly fingerprint: string
  /** Of the caller; names in lower case. Payments travel in some of them, so they are never logged. */
  readonly headers: Readonly<Record<string, string | string[] | undefined>>
  readonly signal: AbortSignal
}

/** What goes over the wire. */
export type PaidAnswer = {
  readonly status: number
  /** Name, value, name, value. */
  readonly headers: readonly string[]
  /** JSON. */
  readonly body: string
}

/** Whoever takes the money for a door. */
export type Paywall = {
  /**
   * Answers 402 to who does not pay; for who does, runs the work at most once, and gives its answer out only when it is
   * paid. What `work` throws is thrown on, and costs nothing. Throws ApiError `service_unavailable` where nothing can be
   * paid for, before any money is asked.
   */
  serve(request: PaidRequest, work: (signal: AbortSignal) => Promise<string>): Promise<PaidAnswer>
}
