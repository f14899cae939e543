import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/endpoint.ts'
import type { TextFields } from './query.ts'
import type { Usd } from '../../kernel/money.ts'
import type { PaidAnswer, PaidRequest } from '../../kernel/paywall.ts'

/** What all requests of a door share. */
export type DoorLoad = {
  /** Becomes true when the door starts to close, also while a request is served. */
  draining: boolean
  /** Requests being served. */
  active: number
  /** Bytes of the bodies of these requests. */
  bodyBytes: number
}

/** One HTTP request and its response. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly clock: Clock
  readonly state: DoorLoad
  /** Bytes of the body held in memory until the request is finished. */
  bodyBytes: number
  readonly id: string
  readonly started: number
  /** The lines with the RateLimit headers; set once the request was counted. */
  rate: string | undefined
  /** Headers of a paid endpoint, names and values alternating. */
  paymentHeaders: readonly string[] | undefined
  /** Query parameters that the endpoint does not have. */
  ignored: readonly string[] | undefined
  resource: Resource | undefined
}

/** What answers at an address, with everything that can be computed once instead of per request. */
export type Resource = EndpointResource | { readonly kind: 'mount'; readonly name: string; readonly mount: Mount }

export type EndpointResource = {
  readonly kind: 'route'
  readonly name: string
  readonly route: Route
  readonly fields: TextFields
  readonly limitedAs: 'rate_limited' | 'rate_limit_exceeded'
  readonly deprecation: readonly string[]
}

/** An address that is not an endpoint value and sends its own response: a document, another protocol. */
export type Mount = {
  readonly name: string
  readonly methods: readonly string[]
  readonly path: `/${string}`
  /**
   * `document`: every request counts in the rate limit of documents. `own`: the mount counts with `quota`, because one
   * request may hold several messages.
   */
  readonly rate: 'document' | 'own' | 'free'
  handle(exchange: Exchange, call: Call, quota: Quota, stream: CallStream): Promise<void> | void
}

/** How a mount counts what its client uses. Both fail with the error that the client gets. */
export type Quota = {
  takeDocuments(count: number): Promise<void>
  /** Counts bytes of the body, which the mount keeps until the request is finished. */
  holdBodyBytes(bytes: number): void
}

/** Runs an endpoint for a call inside another protocol (MCP): rate-limited, validated and measured like an HTTP request. */
export type Call = (
  route: Route,
  raw: Readonly<Record<string, unknown>>,
  /** Aborts when the caller disconnects or cancels. */
  signal: AbortSignal,
  /** The payment that came with the call, as the headers that would carry it over HTTP. */
  payment?: PaidRequest['headers'],
) => Promise<CallResult>

/**
 * Runs an endpoint that streams, counted and validated like a request to it. Throws the error of a request that is refused
 * or invalid.
 */
export type CallStream = (
  route: Route,
  raw: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
) => Promise<AsyncIterable<unknown>>

export type CallResult =
  /** Of a paid endpoint: the answer, or the 402 that asks for a payment. */
  | { readonly paid: PaidAnswer; readonly price: Usd }
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly error: Readonly<Record<string, unknown>> }
