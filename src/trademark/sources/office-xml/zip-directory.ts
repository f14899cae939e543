import type { Bytes } from './bytes.ts'
import { RegisterError } from './register-error.ts'

const END = 0x06054b50
const END_64 = 0x06064b50
const LOCATOR_64 = 0x07064b50
const ENTRY = 0x02014b50
const LOCAL = 0x04034b50
const END_LENGTH = 22
const MAX_COMMENT_LENGTH = 0xffff
const ENTRY_LENGTH = 46
const LOCAL_LENGTH = 30
const FULL_16 = 0xffff
const FULL_32 = 0xffffffff

/** A zip of the register has one entry. */
const MAX_DIRECTORY_BYTES = 1024 * 1024

export type Entry = {
  readonly name: string
  readonly flags: number
  readonly method: number
  readonly crc: number
  readonly packed: number
  readonly size: number
  /** Of its local header. */
  readonly offset: number
  /** Where its local header and data end at the earliest. */
  readonly end: number
}

export const zipRefused = (why: string) => new RegisterError(`the zip is refused: ${why}`)
const cutOff = (what: string) => new RegisterError(`the zip is cut off: ${what}`)

async function exactly(file: Bytes, position: number, length: number, what: string): Promise<Buffer> {
  if (position < 0 || position + length > file.size) throw cutOff(`${what} lies outside the file`)
  const bytes = await file.read(position, length)
  if (bytes.length < length) throw cutOff(`${what} cannot be read whole`)
  return bytes
}

/** A number of 64 bits that must be one of this world. */
function large(bytes: Buffer, at: number): number {
  const value = bytes.readBigUInt64LE(at)
  if (value > BigInt(Number.MAX_SAFE_INTEGER)) throw zipRefused('it claims impossible sizes')
  return Number(value)
}

type Directory = { readonly offset: number; readonly length: number; readonly count: number }

/** All entries, as the directory at the end of the zip tells them. */
export async function readDirectory(file: Bytes): Promise<Entry[]> {
  const directory = await findDirectory(file)
  if (directory.length > MAX_DIRECTORY_BYTES) throw zipRefused('its directory is far larger than that of the register')
  const bytes = await exactly(file, directory.offset, directory.length, 'its directory')
  const entries: Entry[] = []
  let at = 0
  while (at < bytes.length) {
    if (at + ENTRY_LENGTH > bytes.length || bytes.readUInt32LE(at) !== ENTRY) {
      throw zipRefused('its directory is damaged')
    }
    const nameEnd = at + ENTRY_LENGTH + bytes.readUInt16LE(at + 28)
    const extraEnd = nameEnd + bytes.readUInt16LE(at + 30)
    const next = extraEnd + bytes.readUInt16LE(at + 32)
    if (next > bytes.length) throw zipRefused('its directory is damaged')
    entries.push(readEntry(bytes, at, nameEnd, extraEnd))
    at = next
  }
  if (entries.length !== directory.count) throw zipRefused('its directory miscounts its entries')
  checkLayout(entries, directory.offset)
  return entries
}

async function findDirectory(file: Bytes): Promise<Directory> {
  const length = Math.min(file.size, END_LENGTH + MAX_COMMENT_LENGTH)
  const start = file.size - length
  const tail = await exactly(file, start, length, 'its end')
  for (let at = tail.length - END_LENGTH; at >= 0; at--) {
    if (tail.readUInt32LE(at) !== END || at + END_LENGTH + tail.readUInt16LE(at + 20) !== tail.length) continue
    const isAlone = tail.readUInt16LE(at + 4) === 0 && tail.readUInt16LE(at + 6) === 0
    const count = tail.readUInt16LE(at + 10)
    const plain = { offset: tail.readUInt32LE(at + 16), length: tail.readUInt32LE(at + 12), count }
    if (!isAlone && tail.readUInt16LE(at + 4) !== FULL_16) throw zipRefused('it is one part of several')
    const isLarge = count === FULL_16 || plain.offset === FULL_32 || plain.length === FULL_32
    const directory = isLarge ? await findLargeDirectory(file, start + at, plain) : plain
    if (directory.offset + directory.length > start + at) throw zipRefused('its directory is damaged')
    return directory
  }
  throw cutOff('the directory at its end is missing')
}

