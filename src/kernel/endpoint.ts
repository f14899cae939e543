import type * as z from 'zod'
import type { ErrorCode, Failure } from './errors.ts'
import type { RateDecision } from './rate-limit.ts'

/**
 * One endpoint, declared once. The HTTP route, the OpenAPI document, the MCP tool and the command line are all made
 * from this value.
 */
export type Endpoint<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  /** OpenAPI operationId, MCP tool name and metrics label. */
  readonly name: string
  readonly capability: Capability
  /** The words after `onoma` that run it: `tlds`, `ens register check`. If left out, there is no command. */
  readonly command?: string
  /** A positional argument of the command. Required fields are positional anyway. */
  readonly argument?: CommandArgument
  readonly method: 'GET' | 'POST'
  /** Parameters in the path are written `{domain}` and are fields of `input` too. */
  readonly path: `/${string}`
  /** One line, an imperative sentence without a full stop. */
  readonly summary: string
  /** What a reader must know beyond the summary. */
  readonly description: string
  readonly input: I
  readonly output: O
  /** Error codes for a missing or invalid field; by default `missing_parameter` and `invalid_parameter`. */
  readonly complaints?: { readonly [K in keyof I['shape']]?: Complaint }
  /** Its own errors; those of every endpoint (405, 429, 500) are not repeated here. */
  readonly errors: readonly Failure[]
  /** Members of some errors beside `error` and `message`. */
  readonly errorMembers?: { readonly [Code in ErrorCode]?: z.ZodObject }
  /** Answers with the schema of `output` and a status other than 200, with an example each. */
  readonly otherAnswers?: Readonly<Record<number, { readonly description: string; readonly example: z.input<O> }>>
  /** What a caller sees when an upstream fails; `internal_error` if the endpoint has no upstream. */
  readonly failsAs?: Failure
  /** `counted` requests share the client's rate limit; `free` ones are never limited. */
  readonly rate: 'counted' | 'free'
  /** Set if agents get the endpoint as an MCP tool. Left out for deprecated endpoints and those for monitoring. */
  readonly tool?: true
  /** Output schema of the tool, if `output` would cost an agent too many tokens. Every answer matches both. */
  readonly toolOutput?: z.ZodType
  /** The code of a 429 here; the contract has two. */
  readonly limitedAs?: 'rate_limited' | 'rate_limit_exceeded'
  /** The price of one request, if it is paid. An answer with an `error` field is delivered and never charged. */
  readonly price?: Price
  /** Set on the endpoint that sells prepaid credit: it cannot be paid with credit. */
  readonly sellsCredit?: true
  /** Set if it needs a credit token (`Context.bearer`): without one it answers 401. */
  readonly needsToken?: true
  /** Seconds an answer may be cached: sent as Cache-Control, together with an ETag. */
  readonly ttlSeconds?: number
  /** Set if clients that accept lines of JSON or server-sent events get the answer as a stream. All others get JSON. */
  readonly streams?: true
  /** Set if an answer can have thousands of entries: it is serialized in steps. */
  readonly large?: true
  /** Maximum size of a POST body; 16 KiB by default. */
  readonly maxBodyBytes?: number
  /** Set on endpoints kept for old clients: since when, and what replaces it. */
  readonly deprecated?: Deprecation
  readonly example: { readonly input: z.input<I>; readonly output: z.input<O> }
}

/** A group of endpoints: the folder under `src/` they live in, and the OpenAPI tag they are listed under. */
export type Capability = {
  readonly name: string
  /** One sentence about what the group answers. */
  readonly description: string
}

/** An argument of a command that stands for one of several optional fields. */
export type CommandArgument = {
  /** As shown in the help, without brackets. */
  readonly shown: string
  readonly description: string
  /** The field of `input` that this text is for. */
  field(text: string): string
}

