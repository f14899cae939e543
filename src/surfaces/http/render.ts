import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { NextTurn } from '../../kernel/event-loop.ts'

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

/** A body whose text may be bytes already. */
export type RenderedBody = Omit<Rendered, 'text'> & { readonly text: string | Buffer }

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
export const bodyOf = (rendered: RenderedBody): string | Buffer =>
  rendered.isShared && rendered.length >= MIN_SHARED_BYTES && typeof rendered.text === 'string'
    ? (rendered.bytes ??= Buffer.from(rendered.text))
    : rendered.text

/** A weak ETag: all encodings of an answer share it. */
export const tagOf = (rendered: RenderedBody): string =>
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

/** Entries of a list serialized in one step: with evidence they take about two milliseconds. */
export const ENTRIES_PER_STEP = 500

/** Renders a body with lists of thousands of entries in steps, so that other requests are served in between. */
export async function renderInSteps(body: object, nextTurn: NextTurn): Promise<RenderedBody> {
  const parts: Buffer[] = []
  const add = (text: string) => void parts.push(Buffer.from(text))
  let separator = '{'
  for (const [field, value] of Object.entries(body)) {
    if (value === undefined) continue
    add(`${separator}${JSON.stringify(field)}:`)
    separator = ','
    if (!Array.isArray(value) || value.length <= ENTRIES_PER_STEP) {
      add(JSON.stringify(value))
      continue
    }
    for (let at = 0; at < value.length; at += ENTRIES_PER_STEP) {
      await nextTurn()
      // Without the brackets of the slice.
      const entries = JSON.stringify(value.slice(at, at + ENTRIES_PER_STEP)).slice(1, -1)
      add(`${at === 0 ? '[' : ','}${entries}`)
    }
    add(']')
  }
  add(separator === '{' ? '{}' : '}')
  const text = Buffer.concat(parts)
  return { text, length: text.length, tag: undefined, isShared: false, bytes: undefined, encoded: {} }
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
export function encode({ text, encoded }: RenderedBody, encoding: Encoding): Promise<Buffer> {
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
