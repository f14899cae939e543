import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler, isJsonContentType } from '@modelcontextprotocol/server'
import type { Route } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { parseJsonBody, refuse, send, sendPrepared, toRequest } from './exchange.ts'
import { createGuard, type GuardOptions } from './guard.ts'
import { createPreparedLists } from './prepared-lists.ts'
import { type Call, mcpServerFactory, type ServerOptions } from './server.ts'

export type McpOptions = ServerOptions &
  GuardOptions & {
    /** Called for protocol errors of clients; for a debug log. */
    readonly onrefused?: (error: Error) => void
  }

/** Counts messages other than tool calls, which `Call` counts. Rejects with an ApiError above the limit. */
export type TakeMessages = (count: number) => Promise<void>

/** Answers one request at `/mcp`. Never rejects. */
export type McpHandler = (
  request: IncomingMessage,
  response: ServerResponse,
  call: Call,
  take?: TakeMessages,
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
    take: TakeMessages,
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
    const body = await parseJsonBody(request)
    const messages = 'json' in body ? [body.json].flat() : []
    const calledTools = messages.filter(isToolCall).length
    if (calledTools === 0 || messages.length > calledTools) await take(Math.max(1, messages.length - calledTools))
    if (!('json' in body)) return refuse(response, body)
    if (messages.length > MAX_BATCH_MESSAGES) {
      return refuse(response, {
        status: 400,
        code: -32600,
        message: `A batch may have at most ${MAX_BATCH_MESSAGES} messages; this one has ${messages.length}.`,
      })
    }
    const asked = toRequest(request, signal)
    calls.set(asked, call)
    try {
      const ask = (message: unknown) => protocol.fetch(asked, { parsedBody: message })
      const prepared = await lists.answer(body.json, asked.headers, ask)
      if (prepared) sendPrepared(prepared, response)
      else await send(await ask(body.json), response)
    } finally {
      calls.delete(asked)
    }
  }

  return async (request, response, call, take = async () => {}) => {
    const gone = new AbortController()
    const leave = () => gone.abort()
    response.once('close', leave)
    try {
      await exchange(request, response, call, take, gone.signal)
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
