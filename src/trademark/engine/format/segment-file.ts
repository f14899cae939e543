import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from '../../../kernel/crc32.ts'

/** The named sections of a segment or tombstone file. */
export type Sections = Readonly<Record<string, Uint8Array | Uint32Array>>

/** The content of sections that are to be written; a long one may come in parts, which need not be in memory together. */
export type SectionSources = Readonly<Record<string, Uint8Array | Uint32Array | Iterable<Uint32Array>>>

/** A section's entry in the directory; `offset` counts from the first section. */
type SectionEntry = {
  readonly type: 'u8' | 'u32'
  readonly offset: number
  readonly bytes: number
  readonly crc: number
}
/** A section that is not loaded; `offset` counts from the start of the file. */
export type DiskSection = { readonly offset: number; readonly bytes: number }

export type WrittenFile = {
  readonly bytes: number
  /** SHA-256 of the directory. It holds the checksum of every section, so it identifies the content of the file. */
  readonly sha256: string
}

/** A loaded file. Can be posted to other threads: the sections are in shared memory. */
export type SegmentFile = WrittenFile & {
  readonly path: string
  readonly sections: Sections
  readonly disk: Readonly<Record<string, DiskSection>>
}

const MAGIC = 'ONOMATM2'
/** Every section starts at a multiple of this, so that it can be viewed as a typed array. */
const ALIGNMENT_BYTES = 64
/** Upper bound of one read or write call; the operating system refuses more than 2 GB. */
const MAX_IO_BYTES = 1 << 30
/** Buffer for checking sections that are not loaded. */
const VERIFY_BUFFER_BYTES = 1 << 22
const MAX_DIRECTORY_BYTES = 1 << 20

const staysOnDisk = (section: string) => section.endsWith('.disk')

/** Bytes of a section's entry in the directory, beside its name. */
const MAX_ENTRY_BYTES = 80

/** Writes the file and syncs it. Byte order is that of the machine, which must be little-endian. */
export function writeSections(path: string, sections: SectionSources): WrittenFile {
  const names = Object.keys(sections)
  const file = createSectionFile(
    path,
    names.reduce((sum, name) => sum + name.length + MAX_ENTRY_BYTES, 0),
  )
  return file.finish(() => file.add(sections))
}

/**
 * Writes a file section by section, so that a section need not stay in memory when it is written. The directory lies before
 * the sections: its space is reserved, and filled up with blanks. `finish` runs the work that adds the sections.
 */
export function createSectionFile(path: string, maxDirectoryBytes: number) {
  const places: Record<string, SectionEntry> = {}
  const begin = aligned(16 + maxDirectoryBytes)
  const handle = openSync(path, 'wx')
  let offset = 0

  function write(name: string, source: SectionSources[string]): void {
    const parts = isArray(source) ? [source] : source
    let type: SectionEntry['type'] = 'u32'
    let bytes = 0
    let crc = 0
    for (const part of parts) {
      const content = bytesOf(part)
      type = part.BYTES_PER_ELEMENT === 1 ? 'u8' : 'u32'
      crc = crc32(content, crc)
      writeFully(handle, content, begin + offset + bytes)
      bytes += content.length
    }
    places[name] = { type, offset, bytes, crc }
    offset += aligned(bytes)
  }

  function writeHead(): WrittenFile {
    const json = JSON.stringify(places)
    if (16 + json.length > begin) throw new RangeError('The directory exceeds its reserved space.')
    const directory = Buffer.from(json.padEnd(begin - 16))
    const head = Buffer.alloc(begin)
    head.write(MAGIC, 'latin1')
    head.writeUInt32LE(directory.length, 8)
    head.writeUInt32LE(crc32(directory), 12)
    directory.copy(head, 16)
    writeFully(handle, head, 0)
    // One byte after the padding of the last section: a truncated file is always detected.
    writeFully(handle, new Uint8Array(1), begin + offset)
    fsyncSync(handle)
    return { bytes: begin + offset + 1, sha256: hashOf(directory) }
  }

  return {
    add(sections: SectionSources): void {
      for (const [name, source] of Object.entries(sections)) write(name, source)
    },
    finish(addSections: () => void): WrittenFile {
      try {
        addSections()
        return writeHead()
      } finally {
        closeSync(handle)
      }
    },
  }
}