export type Complaint = { readonly missing?: ErrorCode; readonly invalid?: ErrorCode }
export type Deprecation = { readonly since: `${number}-${number}-${number}`; readonly successor: `/${string}` }

/**
 * US dollars as decimal strings: one amount (for each entry of the list `each`, or multiplied by the number `times`), or
 * one per value of the parameter `by`.
 */
export type Price =
  | { readonly usd: string; readonly each?: string; readonly times?: string }
  | { readonly by: string; readonly usd: Readonly<Record<string, string>> }

/** What a handler gets of the request besides its input. */
export type Context = {
  /** Aborts when the client disconnects or the service stops. */
  readonly signal: AbortSignal
  readonly requestId: string
  /** The token of `Authorization: Bearer …`; undefined without one. Never logged. */
  readonly bearer?: string | undefined
  /** Who asks: requests of one client share a queue at every upstream, and clients take turns. */
  readonly client: string
  /** Set if the whole answer is wanted sooner than the endpoint's own timeout: what is not known by then is unknown. */
  readonly timeoutMs?: number
  /** Counts further requests against the client's rate limit, besides this one. Always allowed if there is no limit. */
  spend(cost: number): RateDecision | Promise<RateDecision>
}

/** An endpoint paired with the function that answers it. Surfaces get a list of these. */
export type Route<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  readonly endpoint: Endpoint<I, O>
  run(input: z.output<I>, context: Context): z.input<O> | Promise<z.input<O>>
  /** For endpoints that stream: the parts of the answer, each as soon as it is known. */
  stream?(input: z.output<I>, context: Context): AsyncIterable<unknown>
  /** Status and headers that depend on the answer. */
  readonly wrap?: ResponseRules<z.input<O>>
  /**
   * The part of the work before the 402: throws if the request cannot be answered anyway. Returns the rest of the work,
   * which runs once the payment is valid. `run` does both.
   */
  prepare?(input: z.output<I>, context: Context): Prepared<O> | Promise<Prepared<O>>
}

type Prepared<O extends z.ZodType> = (context: Context) => z.input<O> | Promise<z.input<O>>

export type ResponseRules<Body> = {
  /** The HTTP status; 200 by default. */
  status?(body: Body): number
  /** Cache lifetime in seconds, if it depends on the answer. */
  ttlSeconds?(body: Body): number
  /** Set if this answer has a format kept for old clients. */
  deprecated?(body: Body): Deprecation | undefined
  /** The answer as the command line shows it in rows, if it is too deep for that: lists of objects are tables. */
  rows?(body: Body): Readonly<Record<string, unknown>>
  /** Whether nothing could be found out. Still a 200 over HTTP; the command line exits with an error. */
  inconclusive?(body: Body): boolean
}

export const endpoint = <I extends z.ZodObject, O extends z.ZodType>(value: Endpoint<I, O>): Endpoint<I, O> => value

/** Pairs an endpoint with its function. The result has no field types: surfaces treat all routes alike. */
export const route = <I extends z.ZodObject, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
  run: Route<I, O>['run'],
  wrap?: ResponseRules<z.input<O>>,
): Route => ({ endpoint, run, ...(wrap && { wrap }) })

/** A paid endpoint that checks something before it answers 402. */
export const paidRoute = <I extends z.ZodObject, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
  prepare: NonNullable<Route<I, O>['prepare']>,
): Route => {
  const paid: Route<I, O> = {
    endpoint,
    prepare,
    run: async (input, context) => (await prepare(input, context))(context),
  }
  return paid
}

/** Pairs a streaming endpoint with its functions; `run` gives the whole answer to clients that do not stream. */
export const streamingRoute = <I extends z.ZodObject, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
  run: Route<I, O>['run'],
  stream: NonNullable<Route<I, O>['stream']>,
  wrap?: ResponseRules<z.input<O>>,
): Route => ({ endpoint, run, stream, ...(wrap && { wrap }) })

/** The names in braces of an endpoint's path, in order. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