async function findLargeDirectory(file: Bytes, endAt: number, plain: Directory): Promise<Directory> {
  if (endAt < 20) return plain
  const locator = await exactly(file, endAt - 20, 20, 'its end')
  if (locator.readUInt32LE(0) !== LOCATOR_64) return plain
  const end = await exactly(file, large(locator, 8), 56, 'its directory')
  if (end.readUInt32LE(0) !== END_64) throw zipRefused('its directory is damaged')
  return { offset: large(end, 48), length: large(end, 40), count: large(end, 32) }
}

function readEntry(bytes: Buffer, at: number, nameEnd: number, extraEnd: number): Entry {
  const name = bytes.toString('utf8', at + ENTRY_LENGTH, nameEnd)
  const short = {
    size: bytes.readUInt32LE(at + 24),
    packed: bytes.readUInt32LE(at + 20),
    offset: bytes.readUInt32LE(at + 42),
  }
  const { size, packed, offset } = withLargeSizes(short, bytes.subarray(nameEnd, extraEnd))
  return {
    name,
    flags: bytes.readUInt16LE(at + 8),
    method: bytes.readUInt16LE(at + 10),
    crc: bytes.readUInt32LE(at + 16),
    packed,
    size,
    offset,
    end: offset + LOCAL_LENGTH + (nameEnd - at - ENTRY_LENGTH) + packed,
  }
}

type Sizes = { readonly size: number; readonly packed: number; readonly offset: number }

/** What does not fit into 32 bits stands in an extra field, in this order and only where needed. */
function withLargeSizes(short: Sizes, extra: Buffer): Sizes {
  if (Math.max(short.size, short.packed, short.offset) < FULL_32) return short
  let at = 0
  while (at + 4 <= extra.length) {
    const end = at + 4 + extra.readUInt16LE(at + 2)
    if (end > extra.length) break
    if (extra.readUInt16LE(at) === 1) {
      let from = at + 4
      const next = (value: number) => {
        if (value < FULL_32) return value
        if (from + 8 > end) throw zipRefused('its directory is damaged')
        from += 8
        return large(extra, from - 8)
      }
      return { size: next(short.size), packed: next(short.packed), offset: next(short.offset) }
    }
    at = end
  }
  return short
}

/** Entries that share bytes are how a small zip becomes an endless one. */
function checkLayout(entries: readonly Entry[], directoryOffset: number): void {
  const inOrder = [...entries].sort((a, b) => a.offset - b.offset)
  for (const [index, entry] of inOrder.entries()) {
    if (entry.end > (inOrder[index + 1]?.offset ?? directoryOffset)) throw zipRefused('its entries overlap')
  }
}

/** Where the data of an entry begins. Its local header must tell the same story as the directory. */
export async function dataStart(file: Bytes, entry: Entry, limit: number): Promise<number> {
  const header = await exactly(file, entry.offset, LOCAL_LENGTH, 'an entry')
  if (header.readUInt32LE(0) !== LOCAL) throw zipRefused('its directory points to no entry')
  const nameLength = header.readUInt16LE(26)
  const name = await exactly(file, entry.offset + LOCAL_LENGTH, nameLength, 'an entry')
  const agrees = header.readUInt16LE(8) === entry.method && header.readUInt16LE(6) === entry.flags
  if (!agrees || name.toString() !== entry.name) throw zipRefused('its directory and its entry disagree')
  const start = entry.offset + LOCAL_LENGTH + nameLength + header.readUInt16LE(28)
  if (start + entry.packed > limit) throw zipRefused('its entries overlap')
  return start
}
