import { type CallToolResult, ProtocolError, ProtocolErrorCode, Server } from '@modelcontextprotocol/server'
import type { Route } from '../../kernel/endpoint.ts'
import { ERRORS } from '../../kernel/errors.ts'
import type { PaidRequest } from '../../kernel/paywall.ts'
import { parsePaymentMeta } from './payment-meta.ts'
import { paidResult, type PaidOutcome } from './payment-result.ts'
import { isTool, toolOf } from './tools.ts'

/**
 * Answers one tool call: validates the arguments, applies the client's rate limit, runs the route, and turns what it
 * throws into an error body. Created per HTTP request, so it knows its client.
 */
export type Call = (
  route: Route,
  raw: Readonly<Record<string, unknown>>,
  /** Aborts when the client cancels the call or has gone away. */
  signal: AbortSignal,
  /** The payment of the call, as HTTP headers. */
  payment?: PaidRequest['headers'],
) => Promise<Outcome | PaidOutcome>

type Outcome =
  | { readonly ok: true; readonly body: unknown }
  /** The contract's `{error, message}`, with further members where the contract allows them. */
  | { readonly ok: false; readonly error: Readonly<Record<string, unknown>> }

export type ServerOptions = {
  readonly version: string
  /** Called for internal errors, not for mistakes of clients. */
  readonly onerror: (error: unknown) => void
  /** Whether paid tools cost nothing here: the process is the operator's own. */
  readonly isFree?: boolean
}

const INSTRUCTIONS =
  'Facts about domain names and ENS names: availability, registration, value, sale. ' +
  'A failed call carries {"error": code, "message": what was wrong and what would be right}. ' +
  'Besides the codes a tool lists, any may answer rate_limit_exceeded or rate_limited (wait, then ask again) and internal_error.'

const PAID_INSTRUCTIONS =
  ' A tool with a price answers payment_required until the call carries a payment in _meta; that error says how to pay.'

const FREE_INSTRUCTIONS = " Tools that are paid over HTTP are free here: this process is its operator's own."

/** The tool list changes only with a release. */
const LIST_LIFETIME = { ttlMs: 60 * 60 * 1000, cacheScope: 'public' } as const

/**
 * Creates MCP servers for the routes. The SDK needs a new server for each request or connection; the tools are described
 * once, here.
 *
 * Uses the low-level `Server`, not `McpServer`: the latter validates arguments itself, and the agent would never see the
 * error code and message of our contract.
 */
export function mcpServerFactory(
  routes: readonly Route[],
  { version, onerror, isFree = false }: ServerOptions,
): (call: Call) => Server {
  const byName = new Map<string, Route>()
  for (const route of routes) {
    if (!isTool(route.endpoint)) continue
    if (byName.has(route.endpoint.name)) throw new Error(`Two endpoints are named ${route.endpoint.name}`)
    byName.set(route.endpoint.name, route)
  }
  const tools = Array.from(byName.values(), ({ endpoint }) => toolOf(endpoint, { isFree }))
  const instructions = INSTRUCTIONS + (isFree ? FREE_INSTRUCTIONS : PAID_INSTRUCTIONS)

  return (call) => {
    const server = new Server(
      { name: 'onoma', title: 'Onoma', version },
      {
        capabilities: { tools: {} },
        instructions,
        cacheHints: { 'tools/list': LIST_LIFETIME, 'server/discover': LIST_LIFETIME },
      },
    )
    server.setRequestHandler('tools/list', ({ params }) => {
      if (params?.cursor !== undefined) throw invalid('The tool list has only one page: send no cursor.')
      return { tools }
    })
    server.setRequestHandler('tools/call', async ({ params }, { mcpReq }) => {
      const route = byName.get(params.name)
      if (!route) throw invalid(`There is no tool named ${JSON.stringify(params.name.slice(0, 80))}.`)
      const payment = route.endpoint.price && !isFree ? parsePaymentMeta(params._meta) : undefined
      try {
        const outcome = await call(route, params.arguments ?? {}, mcpReq.signal, payment?.headers)
        if ('paid' in outcome) return paidResult(outcome, route.endpoint, payment?.challengeId)
        // Some endpoints answer a failure in their own output shape, with an HTTP error status.
        const failed = outcome.ok && (route.wrap?.status?.(outcome.body) ?? 200) >= 400
        return resultOf(failed ? { ok: false, error: outcome.body as Record<string, unknown> } : outcome)
      } catch (error) {
        if (error instanceof ProtocolError) throw error
        // A cancelled call may fail in any way; that is not an internal error.
        if (!mcpReq.signal.aborted) onerror(error)
        return resultOf({ ok: false, error: { error: 'internal_error', message: ERRORS.internal_error.meaning } })
      }
    })
    return server
  }
}

const invalid = (message: string) => new ProtocolError(ProtocolErrorCode.InvalidParams, message)

/**
 * Errors are sent as text only: many clients validate structured content against the output schema even if it is marked
 * as an error, and would show a schema mismatch instead of our message.
 */
const resultOf = (outcome: Outcome): CallToolResult =>
  outcome.ok
    ? { content: [text(outcome.body)], structuredContent: outcome.body }
    : { content: [text(outcome.error)], isError: true }

const text = (value: unknown) => ({ type: 'text' as const, text: JSON.stringify(value) })
