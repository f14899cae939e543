import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A body as it goes over the wire, in as many encodings as have been asked for so far. */
export type Rendered = {
  readonly text: string
  readonly bytes: Buffer
  readonly etag: string
  readonly encoded: Map<Encoding, Promise<Buffer>>
}

export type Encoding = 'br' | 'gzip'

/** Below this a compressed body saves no packet. */
const WORTH_COMPRESSING = 1_400

const kept = new WeakMap<object, Rendered>()

/** Text as it is, kept by whoever asked for it. */
export function renderText(text: string): Rendered {
  const bytes = Buffer.from(text)
  let etag: string | undefined
  return {
    text,
    bytes,
    // Weak: the same answer in another encoding has the same tag. Hashed only for answers that are asked for it.
    get etag() {
      etag ??= `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 22)}"`
      return etag
    },
    encoded: new Map(),
  }
}

/** Renders a body as JSON. A frozen body never changes, so it is rendered once for as long as it lives. */
export function render(body: unknown): Rendered {
  if (typeof body !== 'object' || body === null || !Object.isFrozen(body)) return renderNow(body)
  let rendered = kept.get(body)
  if (!rendered) {
    rendered = renderNow(body)
    kept.set(body, rendered)
  }
  return rendered
}

const renderNow = (body: unknown): Rendered => renderText(JSON.stringify(body))

/** The encoding the client prefers among ours, where compressing this body is worth it. */
export function chooseEncoding(accept: string | undefined, size: number): Encoding | undefined {
  if (accept === undefined || size < WORTH_COMPRESSING) return undefined
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

/** The body in an encoding; work for a kept body is done once, off the event loop. */
export function encode(rendered: Rendered, encoding: Encoding): Promise<Buffer> {
  let encoded = rendered.encoded.get(encoding)
  if (!encoded) {
    encoded =
      encoding === 'gzip'
        ? toGzip(rendered.bytes)
        : toBrotli(rendered.bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } })
    rendered.encoded.set(encoding, encoded)
  }
  return encoded
}

/** Whether If-None-Match names this tag; weak comparison, as for every GET. */
export function matchesTag(header: string | undefined, etag: string): boolean {
  if (header === undefined) return false
  if (header.trim() === '*') return true
  const bare = etag.replace(/^W\//, '')
  return header.split(',', 50).some((tag) => tag.trim().replace(/^W\//, '') === bare)
}
