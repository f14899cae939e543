import { Readable, pipeline } from 'node:stream'
import { createInflateRaw } from 'node:zlib'
import { crc32 } from '../crc32.ts'
import { BLOCK_BYTES, readBlocks, type RandomAccess } from '../random-access.ts'
import { ENCRYPTED_FLAGS, findDataStart, readDirectory, type ZipEntry } from './directory.ts'
import { damaged, refused, ZipError } from './zip-error.ts'

export type ZipLimits = {
  readonly maxEntries: number
  readonly maxDirectoryBytes: number
  /** Of the chosen entry, unpacked. */
  readonly maxUnpackedBytes: number
  /** Unpacked size divided by packed size. Not applied to entries below `RATIO_CHECK_BYTES`. */
  readonly maxRatio: number
}

const DEFAULT_LIMITS: ZipLimits = {
  maxEntries: 10_000,
  maxDirectoryBytes: 16 * 1024 ** 2,
  maxUnpackedBytes: 32 * 1024 ** 3,
  maxRatio: 400,
}
const RATIO_CHECK_BYTES = 64 * 1024 ** 2

const STORED = 0
const DEFLATED = 8

/**
 * The unpacked bytes of one entry, which `choose` picks from the directory. Throws ZipError if the zip is damaged, hostile
 * or beyond the limits. A wrong checksum shows only after the last byte: do not rely on the data before the end.
 */
export async function* unzip(
  file: RandomAccess,
  choose: (entries: readonly ZipEntry[]) => ZipEntry,
  limits: Partial<ZipLimits> = {},
): AsyncGenerator<Buffer> {
  const allowed = { ...DEFAULT_LIMITS, ...limits }
  const entries = await readDirectory(file, allowed)
  const entry = choose(entries)
  checkEntry(entry, allowed)
  const followingOffsets = entries.map(({ offset }) => offset).filter((offset) => offset > entry.offset)
  // In a loop: a zip may have more entries than a call may have arguments.
  const dataLimit = followingOffsets.reduce((least, offset) => Math.min(least, offset), file.size)
  const start = await findDataStart(file, entry, dataLimit)
  const packed = readBlocks(file, start, start + entry.packedBytes)
  yield* verify(entry.method === STORED ? packed : inflate(packed, entry.packedBytes), entry)
}

function checkEntry({ flags, method, bytes, packedBytes }: ZipEntry, { maxUnpackedBytes, maxRatio }: ZipLimits): void {
  if ((flags & ENCRYPTED_FLAGS) !== 0) throw refused('it is encrypted')
  if (method !== STORED && method !== DEFLATED)
    throw refused(`its compression method ${method} is not supported, only deflate and stored are`)
  if (method === STORED && bytes !== packedBytes) throw refused('its directory is damaged')
  if (bytes > maxUnpackedBytes || (bytes > RATIO_CHECK_BYTES && bytes > packedBytes * maxRatio)) {
    throw refused(`it claims to unpack ${packedBytes} bytes to ${bytes}`)
  }
}

async function* inflate(packed: AsyncGenerator<Buffer>, packedBytes: number): AsyncGenerator<Buffer> {
  const inflater = createInflateRaw({ chunkSize: 4 * BLOCK_BYTES })
  // Errors of both streams reach the loop below. The callback only prevents an uncaught exception.
  pipeline(Readable.from(packed, { highWaterMark: 2 }), inflater, () => {})
  try {
    for await (const chunk of inflater) yield chunk as Buffer
  } catch (error) {
    if (error instanceof ZipError || !isZlibError(error)) throw error
    const isShort = error.code === 'Z_BUF_ERROR'
    throw damaged(`its data ${isShort ? 'ends too early' : 'cannot be unpacked'}`, error)
  }
  if (inflater.bytesWritten < packedBytes) throw damaged('its data ends too early')
}

const isZlibError = (error: unknown): error is Error & { code: string } =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && error.code.startsWith('Z_')

/** Passes the data on and compares its size and checksum with the directory. Never yields more than announced. */
async function* verify(chunks: AsyncGenerator<Buffer>, { bytes, crc }: ZipEntry): AsyncGenerator<Buffer> {
  let seen = 0
  let sum = 0
  for await (const chunk of chunks) {
    seen += chunk.length
    if (seen > bytes) throw refused('it unpacks to more than its directory says')
    sum = crc32(chunk, sum)
    yield chunk
  }
  if (seen < bytes) throw damaged('it unpacks to less than its directory says')
  if (sum !== crc) throw damaged('its checksum is wrong')
}
