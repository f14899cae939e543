import { Readable, pipeline } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { BLOCK, type Bytes } from './bytes.ts'
import { RegisterError } from './register-error.ts'
import { dataStart, readDirectory, zipRefused, type Entry } from './zip-directory.ts'

/** A file of the annual set unpacks to some 2 GB, ten to twenty times its size. */
const LARGEST = 32 * 1024 ** 3
const MAX_RATIO = 400
/** Below this size no ratio is suspicious. */
const SMALL = 64 * 1024 ** 2

const STORED = 0
const DEFLATED = 8
const ENCRYPTED = 0x1 | 0x40 | 0x2000

/** The XML in a zip of the register, in pieces. A wrong checksum shows only at the end: until then nothing is sure. */
export async function* zipChunks(file: Bytes): AsyncGenerator<Buffer> {
  const entries = await readDirectory(file)
  for (const { name } of entries) checkName(name)
  const found = entries.filter(({ name }) => /\.xml$/i.test(name))
  const [entry] = found
  if (entry === undefined) throw zipRefused('there is no XML in it')
  if (found.length > 1) throw zipRefused(`it holds ${found.length} XML files, and one of the register holds one`)
  check(entry)
  const nextOffset = Math.min(
    file.size,
    ...entries.map(({ offset }) => offset).filter((offset) => offset > entry.offset),
  )
  const start = await dataStart(file, entry, nextOffset)
  const packed = blocks(file, start, start + entry.packed)
  yield* checked(entry.method === STORED ? packed : inflated(packed, entry.packed), entry)
}

/** The bytes between two places of a file, in blocks. */
export async function* blocks(file: Bytes, from: number, to: number): AsyncGenerator<Buffer> {
  for (let at = from; at < to;) {
    const block = await file.read(at, Math.min(BLOCK, to - at))
    if (block.length === 0) throw new RegisterError('the file became shorter while it was read')
    at += block.length
    yield block
  }
}

function checkName(name: string): void {
  const isSafe = !/^[/\\]|^[A-Za-z]:|[\\\0]/.test(name) && !name.split('/').includes('..') && name !== ''
  if (!isSafe) throw zipRefused(`an entry is named ${JSON.stringify(name.slice(0, 80))}, which leads out of it`)
}

function check({ flags, method, size, packed }: Entry): void {
  if ((flags & ENCRYPTED) !== 0) throw zipRefused('it is encrypted')
  if (method !== STORED && method !== DEFLATED)
    throw zipRefused(`it is packed by method ${method}, which we do not know`)
  if (method === STORED && size !== packed) throw zipRefused('its directory is damaged')
  if (size > LARGEST || (size > SMALL && size > packed * MAX_RATIO)) {
    throw zipRefused(`it claims to unpack ${packed} bytes to ${size}`)
  }
}

async function* inflated(packed: AsyncGenerator<Buffer>, length: number): AsyncGenerator<Buffer> {
  const inflate = createInflateRaw({ chunkSize: 2 * BLOCK })
  // Errors of either end reach the loop below; the callback is only there to keep them from being thrown elsewhere.
  pipeline(Readable.from(packed, { highWaterMark: 2 }), inflate, () => {})
  try {
    for await (const chunk of inflate) yield chunk as Buffer
  } catch (error) {
    if (error instanceof RegisterError || !isZlibError(error)) throw error
    const isShort = error.code === 'Z_BUF_ERROR'
    throw new RegisterError(`the zip is damaged: its data ${isShort ? 'ends too early' : 'cannot be unpacked'}`, {
      cause: error,
    })
  }
  if (inflate.bytesWritten < length) throw new RegisterError('the zip is damaged: its data ends too early')
}

const isZlibError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')

/** Passes on what the directory promised: never a byte more, and an error when it is less or something else. */
async function* checked(chunks: AsyncGenerator<Buffer>, { size, crc }: Entry): AsyncGenerator<Buffer> {
  let seen = 0
  let sum = 0
  for await (const chunk of chunks) {
    seen += chunk.length
    if (seen > size) throw zipRefused('it unpacks to more than its directory says')
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (seen < size) throw new RegisterError('the zip is damaged: it unpacks to less than its directory says')
  if (sum !== crc) throw new RegisterError('the zip is damaged: its checksum is wrong')
}
