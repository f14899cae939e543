import type { BulkCheck, Operations } from './api.d.ts'

export type * from './api.d.ts'

export type OperationName = keyof Operations
export type Input<Name extends OperationName> = Operations[Name]['input']
export type Output<Name extends OperationName> = Operations[Name]['output']

/** Codes that the client itself gives. */
export type ClientErrorCode =
  /** The service could not be reached. */
  | 'network_error'
  /** Something else than an Onoma service answered. */
  | 'invalid_response'
  /** The price is above `maxUsdPerCall`, or above what is left of `maxUsdPerDay`; nothing was paid. */
  | 'spending_cap'
  /** The price of the answer could not be read; nothing was paid. */
  | 'unknown_price'
  /** A payment was sent, also again and again, and no answer of the service came back. */
  | 'payment_unknown'
  /** The service does not accept what the payment hook pays with. */
  | 'unsupported_payment'

/** An error as a value; `unwrap` and streams throw it. */
export class OnomaError<Code extends string = string> extends Error {
  constructor(
    code: Code,
    message: string,
    facts?: { status?: number; retryAfterMs?: number | null; body?: unknown; cause?: unknown },
  )
  /** For programs; its meaning never changes. `message` is for people. */
  readonly code: Code
  /** The HTTP status; 0 if there was no answer. */
  readonly status: number
  /** When to ask again; null if the service did not say. */
  readonly retryAfterMs: number | null
  /** The whole body of the answer. */
  readonly body: Readonly<Record<string, unknown>> | null
}

export type Answer<Name extends OperationName> =
  | { readonly ok: true; readonly data: Output<Name>; readonly response: Response }
  | { readonly ok: false; readonly error: OnomaError<Operations[Name]['error'] | ClientErrorCode> }

export type CallOptions = {
  readonly signal?: AbortSignal
  /** Makes a request that draws on credit repeatable. */
  readonly idempotencyKey?: string
}

/** A price that the service asks, and what it takes to pay it. */
export type Quote = {
  readonly usd: number
  readonly operation: OperationName
  readonly url: string
  /** The 402 itself. Its body has not been read. */
  readonly response: Response
  /** What x402 asks for USDC on Base; undefined if the service does not accept it. */
  readonly x402?: { readonly accepted: Readonly<Record<string, unknown>>; readonly resource: unknown }
}
/** Returns the headers that pay, such as `PAYMENT-SIGNATURE` (x402) or `Authorization` (MPP). */
export type Pay = (quote: Quote) => Promise<Readonly<Record<string, string>>>

export type OnomaOptions = {
  /** Default: `http://127.0.0.1:8080`. */
  readonly baseUrl?: string
  /** How long one call may wait in all for `Retry-After` and between attempts; default 30 seconds, 0 for no retry. */
  readonly retryMs?: number
  /** Sent with every request, for example `Authorization: Bearer …` for credit. */
  readonly headers?: Readonly<Record<string, string>>
  /** Pays for answers that cost money. Without it they come back as `payment_required`. */
  readonly pay?: Pay
  /** The most that one call may cost; 0 by default, so that nothing is paid unless you say how much. */
  readonly maxUsdPerCall?: number
  /** The most that this client spends in a day (UTC); by default `maxUsdPerCall`. */
  readonly maxUsdPerDay?: number
  readonly fetch?: typeof fetch
  /** For tests. */
  readonly now?: () => number
  readonly sleep?: (ms: number, signal?: AbortSignal) => Promise<void>
}

type Arguments<Name extends OperationName> = Operations[Name]['isOptional'] extends true
  ? [input?: Input<Name>, options?: CallOptions]
  : [input: Input<Name>, options?: CallOptions]

/** What a stream gives, one after the other. */
export type StreamItem<Name extends OperationName> = Name extends 'nameDossier'
  ? { readonly part?: string } & Readonly<Record<string, unknown>>
  : BulkCheck['results'][number] | { readonly summary: BulkCheck['summary'] }

export type Onoma = { readonly [Name in OperationName]: (...given: Arguments<Name>) => Promise<Answer<Name>> } & {
  /** The same operations, answered bit by bit. Throws OnomaError. Leaving the loop ends the work of the service. */
  readonly stream: {
    readonly [Name in OperationName as Operations[Name]['streams'] extends true ? Name : never]: (
      ...given: Arguments<Name>
    ) => AsyncIterableIterator<StreamItem<Name>>
  }
  /** What was spent today, in dollars. */
  spentToday(): number
}

export function createOnoma(options?: OnomaOptions): Onoma
/** The data of an answer; throws its error. */
export function unwrap<Name extends OperationName>(answer: Answer<Name>): Output<Name>
/** Pays by x402 in USDC on Base. The account signs typed data (EIP-712), as accounts of viem do. */
export function payWithX402(account: {
  readonly address: string
  signTypedData(typed: {
    readonly domain: Readonly<Record<string, unknown>>
    readonly types: Readonly<Record<string, readonly { readonly name: string; readonly type: string }[]>>
    readonly primaryType: string
    readonly message: Readonly<Record<string, unknown>>
  }): Promise<string>
}): Pay
