import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** Named lists of numbers: all that a segment is made of. */
export type Sections = Readonly<Record<string, Uint8Array | Uint32Array>>

/** Where a section lies in the file. */
type Place = { readonly type: 'u8' | 'u32'; readonly offset: number; readonly bytes: number; readonly crc: number }
/** A section that stays on the disk, from the beginning of the file. */
export type DiskSection = { readonly offset: number; readonly bytes: number }

export type WrittenFile = {
  readonly bytes: number
  /** SHA-256 of the directory, which has the checksum of every section: the same only for the same content. */
  readonly sha256: string
}

/** A segment as it was read. Made of what threads can be sent: the sections are in memory that they share. */
export type SegmentFile = WrittenFile & {
  readonly path: string
  readonly sections: Sections
  readonly disk: Readonly<Record<string, DiskSection>>
}

const MAGIC = 'ONOMATM2'
/** Every section begins at a multiple of this, so that it can be read as numbers where it lies. */
const ALIGNED = 64
/** One read or write moves at most so much. */
const PORTION = 1 << 30
/** What stays on the disk is looked through in portions of this. */
const LOOK = 1 << 22
const MAX_DIRECTORY_LENGTH = 1 << 20

const staysOnDisk = (section: string) => section.endsWith('.disk')

/** Writes a segment's file; it is on the disk when this returns. The bytes are those of a little-endian machine. */
export function writeSections(path: string, sections: Sections): WrittenFile {
  const places: Record<string, Place> = {}
  let offset = 0
  for (const [name, section] of Object.entries(sections)) {
    const bytes = bytesOf(section)
    const type = section.BYTES_PER_ELEMENT === 1 ? 'u8' : 'u32'
    places[name] = { type, offset, bytes: bytes.length, crc: crc32(bytes) }
    offset += aligned(bytes.length)
  }
  const directory = Buffer.from(JSON.stringify(places))
  const head = Buffer.alloc(aligned(16 + directory.length))
  head.write(MAGIC, 'latin1')
  head.writeUInt32LE(directory.length, 8)
  head.writeUInt32LE(crc32(directory), 12)
  directory.copy(head, 16)
  const handle = openSync(path, 'wx')
  try {
    writeFully(handle, head, 0)
    for (const [name, section] of Object.entries(sections))
      writeFully(handle, bytesOf(section), head.length + places[name]!.offset)
    // The last section is filled up, too: a file that is shorter is damaged.
    writeFully(handle, new Uint8Array(1), head.length + offset)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return { bytes: head.length + offset + 1, sha256: hashOf(directory) }
}

/**
 * All of it in memory that threads can share, but for what stays on the disk; that is looked through, too. What is not
 * wanted is left out. Throws a sentence with the file's name where anything is not as written.
 */
export function readSections(path: string, isWanted: (section: string) => boolean = () => true): SegmentFile {
  const handle = openSync(path, 'r')
  try {
    const damaged = (what: string) => new Error(`${path} is damaged: ${what}.`)
    const start = new Uint8Array(16)
    if (!readFully(handle, start, 0) || Buffer.from(start).toString('latin1', 0, 8) !== MAGIC)
      throw damaged('it does not begin as a segment')
    const numbers = new DataView(start.buffer)
    const directory = new Uint8Array(Math.min(numbers.getUint32(8, true), MAX_DIRECTORY_LENGTH))
    if (!readFully(handle, directory, 16) || crc32(directory) !== numbers.getUint32(12, true))
      throw damaged('its directory cannot be read')
    const places = JSON.parse(Buffer.from(directory).toString()) as Record<string, Place>
    const begin = aligned(16 + directory.length)
    const sections: Record<string, Uint8Array | Uint32Array> = {}
    const disk: Record<string, DiskSection> = {}
    let end = begin
    for (const [name, { type, offset, bytes, crc }] of Object.entries(places)) {
      end = Math.max(end, begin + offset + aligned(bytes))
      if (!isWanted(name)) continue
      const isWhole = staysOnDisk(name) ? look : take
      const content = new Uint8Array(new SharedArrayBuffer(staysOnDisk(name) ? Math.min(bytes, LOOK) : bytes))
      const found = isWhole(handle, content, begin + offset, bytes)
      if (found === null) throw damaged(`it ends within its section ${name}`)
      if (found !== crc) throw damaged(`its section ${name} is not what was written`)
      if (staysOnDisk(name)) disk[name] = { offset: begin + offset, bytes }
      else sections[name] = type === 'u8' ? content : new Uint32Array(content.buffer)
    }
    if (!readFully(handle, new Uint8Array(1), end)) throw damaged('its end is missing')
    return { path, sections, disk, bytes: end + 1, sha256: hashOf(directory) }
  } finally {
    closeSync(handle)
  }
}

/** Reads a section whole; its checksum, or null where the file ends before. */
const take = (handle: number, into: Uint8Array, position: number): number | null =>
  readFully(handle, into, position) ? crc32(into) : null

/** The same of a section that is only looked through. */
function look(handle: number, portion: Uint8Array, position: number, bytes: number): number | null {
  let crc = 0
  for (let done = 0; done < bytes; done += portion.length) {
    const part = portion.subarray(0, Math.min(portion.length, bytes - done))
    if (!readFully(handle, part, position + done)) return null
    crc = crc32(part, crc)
  }
  return crc
}

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNED) * ALIGNED
const hashOf = (directory: Uint8Array) => createHash('sha256').update(directory).digest('hex')
const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)

function writeFully(handle: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(handle, bytes, done, Math.min(PORTION, bytes.length - done), position + done)
}

/** False where the file ends before. */
export function readFully(handle: number, into: Uint8Array, position: number): boolean {
  for (let done = 0; done < into.length;) {
    const read = readSync(handle, into, done, Math.min(PORTION, into.length - done), position + done)
    if (read === 0) return false
    done += read
  }
  return true
}
