import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'

/** A body as it goes over the wire, with what has been made of it so far. */
export type Rendered = {
  readonly text: string
  /** Bytes of the text as UTF-8. */
  readonly length: number
  /** Made when first asked for; no getter, since V8 gives every object with one a hidden class of its own. */
  tag: string | undefined
  readonly encoded: { [encoding in Encoding]?: Promise<Buffer> }
}

export type Encoding = 'br' | 'gzip'

/** Below this a compressed body saves no packet. */
const WORTH_COMPRESSING = 1_400

const kept = new WeakMap<object, Rendered>()

/** Text as it is, kept by whoever asked for it. */
export const renderText = (text: string): Rendered => ({
  text,
  length: Buffer.byteLength(text),
  tag: undefined,
  encoded: {},
})

/** Weak: the same answer in another encoding has the same tag. */
export const tagOf = (rendered: Rendered): string =>
  (rendered.tag ??= `W/"${createHash('sha256').update(rendered.text).digest('base64url').slice(0, 22)}"`)

/** Renders a body as JSON. A frozen body never changes, so it is rendered once for as long as it lives. */
export function render(body: unknown): Rendered {
  if (typeof body !== 'object' || body === null) return renderNow(body)
  // Asked first: to find out whether an object is frozen takes longer than to find it here.
  const known = kept.get(body)
  if (known) return known
  const rendered = renderNow(body)
  if (Object.isFrozen(body)) kept.set(body, rendered)
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
