import type { RandomAccess } from '../random-access.ts'
import { cutOff, refused } from './zip-error.ts'

const END_SIGNATURE = 0x06054b50
const ZIP64_END_SIGNATURE = 0x06064b50
const ZIP64_LOCATOR_SIGNATURE = 0x07064b50
const ENTRY_SIGNATURE = 0x02014b50
const LOCAL_SIGNATURE = 0x04034b50
const END_BYTES = 22
const ZIP64_END_BYTES = 56
const ZIP64_LOCATOR_BYTES = 20
const ENTRY_BYTES = 46
const LOCAL_BYTES = 30
const MAX_COMMENT_BYTES = 0xffff
const ZIP64_EXTRA_FIELD = 1
/** A field with this value does not fit, and its zip64 counterpart has the real one. */
const OVERFLOW_16 = 0xffff
const OVERFLOW_32 = 0xffffffff
/** Flags that change how the data is read. Others may differ between the directory and the local header. */
export const ENCRYPTED_FLAGS = 0x1 | 0x40 | 0x2000

export type ZipEntry = {
  readonly name: string
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packedBytes: number
  /** Unpacked. */
  readonly bytes: number
  /** Of its local header. */
  readonly offset: number
  /** Its local header and data end here or later: the local header may have more extra fields. */
  readonly minEnd: number
}

type Directory = { readonly offset: number; readonly bytes: number; readonly count: number }
type DirectoryLimits = { readonly maxEntries: number; readonly maxDirectoryBytes: number }

async function readExactly(file: RandomAccess, position: number, length: number, what: string): Promise<Buffer> {
  if (position < 0 || position + length > file.size) throw cutOff(`${what} lies outside the file`)
  const bytes = await file.read(position, length)
  if (bytes.length < length) throw cutOff(`${what} is incomplete`)
  return bytes
}

function readUInt64(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw refused('it claims impossible sizes')
  return Number(value)
}

/** All entries of the central directory at the end of the zip. */
export async function readDirectory(file: RandomAccess, limits: DirectoryLimits): Promise<ZipEntry[]> {
  const directory = await findDirectory(file)
  if (directory.count > limits.maxEntries)
    throw refused(`it has ${directory.count} entries, and ${limits.maxEntries} are allowed`)
  if (directory.bytes > limits.maxDirectoryBytes)
    throw refused(`its directory has ${directory.bytes} bytes, and ${limits.maxDirectoryBytes} are allowed`)
  const bytes = await readExactly(file, directory.offset, directory.bytes, 'its directory')
  const entries: ZipEntry[] = []
  let at = 0
  while (at < bytes.length) {
    if (at + ENTRY_BYTES > bytes.length || bytes.readUInt32LE(at) !== ENTRY_SIGNATURE) {
      throw refused('its directory is damaged')
    }
    const nameEnd = at + ENTRY_BYTES + bytes.readUInt16LE(at + 28)
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
    const next = extraEnd + bytes.readUInt16LE(at + 32)
    if (next > bytes.length) throw refused('its directory is damaged')
    entries.push(parseEntry(bytes, at, nameEnd, extraEnd))
    at = next
  }
  if (entries.length !== directory.count) throw refused('its directory miscounts its entries')
  checkOverlap(entries, directory.offset)
  return entries
}

async function findDirectory(file: RandomAccess): Promise<Directory> {
  const length = Math.min(file.size, END_BYTES + MAX_COMMENT_BYTES)
  const start = file.size - length
  const tail = await readExactly(file, start, length, 'its end')
  for (let at = tail.length - END_BYTES; at >= 0; at--) {
    const isEnd = tail.readUInt32LE(at) === END_SIGNATURE
    if (!isEnd || at + END_BYTES + tail.readUInt16LE(at + 20) !== tail.length) continue
    const isWhole = tail.readUInt16LE(at + 4) === 0 && tail.readUInt16LE(at + 6) === 0
    if (!isWhole && tail.readUInt16LE(at + 4) !== OVERFLOW_16) throw refused('it is one part of a split zip')
    const count = tail.readUInt16LE(at + 10)
    const plain = { offset: tail.readUInt32LE(at + 16), bytes: tail.readUInt32LE(at + 12), count }
    const isZip64 = count === OVERFLOW_16 || plain.offset === OVERFLOW_32 || plain.bytes === OVERFLOW_32
    const directory = isZip64 ? await findZip64Directory(file, start + at, plain) : plain
    if (directory.offset + directory.bytes > start + at) throw refused('its directory is damaged')
    return directory
  }
  throw cutOff('the directory at its end is missing')
}

