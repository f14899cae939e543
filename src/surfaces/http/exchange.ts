import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Clock } from '../../kernel/clock.ts'
import type { Route } from '../../kernel/endpoint.ts'
import type { TextFieldKinds } from '../../kernel/input.ts'

/** One request on its way to one answer. */
export type Exchange = {
  readonly request: IncomingMessage
  readonly response: ServerResponse
  readonly clock: Clock
  /** Whether the door has begun to close since this request came. */
  readonly state: { readonly draining: boolean }
  readonly id: string
  readonly started: number
  /** Header lines about the rate limit, once the client has been counted. */
  rate: readonly string[] | undefined
  /** Header lines about the money asked for here. */
  marks: readonly string[] | undefined
  /** Parameters the endpoint does not have. */
  ignored: readonly string[] | undefined
  resource: Resource | undefined
}

/** What is found at an address, with all that can be worked out once instead of at every request. */
export type Resource = EndpointResource | { readonly kind: 'mount'; readonly name: string; readonly mount: Mount }

export type EndpointResource = {
  readonly kind: 'route'
  readonly name: string
  readonly route: Route
  readonly reader: TextFieldKinds
  readonly limitedAs: 'rate_limited' | 'rate_limit_exceeded'
  readonly deprecation: readonly string[]
}

/** An address that is not an endpoint value: it answers for itself. */
export type Mount = {
  readonly name: string
  readonly methods: readonly string[]
  readonly path: `/${string}`
  handle(exchange: Exchange, call: Call): Promise<void> | void
}

/** Runs an endpoint for a request that arrived in another protocol: counted, checked and measured like any other. */
export type Call = (
  route: Route,
  raw: Readonly<Record<string, unknown>>,
  /** Aborts when the caller has gone away or no longer wants the answer. */
  signal: AbortSignal,
) => Promise<CallResult>

export type CallResult =
  | { readonly ok: true; readonly body: unknown }
  | { readonly ok: false; readonly error: Readonly<Record<string, unknown>> }
