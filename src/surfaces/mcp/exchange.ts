import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'

/** The protocol's messages are small; anything larger is a mistake or an attack. */
const BODY_LIMIT = 256 * 1024

/** Why a request never reaches the protocol: the HTTP status, and the JSON-RPC error that goes with it. */
export type Refusal = { readonly status: number; readonly code: number; readonly message: string }

/** Refuses a request in the form every client of the protocol can read. */
export function refuse(response: ServerResponse, { status, code, message }: Refusal): void {
  response.statusCode = status
  response.setHeader('Content-Type', 'application/json')
  if (status === 405) response.setHeader('Allow', 'POST')
  // What is left of a body that is too long is not worth reading.
  if (status === 413) response.setHeader('Connection', 'close')
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))
}

/** Reads a JSON body of at most `BODY_LIMIT` bytes. Rejects when the client breaks off. */
export async function readJson(request: IncomingMessage): Promise<{ readonly json: unknown } | Refusal> {
  const tooLarge: Refusal = { status: 413, code: -32000, message: `The body may have at most ${BODY_LIMIT} bytes.` }
  if (Number(request.headers['content-length'] ?? 0) > BODY_LIMIT) return tooLarge
  const chunks: Buffer[] = []
  let size = 0
  for await (const chunk of request.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length
    if (size > BODY_LIMIT) return tooLarge
    chunks.push(chunk as Buffer)
  }
  try {
    return { json: JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(chunks))) }
  } catch {
    return { status: 400, code: -32700, message: 'The body is not valid JSON.' }
  }
}

/**
 * The head of a request as the SDK wants it; the body goes in apart. Only headers the protocol defines are handed on,
 * so neither credentials nor cookies can reach a tool.
 */
export function toRequest(request: IncomingMessage, signal: AbortSignal): Request {
  const headers = new Headers()
  for (const [name, value] of Object.entries(request.headers)) {
    if (typeof value === 'string' && /^(?:accept|content-type|last-event-id|mcp-[\w-]+)$/.test(name)) {
      headers.set(name, value)
    }
  }
  return new Request('http://onoma.invalid/mcp', { method: 'POST', headers, signal })
}

/** Sends an answer. A stream is sent as it comes and only as fast as the client takes it. */
export async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answer.status
  for (const [name, value] of answer.headers) {
    // Whether a connection lives on is for the server to say, which may be about to stop.
    if (name !== 'connection') response.setHeader(name, value)
  }
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream') || answer.body === null) {
    response.end(Buffer.from(await answer.arrayBuffer()))
    return
  }
  response.flushHeaders()
  await pipeline(Readable.fromWeb(answer.body), response)
}
