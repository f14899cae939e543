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
  /** Whether it is sent more than once. */
  readonly isShared: boolean
  /** The text as UTF-8, set at first use. */
  bytes: Buffer | undefined
  readonly encoded: { [encoding in Encoding]?: Promise<Buffer> }
}

export type Encoding = 'br' | 'gzip'

/** A smaller body fits into one packet anyway. */
const MIN_COMPRESSED_BYTES = 1_400

/** A smaller body is sent faster as a string: in one write with the headers. */
const MIN_SHARED_BYTES = 16 * 1024

const cache = new WeakMap<object, Rendered>()

/** Not cached: the caller keeps it if `isShared`. */
export const renderText = (text: string, isShared: boolean): Rendered => ({
  text,
  length: Buffer.byteLength(text),
  tag: undefined,
  isShared,
  bytes: undefined,
  encoded: {},
})

/**
 * What to send without compression. A large shared body is bytes made once: a string would be encoded, and copied, for
 * every client, and a client that reads slowly would hold its own copy.
 */
export const bodyOf = (rendered: Rendered): string | Buffer =>
  rendered.isShared && rendered.length >= MIN_SHARED_BYTES
    ? (rendered.bytes ??= Buffer.from(rendered.text))
    : rendered.text

/** A weak ETag: all encodings of an answer share it. */
export const tagOf = (rendered: Rendered): string =>
  (rendered.tag ??= `W/"${createHash('sha256').update(rendered.text).digest('base64url').slice(0, 22)}"`)

/** Renders a body as JSON. A frozen body cannot change, so its rendering is cached as long as the body lives. */
export function render(body: unknown): Rendered {
  if (typeof body !== 'object' || body === null) return renderText(JSON.stringify(body), false)
  // The cache comes first: a lookup is faster than Object.isFrozen.
  const known = cache.get(body)
  if (known) return known
  const isFrozen = Object.isFrozen(body)
  const rendered = renderText(JSON.stringify(body), isFrozen)
  if (isFrozen) cache.set(body, rendered)
  return rendered
}

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
