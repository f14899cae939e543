import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/endpoint.ts'
import type { TextFieldKinds } from '../../kernel/input.ts'

/** One HTTP request and its response. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly clock: Clock
  /** `draining` becomes true when the door starts to close, also after the request arrived. */
  readonly state: { readonly draining: boolean }
  readonly id: string
  readonly started: number
  /** RateLimit headers, names and values alternating; set once the request was counted. */
  rate: readonly string[] | undefined
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
  readonly reader: TextFieldKinds
  readonly limitedAs: 'rate_limited' | 'rate_limit_exceeded'
  readonly deprecation: readonly string[]
}

/** An address that is not an endpoint value and sends its own response: a document, another protocol. */
export type Mount = {
  readonly name: string
  readonly methods: readonly string[]
  readonly path: `/${string}`
  /**
   * `document`: every request counts in the rate limit of documents. `own`: the mount counts with `take`, because one
   * request may hold several messages.
   */
  readonly rate: 'document' | 'own' | 'free'
  handle(exchange: Exchange, call: Call, take: TakeDocuments): Promise<void> | void
}

/** Counts documents of the client of this request. Rejects with the error of the rate limit. */
export type TakeDocuments = (count: number) => Promise<void>

/** Runs an endpoint for a call inside another protocol (MCP): rate-limited, validated and measured like an HTTP request. */
export type Call = (
  route: Route,
  raw: Readonly<Record<string, unknown>>,
  /** Aborts when the caller disconnects or cancels. */
  signal: AbortSignal,
) => Promise<CallResult>

export type CallResult =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly error: Readonly<Record<string, unknown>> }
