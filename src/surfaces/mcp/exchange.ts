import type { IncomingMessage, ServerResponse } from 'node:http'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { scanJson } from '../../kernel/json-scan.ts'
import { readStream } from '../../kernel/read-stream.ts'
import type { PreparedAnswer } from './prepared-lists.ts'

const UTF8 = new TextDecoder('utf-8', { fatal: true })

/** MCP messages are small. */
const MAX_BODY_BYTES = 256 * 1024

/** An error before the protocol handler: the HTTP status and the JSON-RPC error. */
export type Refusal = {
  readonly status: number
  readonly code: number
  readonly message: string
  readonly headers?: Readonly<Record<string, string>>
}

/** Sends the refusal as a JSON-RPC error, which every MCP client can read. */
export function refuse(response: ServerResponse, { status, code, message, headers = {} }: Refusal): void {
  response.statusCode = status
  for (const name in headers) response.setHeader(name, headers[name]!)
  response.setHeader('Content-Type', 'application/json')
  if (status === 405) response.setHeader('Allow', 'POST')
  // Do not read the rest of a body that is too large.
  if (status === 413) response.setHeader('Connection', 'close')
  response.end(JSON.stringify({ jsonrpc: '2.0', id: null, error: { code, message } }))
}

/** Reads a JSON body of at most `MAX_BODY_BYTES` bytes. Rejects if the client disconnects. */
export async function parseJsonBody(
  request: IncomingMessage,
  /** Called with the bytes of each part that is kept. */
  onBytes: (bytes: number) => void = () => {},
): Promise<{ readonly json: unknown } | Refusal> {
  const tooLarge: Refusal = { status: 413, code: -32000, message: `The body may have at most ${MAX_BODY_BYTES} bytes.` }
  if (Number(request.headers['content-length'] ?? 0) > MAX_BODY_BYTES) return tooLarge
  let size = 0
  let isTooLarge = false
  const body = await readStream(request, (bytes) => {
    size += bytes
    isTooLarge = size > MAX_BODY_BYTES
    if (isTooLarge) throw new Error(tooLarge.message)
    onBytes(bytes)
  }).catch((error: unknown) => {
    if (isTooLarge) return null
    throw error
  })
  if (body === null) return tooLarge
  try {
    const text = UTF8.decode(body)
    const { problem } = scanJson(text)
    if (problem !== undefined) return { status: 400, code: -32600, message: problem }
    return { json: JSON.parse(text) }
  } catch {
    return { status: 400, code: -32700, message: 'The body is not valid JSON.' }
  }
}

/** Only the headers of the protocol: neither credentials nor cookies can reach a tool. */
export function protocolHeaders({ headers }: IncomingMessage): [string, string][] {
  const found: [string, string][] = []
  for (const name in headers) {
    const value = headers[name]
    if (typeof value === 'string' && PROTOCOL_HEADER.test(name)) found.push([name, value])
  }
  return found
}

const PROTOCOL_HEADER = /^(?:accept|content-type|last-event-id|mcp-[\w-]+)$/

/** The request as the SDK expects it; the body is passed separately. */
export const toRequest = (headers: [string, string][], signal: AbortSignal): Request =>
  new Request('http://onoma.invalid/mcp', { method: 'POST', headers, signal })

/** Sends an answer whose bytes are shared with other answers. */
export function sendPrepared({ headers, parts }: PreparedAnswer, response: ServerResponse): void {
  for (const [name, value] of headers) if (name !== 'connection') response.setHeader(name, value)
  response.setHeader(
    'Content-Length',
    parts.reduce((sum, { length }) => sum + length, 0),
  )
  response.cork()
  for (const part of parts) response.write(part)
  response.end()
}

/** Sends an answer. A stream is piped with backpressure. */
export async function send(answer: Response, response: ServerResponse): Promise<void> {
  response.statusCode = answer.status
  for (const [name, value] of answer.headers) {
    // The HTTP server decides about keep-alive: it may be draining.
    if (name !== 'connection') response.setHeader(name, value)
  }
  if (!answer.headers.get('content-type')?.startsWith('text/event-stream') || answer.body === null) {
    response.end(Buffer.from(await answer.arrayBuffer()))
    return
  }
  response.flushHeaders()
  await pipeline(Readable.fromWeb(answer.body), response)
}
