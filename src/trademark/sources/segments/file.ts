import { closeSync, fsyncSync, openSync, readSync, writeSync } from 'node:fs'
import { crc32 } from 'node:zlib'

/** Named lists of numbers: all that a segment is made of. */
export type Sections = Readonly<Record<string, Uint8Array | Uint32Array>>

type Place = { readonly type: 'u8' | 'u32'; readonly offset: number; readonly bytes: number; readonly crc: number }

const MAGIC = 'ONOMATM1'
/** Every section begins at a multiple of this, so that it can be read as numbers where it lies. */
const ALIGNED = 64
/** One read or write moves at most so much. */
const PORTION = 1 << 30

/** Writes a segment's file; it is on the disk when this returns. The bytes are those of a little-endian machine. */
export function writeSections(path: string, sections: Sections): number {
  const places: Record<string, Place> = {}
  let offset = 0
  for (const [name, { buffer, byteOffset, byteLength, BYTES_PER_ELEMENT }] of Object.entries(sections)) {
    const bytes = new Uint8Array(buffer, byteOffset, byteLength)
    places[name] = { type: BYTES_PER_ELEMENT === 1 ? 'u8' : 'u32', offset, bytes: byteLength, crc: crc32(bytes) }
    offset += aligned(byteLength)
  }
  const directory = Buffer.from(JSON.stringify(places))
  const head = Buffer.alloc(aligned(16 + directory.length))
  head.write(MAGIC, 'latin1')
  head.writeUInt32LE(directory.length, 8)
  head.writeUInt32LE(crc32(directory), 12)
  directory.copy(head, 16)
  const handle = openSync(path, 'wx')
  try {
    writeAll(handle, head, 0)
    for (const [name, { buffer, byteOffset, byteLength }] of Object.entries(sections))
      writeAll(handle, new Uint8Array(buffer, byteOffset, byteLength), head.length + places[name]!.offset)
    // The last section is filled up, too: a file that is shorter is damaged.
    if (offset > 0) writeAll(handle, new Uint8Array(1), head.length + offset)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
  return head.length + offset + (offset > 0 ? 1 : 0)
}

/** All of it in memory that threads can share. Throws a sentence with the file's name where anything is not as written. */
export function readSections(path: string): Sections {
  const handle = openSync(path, 'r')
  try {
    const damaged = (what: string) => new Error(`${path} is damaged: ${what}.`)
    const start = new Uint8Array(16)
    if (!readAll(handle, start, 0) || Buffer.from(start).toString('latin1', 0, 8) !== MAGIC)
      throw damaged('it does not begin as a segment')
    const numbers = new DataView(start.buffer)
    const directory = new Uint8Array(Math.min(numbers.getUint32(8, true), 1 << 20))
    if (!readAll(handle, directory, 16) || crc32(directory) !== numbers.getUint32(12, true))
      throw damaged('its directory cannot be read')
    const places = JSON.parse(Buffer.from(directory).toString()) as Record<string, Place>
    const begin = aligned(16 + directory.length)
    const sections: Record<string, Uint8Array | Uint32Array> = {}
    for (const [name, { type, offset, bytes, crc }] of Object.entries(places)) {
      const memory = new SharedArrayBuffer(bytes)
      const content = new Uint8Array(memory)
      if (!readAll(handle, content, begin + offset)) throw damaged(`it ends within its section ${name}`)
      if (crc32(content) !== crc) throw damaged(`its section ${name} is not what was written`)
      sections[name] = type === 'u8' ? content : new Uint32Array(memory)
    }
    return sections
  } finally {
    closeSync(handle)
  }
}

const aligned = (bytes: number) => Math.ceil(bytes / ALIGNED) * ALIGNED

function writeAll(handle: number, bytes: Uint8Array, position: number): void {
  for (let done = 0; done < bytes.length;)
    done += writeSync(handle, bytes, done, Math.min(PORTION, bytes.length - done), position + done)
}

function readAll(handle: number, into: Uint8Array, position: number): boolean {
  for (let done = 0; done < into.length;) {
    const read = readSync(handle, into, done, Math.min(PORTION, into.length - done), position + done)
    if (read === 0) return false
    done += read
  }
  return true
}
