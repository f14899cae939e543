import type { Readable } from 'node:stream'
import { promisify } from 'node:util'
import { brotliDecompress, gunzip, inflate, inflateRaw, zstdDecompress } from 'node:zlib'

type Decode = (bytes: Uint8Array, limits: { maxOutputLength: number }) => Promise<Uint8Array>

const inflateWrapped: Decode = promisify(inflate)
const inflateBare: Decode = promisify(inflateRaw)
const unzip: Decode = promisify(gunzip)

const DECODERS: ReadonlyMap<string, Decode> = new Map([
  ['gzip', unzip],
  ['x-gzip', unzip],
  // `deflate` means a zlib wrapper, but some servers send the bare stream; the first byte of the wrapper tells.
  ['deflate', (bytes, limits) => ((bytes[0]! & 0x0f) === 8 ? inflateWrapped : inflateBare)(bytes, limits)],
  ['br', promisify(brotliDecompress)],
  ['zstd', promisify(zstdDecompress)],
] satisfies [string, Decode][])

export const ACCEPT_ENCODING = 'gzip, deflate, br, zstd'

/** The body is not accepted: too large, or with an unknown encoding. The message may be shown to users. */
export class BodyError extends Error {
  override readonly name = 'BodyError'
}

/** Throws BodyError if the body would not be accepted: by its encoding, or its announced size. */
export function assertReadable(
  contentEncoding: string | undefined,
  contentLength: string | undefined,
  maxBytes: number,
): void {
  const encoding = parseEncoding(contentEncoding)
  if (encoding !== '' && !DECODERS.has(encoding)) throw new BodyError('its body has an unknown content encoding')
  if (Number(contentLength) > maxBytes) throw tooLarge(maxBytes)
}

/** The body without its content encoding. `maxBytes` applies to the decompressed size. */
export async function decodeBody(
  bytes: Uint8Array,
  contentEncoding: string | undefined,
  maxBytes: number,
): Promise<Uint8Array> {
  const decode = DECODERS.get(parseEncoding(contentEncoding))
  return decode && bytes.length > 0 ? decompress(decode, bytes, maxBytes) : bytes
}

/** Empty for a body that is sent as it is. */
function parseEncoding(contentEncoding: string | undefined): string {
  const encoding = contentEncoding?.trim().toLowerCase() ?? ''
  return encoding === 'identity' ? '' : encoding
}

/** Destroys a body that is not read, and the connection it occupies. */
export function discard(body: Readable): void {
  body.on('error', () => {}).destroy()
}

async function decompress(decode: Decode, bytes: Uint8Array, maxBytes: number): Promise<Uint8Array> {
  try {
    return await decode(bytes, { maxOutputLength: maxBytes })
  } catch (cause) {
    if (cause instanceof RangeError) throw tooLarge(maxBytes, cause)
    throw new BodyError('its body cannot be decompressed', { cause })
  }
}

export const tooLarge = (maxBytes: number, cause?: unknown): BodyError =>
  new BodyError(`its body is larger than ${maxBytes} bytes`, { cause })
