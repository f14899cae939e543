import type { z } from 'zod'
import type { ErrorCode, Failure } from './errors.ts'
import type { RateDecision } from './rate-limit.ts'

/**
 * One endpoint, told once. The HTTP route, the OpenAPI document, the MCP tool and the command line are all read
 * from this value; nothing about an endpoint is written down anywhere else.
 */
export type Endpoint<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  /** Its one name: OpenAPI operationId, MCP tool, metrics label. */
  readonly name: string
  readonly capability: Capability
  /** The words after `onoma` that run it: `tlds`, `ens register check`. Without them it has no command. */
  readonly command?: string
  /** What may stand after the words without an option's name. Required fields may anyway. */
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
  /** The code a field of `input` is refused with, where it is not `missing_parameter` / `invalid_parameter`. */
  readonly complaints?: { readonly [K in keyof I['shape']]?: Complaint }
  /** Failures of its own; those every endpoint shares (405, 429, 500) are not repeated here. */
  readonly errors: readonly Failure[]
  /** Members that errors of some codes carry beside `error` and `message`. */
  readonly errorMembers?: { readonly [Code in ErrorCode]?: z.ZodObject }
  /** Answers in the shape of `output` under another status than 200, with an example each. */
  readonly otherAnswers?: Readonly<Record<number, { readonly description: string; readonly example: z.input<O> }>>
  /** What a caller sees when an upstream fails; `internal_error` if the endpoint has no upstream. */
  readonly failsAs?: Failure
  /** `counted` requests share the client's rate limit; `free` ones are never limited. */
  readonly rate: 'counted' | 'free'
  /** Set if agents get the endpoint as an MCP tool. Left out for deprecated addresses and for those of monitors. */
  readonly tool?: true
  /** The code of a 429 here; the contract has two. */
  readonly limitedAs?: 'rate_limited' | 'rate_limit_exceeded'
  /** What one request costs, where it is paid. An answer with an `error` field is delivered and never charged. */
  readonly price?: Price
  /** Seconds an answer may be cached: sent as Cache-Control, together with an ETag. */
  readonly ttlSeconds?: number
  /** Whether the answer can come in pieces: to those who accept a stream, or to all but those who accept JSON. */
  readonly streams?: 'on request' | 'unless JSON'
  /** Most bytes of a POST body, where 16 KiB are not enough. */
  readonly maxBodyBytes?: number
  /** Set on addresses kept for old clients: since when, and where they should go. */
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
  /** How the help writes it, without brackets. */
  readonly shown: string
  readonly description: string
  /** The field of `input` that this text is a value of. */
  field(text: string): string
}

export type Complaint = { readonly missing?: ErrorCode; readonly invalid?: ErrorCode }
export type Deprecation = { readonly since: `${number}-${number}-${number}`; readonly successor: `/${string}` }

/** US dollars as decimal strings: one amount, one for each value of a parameter, or one for each entry of a list. */
export type Price =
  | { readonly usd: string; readonly each?: string }
  | { readonly by: string; readonly usd: Readonly<Record<string, string>> }

/** What a handler knows of the request beyond its input. */
export type Context = {
  /** Aborts when the caller has gone away or the service must stop. */
  readonly signal: AbortSignal
  readonly requestId: string
  /** Counts further requests against the caller's limit, beyond the one that brought the call; always allowed where there is no limit. */
  spend(cost: number): RateDecision | Promise<RateDecision>
}

/** An endpoint paired with the call that answers it. Doors read a list of these. */
export type Route<I extends z.ZodObject = z.ZodObject, O extends z.ZodType = z.ZodType> = {
  readonly endpoint: Endpoint<I, O>
  run(input: z.output<I>, context: Context): z.input<O> | Promise<z.input<O>>
  /** The answer in pieces, each as soon as it is known, for endpoints that stream. */
  stream?(input: z.output<I>, context: Context): AsyncIterable<unknown>
  /** What the answer itself decides about its wrapping. */
  readonly wrap?: ResponseRules<z.input<O>>
  /**
   * The part of a paid answer that comes before the 402: throws where the answer could not be given anyway. Returns the
   * rest of the work, which is done once the payment is valid. `run` does both.
   */
  prepare?(input: z.output<I>, context: Context): Prepared<O> | Promise<Prepared<O>>
}

type Prepared<O extends z.ZodType> = (context: Context) => z.input<O> | Promise<z.input<O>>

export type ResponseRules<Body> = {
  /** The status where it is not 200. */
  status?(body: Body): number
  /** Seconds this answer stays true, where it differs from answer to answer. */
  ttlSeconds?(body: Body): number
  /** Whether this answer is in a shape kept for old clients only. */
  deprecated?(body: Body): Deprecation | undefined
  /** Whether nothing could be found out. Still a 200 over HTTP; the command line fails, so that a script notices. */
  inconclusive?(body: Body): boolean
}

export const endpoint = <I extends z.ZodObject, O extends z.ZodType>(value: Endpoint<I, O>): Endpoint<I, O> => value

/** Pairs an endpoint with its call. The result forgets the field types: doors treat all routes alike. */
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

/** Pairs an endpoint that streams with its calls; `run` gives the whole answer where a stream has no place. */
export const streamingRoute = <I extends z.ZodObject, O extends z.ZodType>(
  endpoint: Endpoint<I, O>,
  run: Route<I, O>['run'],
  stream: NonNullable<Route<I, O>['stream']>,
  wrap?: ResponseRules<z.input<O>>,
): Route => ({ endpoint, run, stream, ...(wrap && { wrap }) })

/** The names in braces of an endpoint's path, in order. */
export const pathParameters = (path: string): string[] => [...path.matchAll(/\{(\w+)\}/g)].map((match) => match[1]!)
