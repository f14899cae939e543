import type { IncomingMessage, ServerResponse } from 'node:http'
import { createMcpHandler, isJsonContentType } from '@modelcontextprotocol/server'
import type { Route } from '../../kernel/endpoint.ts'
import { parseJsonBody, refuse, send, toRequest } from './exchange.ts'
import { createGuard, type GuardOptions } from './guard.ts'
import { type Call, mcpServerFactory, type ServerOptions } from './server.ts'

export type McpOptions = ServerOptions &
  GuardOptions & {
    /** Called for protocol errors of clients; for a debug log. */
    readonly onrefused?: (error: Error) => void
  }

/** Answers one request at `/mcp`. Never rejects. */
export type McpHandler = (request: IncomingMessage, response: ServerResponse, call: Call) => Promise<void>

/** The tools over Streamable HTTP, without sessions: any instance can answer any request. */
export function mcpHandler(routes: readonly Route[], options: McpOptions): McpHandler {
  const guard = createGuard(options)
  const serverFor = mcpServerFactory(routes, options)
  // Holds each Request until its answer is sent: once garbage-collected, it no longer forwards the abort of its signal.
  const calls = new Map<Request, Call>()
  const protocol = createMcpHandler(({ requestInfo }) => serverFor(calls.get(requestInfo!)!), {
    ...(options.onrefused && { onerror: options.onrefused }),
  })

  async function exchange(request: IncomingMessage, response: ServerResponse, call: Call, signal: AbortSignal) {
    const refusal = guard(request.headers)
    if (refusal !== undefined) return refuse(response, { status: 403, code: -32000, message: refusal })
    // Without sessions there is no stream to GET and nothing to DELETE.
    if (request.method !== 'POST')
      return refuse(response, { status: 405, code: -32000, message: 'Only POST is allowed here.' })
    if (!isJsonContentType(request.headers['content-type'])) {
      return refuse(response, { status: 415, code: -32000, message: 'Send JSON, with Content-Type: application/json.' })
    }
    const body = await parseJsonBody(request)
    if (!('json' in body)) return refuse(response, body)
    const asked = toRequest(request, signal)
    calls.set(asked, call)
    try {
      await send(await protocol.fetch(asked, { parsedBody: body.json }), response)
    } finally {
      calls.delete(asked)
    }
  }

  return async (request, response, call) => {
    const gone = new AbortController()
    const leave = () => gone.abort()
    response.once('close', leave)
    try {
      await exchange(request, response, call, gone.signal)
    } catch (error) {
      if (gone.signal.aborted) return
      options.onerror(error)
      if (response.headersSent) response.destroy()
      else refuse(response, { status: 500, code: -32603, message: 'Something went wrong on our side.' })
    } finally {
      response.off('close', leave)
    }
  }
}