const isArray = (source: SectionSources[string]): source is Uint8Array | Uint32Array => ArrayBuffer.isView(source)

/**
 * Loads the wanted sections into shared memory. Sections that stay on disk are only verified. Throws an error that names
 * the file if a checksum does not match or the file is too short.
 */
export function readSections(path: string, isWanted: (section: string) => boolean = () => true): SegmentFile {
  const handle = openSync(path, 'r')
  try {
    const damaged = (what: string) => new Error(`${path} is damaged: ${what}.`)
    const start = new Uint8Array(16)
    if (!readFully(handle, start, 0) || Buffer.from(start).toString('latin1', 0, 8) !== MAGIC)
      throw damaged('it does not start with the magic of a segment')
    const numbers = new DataView(start.buffer)
    const directory = new Uint8Array(Math.min(numbers.getUint32(8, true), MAX_DIRECTORY_BYTES))
    if (!readFully(handle, directory, 16) || crc32(directory) !== numbers.getUint32(12, true))
      throw damaged('its directory is cut off or has another checksum')
    const places = JSON.parse(Buffer.from(directory).toString()) as Record<string, SectionEntry>
    const begin = aligned(16 + directory.length)
    const sections: Record<string, Uint8Array | Uint32Array> = {}
    const disk: Record<string, DiskSection> = {}
    let end = begin
    for (const [name, { type, offset, bytes, crc }] of Object.entries(places)) {
      end = Math.max(end, begin + offset + aligned(bytes))
      if (!isWanted(name)) continue
      const checksum = staysOnDisk(name) ? checksumOnDisk : load
      const content = new Uint8Array(
        new SharedArrayBuffer(staysOnDisk(name) ? Math.min(bytes, VERIFY_BUFFER_BYTES) : bytes),
      )
      const found = checksum(handle, content, begin + offset, bytes)
      if (found === null) throw damaged(`it ends within section ${name}`)
      if (found !== crc) throw damaged(`section ${name} has another checksum`)
      if (staysOnDisk(name)) disk[name] = { offset: begin + offset, bytes }
      else sections[name] = type === 'u8' ? content : new Uint32Array(content.buffer)
    }
    if (!readFully(handle, new Uint8Array(1), end)) throw damaged('its last byte is missing')
    return { path, sections, disk, bytes: end + 1, sha256: hashOf(directory) }
  } finally {
    closeSync(handle)
  }
}

/** Loads a section and returns its checksum; null if the file is too short. */
const load = (handle: number, into: Uint8Array, position: number): number | null =>
  readFully(handle, into, position) ? crc32(into) : null

/** Checksum of a section, read through a small buffer; null if the file is too short. */
function checksumOnDisk(handle: number, buffer: Uint8Array, position: number, bytes: number): number | null {
  let crc = 0
  for (let done = 0; done < bytes; done += buffer.length) {
    const part = buffer.subarray(0, Math.min(buffer.length, bytes - done))
    if (!readFully(handle, part, position + done)) return null
    crc = crc32(part, crc)
  }
  return crc
}

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES
const hashOf = (directory: Uint8Array) => createHash('sha256').update(directory).digest('hex')
const bytesOf = ({ buffer, byteOffset, byteLength }: Uint8Array | Uint32Array) =>
  new Uint8Array(buffer, byteOffset, byteLength)

function writeFully(handle: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(handle, bytes, done, Math.min(MAX_IO_BYTES, bytes.length - done), position + done)
}

/** Fills `into`; false if the file is too short. */
export function readFully(handle: number, into: Uint8Array, position: number): boolean {
  for (let done = 0; done < into.length;) {
    const read = readSync(handle, into, done, Math.min(MAX_IO_BYTES, into.length - done), position + done)
    if (read === 0) return false
    done += read
  }
  return true
}
