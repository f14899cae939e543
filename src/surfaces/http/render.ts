import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A response body with its ETag and compressed forms, each computed at first use. */
export type Rendered = {
  readonly text: string
  /** Bytes of the text as UTF-8. */
  readonly length: number
  /** ETag, set at first use. Not a getter: V8 gives every object with a getter its own hidden class. */
  tag: string | undefined
  readonly encoded: { [encoding in Encoding]?: Promise<Buffer> }
}

export type Encoding = 'br' | 'gzip'

/** A smaller body fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_400

const cache = new WeakMap<object, Rendered>()

/** Not cached: the caller keeps it. */
export const renderText = (text: string): Rendered => ({
  text,
  length: Buffer.byteLength(text),
  tag: undefined,
  encoded: {},
})

/** A weak ETag: all encodings of an answer share it. */
export const tagOf = (rendered: Rendered): string =>
  (rendered.tag ??= `W/"${createHash('sha256').update(rendered.text).digest('base64url').slice(0, 22)}"`)

/** Renders a body as JSON. A frozen body cannot change, so its rendering is cached as long as the body lives. */
export function render(body: unknown): Rendered {
  if (typeof body !== 'object' || body === null) return renderNow(body)
  // The cache comes first: a lookup is faster than Object.isFrozen.
  const known = cache.get(body)
  if (known) return known
  const rendered = renderNow(body)
  if (Object.isFrozen(body)) cache.set(body, rendered)
  return rendered
}

const renderNow = (body: unknown): Rendered => renderText(JSON.stringify(body))

/** The client's preferred encoding; undefined if it accepts neither or the body is too small. */
export function chooseEncoding(accept: string | undefined, size: number): Encoding | undefined {
  if (accept === undefined || size < MIN_COMPRESSED_BYTES) return undefined
  const weights = new Map<string, number>()
  for (const part of accept.toLowerCase().split(',', 20)) {
    const [name = '', ...parameters] = part.split(';')
    const q = parameters.map((parameter) => /^\s*q=([01](?:\.\d{0,3})?)\s*$/.exec(parameter)?.[1]).find(Boolean)
    weights.set(name.trim(), q === undefined ? 1 : Number(q))
  }
  const weight = (name: Encoding) => weights.get(name) ?? weights.get('*') ?? 0
  const [br, gz] = [weight('br'), weight('gzip')]
  if (br === 0 && gz === 0) return undefined
  return br >= gz ? 'br' : 'gzip'
}

const toGzip = promisify(gzip)
const toBrotli = promisify(brotliCompress)

/** Compresses off the event loop; a cached body is compressed once per encoding. */
export function encode({ text, encoded }: Rendered, encoding: Encoding): Promise<Buffer> {
  encoded[encoding] ??=
    encoding === 'gzip' ? toGzip(text) : toBrotli(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
  return encoded[encoding]
}

/** Whether If-None-Match names this tag; weak comparison, as for every GET. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const bare = etag.replace(/^W\//, '')
  return header.split(',', 50).some((tag) => tag.trim().replace(/^W\//, '') === bare)
}
