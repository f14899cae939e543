import { closeSync, createReadStream, openSync, readSync } from 'node:fs'
import { createGunzip } from 'node:zlib'
import { FeedError } from '../../auction-house.ts'
import { entityDecoder } from './entities.ts'
import type { FeedMap } from './feed-map.ts'
import { unzipLargest } from './unzip-largest.ts'

type Options = Pick<FeedMap, 'encoding' | 'entities' | 'delimiter'> & {
  /** Maximum size after decompression. */
  readonly maxBytes: number
}

const CHUNK_BYTES = 256 * 1024

/** The decompressed and decoded text of a file. Throws FeedError if it is damaged, too large, or a web page. */
export async function* readText(path: string, { maxBytes, encoding, entities, delimiter }: Options) {
  let decoder: InstanceType<typeof TextDecoder> | undefined
  const decodeEntities = entities ? entityDecoder(delimiter) : null
  let size = 0
  let isFirst = true
  const clean = (text: string): string => {
    if (isFirst && text !== '') {
      if (isWebPage(text)) throw new FeedError(WEB_PAGE)
      isFirst = false
    }
    return decodeEntities ? decodeEntities.push(text) : text
  }
  for await (const chunk of readBytes(path)) {
    size += chunk.length
    if (size > maxBytes) throw new FeedError(`The feed is larger than ${maxBytes} bytes.`)
    // TextDecoder removes a byte order mark, and replaces invalid UTF-8 with U+FFFD, which no domain contains.
    decoder ??= new TextDecoder(utf16Of(chunk) ?? encoding)
    yield clean(decoder.decode(chunk, { stream: true }))
  }
  yield clean(decoder?.decode() ?? '')
  if (decodeEntities) yield decodeEntities.end()
}

const WEB_PAGE =
  'The feed is a web page instead of data: its address may have changed, or its server wants a login or a person.'

const isWebPage = (text: string): boolean => /^\s*<(?:!doctype\s+html|html|head|body)\b/i.test(text.slice(0, 1000))

/** UTF-16 begins with a byte order mark or, in any text that starts with ASCII, with a zero byte beside another. */
function utf16Of([first, second]: Uint8Array): string | undefined {
  if (first === undefined || second === undefined) return undefined
  if ((first === 0xff && second === 0xfe) || (first !== 0 && second === 0)) return 'utf-16le'
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be'
  return undefined
}

async function* readBytes(path: string): AsyncGenerator<Buffer> {
  const [first, second] = firstBytes(path)
  if (first === 0x50 && second === 0x4b) return yield* unzipLargest(path)
  const plain = createReadStream(path, { highWaterMark: CHUNK_BYTES })
  if (first !== 0x1f || second !== 0x8b) return yield* plain as AsyncIterable<Buffer>
  const unpacked = plain.pipe(createGunzip({ chunkSize: CHUNK_BYTES }))
  plain.on('error', (error) => unpacked.destroy(error))
  try {
    yield* unpacked as AsyncIterable<Buffer>
  } catch (error) {
    throw new FeedError('The gzip file is damaged or truncated.', { cause: error })
  } finally {
    plain.destroy()
  }
}

function firstBytes(path: string): Buffer {
  const handle = openSync(path, 'r')
  try {
    const bytes = Buffer.alloc(2)
    return bytes.subarray(0, readSync(handle, bytes, 0, 2, 0))
  } finally {
    closeSync(handle)
  }
}
