import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler, isJsonContentType } from '@modelcontextprotocol/server'
import type { Route } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { parseJsonBody, protocolHeaders, refuse, send, sendPrepared, toRequest } from './exchange.ts'
import { createGuard, type GuardOptions } from './guard.ts'
import { createPreparedLists } from './prepared-lists.ts'
import { type Call, mcpServerFactory, type ServerOptions } from './server.ts'

export type McpOptions = ServerOptions &
  GuardOptions & {
    /** Called for protocol errors of clients; for a debug log. */
    readonly onrefused?: (error: Error) => void
  }

/** Counts what the client uses. Both fail with an ApiError above the limit. */
export type Quota = {
  /** Messages other than tool calls, which `Call` counts. */
  takeDocuments(count: number): Promise<void>
  holdBodyBytes(bytes: number): void
}

const NO_LIMIT: Quota = { async takeDocuments() {}, holdBodyBytes() {} }

/** Answers one request at `/mcp`. Never rejects. */
export type McpHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  call: Call,
  quota?: Quota,
) => Promise<void>

/** Each message of a batch is a request of its own. */
const MAX_BATCH_MESSAGES = 16

const isToolCall = (message: unknown): boolean =>
  typeof message === 'object' && message !== null && 'method' in message && message.method === 'tools/call'

/** The tools over Streamable HTTP, without sessions: any instance can answer any request. */
export function mcpHandler(routes: readonly Route[], options: McpOptions): McpHandler {
  const guard = createGuard(options)
  const serverFor = mcpServerFactory(routes, options)
  // Holds each Request until its answer is sent: once garbage-collected, it no longer forwards the abort of its signal.
  const calls = new Map<Request, Call>()
  const protocol = createMcpHandler(({ requestInfo }) => serverFor(calls.get(requestInfo!)!), {
    ...(options.onrefused && { onerror: options.onrefused }),
  })

  const lists = createPreparedLists()

  async function exchange(
    request: IncomingMessage,
    response: ServerResponse,
    call: Call,
    quota: Quota,
    signal: AbortSignal,
  ) {
    const refusal = guard(request.headers)
    if (refusal !== undefined) return refuse(response, { status: 403, code: -32000, message: refusal })
    // Without sessions there is no stream to GET and nothing to DELETE.
    if (request.method !== 'POST')
      return refuse(response, { status: 405, code: -32000, message: 'Only POST is allowed here.' })
    if (!isJsonContentType(request.headers['content-type'])) {
      return refuse(response, { status: 415, code: -32000, message: 'Send JSON, with Content-Type: application/json.' })
    }
    const body = await parseJsonBody(request, quota.holdBodyBytes)
    const messages = 'json' in body ? [body.json].flat() : []
    const calledTools = messages.filter(isToolCall).length
    if (calledTools === 0 || messages.length > calledTools)
      await quota.takeDocuments(Math.max(1, messages.length - calledTools))
    if (!('json' in body)) return refuse(response, body)
    if (messages.length > MAX_BATCH_MESSAGES) {
      return refuse(response, {
        status: 400,
        code: -32600,
        message: `A batch may have at most ${MAX_BATCH_MESSAGES} messages; this one has ${messages.length}.`,
      })
    }
    const headers = protocolHeaders(request)
    let asked: Request | undefined
    const ask = (message: unknown) => {
      // Not before it is needed: a list that is prepared is answered without it.
      asked ??= toRequest(headers, signal)
      calls.set(asked, call)
      return protocol.fetch(asked, { parsedBody: message })
    }
    try {
      const prepared = await lists.answer(body.json, headers, ask)
      if (prepared) sendPrepared(prepared, response)
      else await send(await ask(body.json), response)
    } finally {
      if (asked) calls.delete(asked)
    }
  }

  return async (request, response, call, quota = NO_LIMIT) => {
    const gone = new AbortController()
    const leave = () => gone.abort()
    response.once('close', leave)
    try {
      await exchange(request, response, call, quota, gone.signal)
    } catch (error) {
      if (gone.signal.aborted) return
      if (error instanceof ApiError) {
        const { status, message, headers } = error
        return refuse(response, { status, code: -32000, message, headers })
      }
      options.onerror(error)
      if (response.headersSent) response.destroy()
      else refuse(response, { status: 500, code: -32603, message: 'Something went wrong on our side.' })
    } finally {
      response.off('close', leave)
    }
  }
}
