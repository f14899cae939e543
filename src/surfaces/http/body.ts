import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { duplicateFieldError } from '../../kernel/input.ts'

/** All POST bodies of the contract are small JSON objects. */
const BODY_LIMIT = 16 * 1024

/** What may still arrive of a body nobody will read before its connection is cut. */
const DISCARD_LIMIT = 256 * 1024
const DISCARD_MS = 5_000

/** Reads the JSON object an endpoint takes, of at most `maxBodyBytes` bytes, or throws `invalid_request`. */
export async function readJsonObject(
  request: IncomingMessage,
  { maxBodyBytes = BODY_LIMIT, complaints }: Pick<Endpoint, 'maxBodyBytes' | 'complaints'>,
): Promise<Record<string, unknown>> {
  const type = request.headers['content-type']
  if (type !== undefined && !/^application\/(?:[\w.+-]+\+)?json\s*(?:;|$)/i.test(type)) {
    throw refuse('The body must be JSON: send it with Content-Type: application/json.')
  }
  if (request.headers['content-encoding'] !== undefined) throw refuse('The body must not be compressed.')
  const bytes = await readBytes(request, maxBodyBytes)
  let text: string
  let value: unknown
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes)
    value = JSON.parse(text)
  } catch (cause) {
    throw refuse(bytes.length === 0 ? 'The body is empty; send a JSON object.' : 'The body is not valid JSON.', cause)
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('The body must be a JSON object.')
  }
  const twice = repeatedField(text)
  if (twice !== undefined) throw duplicateFieldError(complaints, twice)
  return value as Record<string, unknown>
}

/** The first field that a valid JSON object has twice: the parser would keep the last and say nothing. */
function repeatedField(json: string): string | undefined {
  const fields = new Set<string>()
  let depth = 0
  for (const [token, key] of json.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|[{}[\]]/g)) {
    if (token === '{' || token === '[') depth++
    else if (token === '}' || token === ']') depth--
    if (key === undefined || depth !== 1) continue
    const field = JSON.parse(key) as string
    if (fields.has(field)) return field
    fields.add(field)
  }
  return undefined
}

async function readBytes(request: IncomingMessage, limit: number): Promise<Buffer> {
  const tooLarge = () => refuse(`The body is larger than the ${limit} bytes it may have.`)
  // Refused by its announced length before a byte of it is read.
  if (Number(request.headers['content-length'] ?? 0) > limit) throw tooLarge()
  const chunks: Buffer[] = []
  let size = 0
  try {
    for await (const chunk of request.iterator({ destroyOnReturn: false })) {
      size += (chunk as Buffer).length
      if (size > limit) throw tooLarge()
      chunks.push(chunk as Buffer)
    }
  } catch (error) {
    throw error instanceof ApiError ? error : refuse('The body broke off before its end.', error)
  }
  return Buffer.concat(chunks)
}

const refuse = (message: string, cause?: unknown): ApiError => new ApiError('invalid_request', message, { cause })

/**
 * Lets the rest of an unread body run out while the answer is on its way, so that the client gets to read the answer,
 * but cuts a client that keeps pushing.
 */
export function discardBody(request: IncomingMessage): void {
  if (request.complete || request.destroyed) return
  let size = 0
  const cut = () => request.socket.destroy()
  const timer = setTimeout(cut, DISCARD_MS)
  timer.unref()
  request.on('data', (chunk: Buffer) => {
    size += chunk.length
    if (size > DISCARD_LIMIT) cut()
  })
  request.once('close', () => clearTimeout(timer))
  request.on('error', () => {})
  request.resume()
}