async function findZip64Directory(file: RandomAccess, endAt: number, plain: Directory): Promise<Directory> {
  if (endAt < ZIP64_LOCATOR_BYTES) return plain
  const locator = await readExactly(file, endAt - ZIP64_LOCATOR_BYTES, ZIP64_LOCATOR_BYTES, 'its end')
  if (locator.readUInt32LE(0) !== ZIP64_LOCATOR_SIGNATURE) return plain
  const end = await readExactly(file, readUInt64(locator, 8), ZIP64_END_BYTES, 'its directory')
  if (end.readUInt32LE(0) !== ZIP64_END_SIGNATURE) throw refused('its directory is damaged')
  return { offset: readUInt64(end, 48), bytes: readUInt64(end, 40), count: readUInt64(end, 32) }
}

function parseEntry(bytes: Buffer, at: number, nameEnd: number, extraEnd: number): ZipEntry {
  const name = bytes.toString('utf8', at + ENTRY_BYTES, nameEnd)
  const fields = {
    bytes: bytes.readUInt32LE(at + 24),
    packedBytes: bytes.readUInt32LE(at + 20),
    offset: bytes.readUInt32LE(at + 42),
  }
  const sizes = parseZip64Sizes(fields, bytes.subarray(nameEnd, extraEnd))
  return {
    name,
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    crc: bytes.readUInt32LE(at + 16),
    ...sizes,
    minEnd: sizes.offset + LOCAL_BYTES + (nameEnd - at - ENTRY_BYTES) + sizes.packedBytes,
  }
}

type Sizes = Pick<ZipEntry, 'bytes' | 'packedBytes' | 'offset'>

/** Values that overflow 32 bits are in the zip64 extra field, in this order and only those. */
function parseZip64Sizes(fields: Sizes, extra: Buffer): Sizes {
  if (Math.max(fields.bytes, fields.packedBytes, fields.offset) < OVERFLOW_32) return fields
  let at = 0
  while (at + 4 <= extra.length) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (end > extra.length) break
    if (extra.readUInt16LE(at) === ZIP64_EXTRA_FIELD) {
      let from = at + 4
      const next = (value: number) => {
        if (value < OVERFLOW_32) return value
        if (from + 8 > end) throw refused('its directory is damaged')
        from += 8
        return readUInt64(extra, from - 8)
      }
      return { bytes: next(fields.bytes), packedBytes: next(fields.packedBytes), offset: next(fields.offset) }
    }
    at = end
  }
  return fields
}

/** Overlapping entries are how a small zip unpacks to an enormous size. */
function checkOverlap(entries: readonly ZipEntry[], directoryOffset: number): void {
  const inOrder = [...entries].sort((a, b) => a.offset - b.offset)
  for (const [index, entry] of inOrder.entries()) {
    if (entry.minEnd > (inOrder[index + 1]?.offset ?? directoryOffset)) throw refused('its entries overlap')
  }
}

/** The offset of an entry's data. Its local header must agree with the directory, and the data end before `limit`. */
export async function findDataStart(file: RandomAccess, entry: ZipEntry, limit: number): Promise<number> {
  const header = await readExactly(file, entry.offset, LOCAL_BYTES, 'an entry')
  if (header.readUInt32LE(0) !== LOCAL_SIGNATURE) throw refused('its directory does not point to an entry')
  const nameLength = header.readUInt16LE(26)
  const name = await readExactly(file, entry.offset + LOCAL_BYTES, nameLength, 'an entry')
  const isSameEncryption = ((header.readUInt16LE(6) ^ entry.flags) & ENCRYPTED_FLAGS) === 0
  const agrees = header.readUInt16LE(8) === entry.method && isSameEncryption
  if (!agrees || name.toString() !== entry.name) throw refused('its directory and its entry disagree')
  const start = entry.offset + LOCAL_BYTES + nameLength + header.readUInt16LE(28)
  if (start + entry.packedBytes > limit) throw refused('its entries overlap')
  return start
}
