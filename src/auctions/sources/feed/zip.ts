import { closeSync, createReadStream, fstatSync, openSync, readSync } from 'node:fs'
import { crc32, createInflateRaw } from 'node:zlib'
import { FeedError } from '../../auction-house.ts'

const END_SIGNATURE = 0x06054b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const END_SIZE = 22
const MAX_COMMENT_LENGTH = 0xffff
const ZIP64 = 0xffff_ffff

type Entry = {
  readonly method: number
  readonly flags: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  readonly local: number
}

/** What is in a zip with one file, a piece at a time. Where there are several, the largest is the feed. */
export async function* unzipped(path: string): AsyncGenerator<Buffer> {
  const handle = openSync(path, 'r')
  let entry: Entry
  let start: number
  try {
    entry = largestEntry(handle)
    start = dataStart(handle, entry)
  } finally {
    closeSync(handle)
  }
  const packed = createReadStream(path, { start, end: start + entry.packed - 1 })
  const stream = entry.method === 0 ? packed : packed.pipe(createInflateRaw())
  packed.on('error', (error) => stream.destroy(error))
  let size = 0
  let crc = 0
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      size += chunk.length
      crc = crc32(chunk, crc)
      if (size > entry.size) throw new FeedError('The zip holds more than it says.')
      yield chunk
    }
  } catch (error) {
    throw error instanceof FeedError ? error : new FeedError('The zip cannot be unpacked.', { cause: error })
  } finally {
    packed.destroy()
  }
  if (size !== entry.size || crc !== entry.crc) throw new FeedError('The zip is damaged.')
}

function largestEntry(handle: number): Entry {
  const { size } = fstatSync(handle)
  const tail = read(
    handle,
    Math.max(0, size - END_SIZE - MAX_COMMENT_LENGTH),
    Math.min(size, END_SIZE + MAX_COMMENT_LENGTH),
  )
  let at = tail.length - END_SIZE
  while (at >= 0 && tail.readUInt32LE(at) !== END_SIGNATURE) at--
  if (at < 0) throw new FeedError('The zip breaks off.')
  const count = tail.readUInt16LE(at + 10)
  const directory = tail.readUInt32LE(at + 12)
  const offset = tail.readUInt32LE(at + 16)
  if (offset === ZIP64 || count === 0xffff)
    throw new FeedError('The zip is of the 64-bit kind, which is not read here.')
  if (offset + directory > size || directory > 16 * 1024 * 1024) throw new FeedError('The zip is damaged.')
  const entries = entriesOf(read(handle, offset, directory), count)
  const [largest] = entries.toSorted((a, b) => b.size - a.size)
  if (!largest || largest.size === 0) throw new FeedError('The zip is empty.')
  if (largest.size === ZIP64 || largest.packed === ZIP64) {
    throw new FeedError('The zip is of the 64-bit kind, which is not read here.')
  }
  if ((largest.flags & 1) !== 0) throw new FeedError('The zip is encrypted.')
  if (largest.method !== 0 && largest.method !== 8) throw new FeedError('The zip is packed in a way we do not know.')
  return largest
}

function entriesOf(directory: Buffer, count: number): Entry[] {
  const entries: Entry[] = []
  for (let at = 0, each = 0; each < count; each++) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== ENTRY_SIGNATURE) {
      throw new FeedError('The zip is damaged.')
    }
    entries.push({
      flags: directory.readUInt16LE(at + 8),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packed: directory.readUInt32LE(at + 20),
      size: directory.readUInt32LE(at + 24),
      local: directory.readUInt32LE(at + 42),
    })
    at += 46 + directory.readUInt16LE(at + 28) + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}

function dataStart(handle: number, { local, packed }: Entry): number {
  const { size } = fstatSync(handle)
  const head = read(handle, local, Math.min(30, Math.max(0, size - local)))
  if (head.length < 30 || head.readUInt32LE(0) !== LOCAL_SIGNATURE) throw new FeedError('The zip is damaged.')
  const start = local + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
  if (packed === 0 || start + packed > size) throw new FeedError('The zip is damaged.')
  return start
}

function read(handle: number, position: number, length: number): Buffer {
  const buffer = Buffer.alloc(length)
  let done = 0
  while (done < length) {
    const got = readSync(handle, buffer, done, length - done, position + done)
    if (got === 0) break
    done += got
  }
  return buffer.subarray(0, done)
}
