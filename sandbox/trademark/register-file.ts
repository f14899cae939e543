import { open } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { crc32, createDeflateRaw } from 'node:zlib'
import type { TrademarkRecord } from '../../src/trademark/record.ts'
import { caseXml, XML_HEAD, XML_TAIL } from './register-xml.ts'

export type WrittenFile = { readonly records: number; readonly xmlBytes: number; readonly bytes: number }

const CHUNK_BYTES = 1 << 20
/** The limit of a zip file without zip64. The Office splits the register into files of 155,000 records for that reason. */
const MAX_XML_BYTES = 0xffff_fffe

/** Writes a file in the Office's format: one XML document in a zip. It is streamed, never complete in memory. */
export async function writeRegisterFile(
  path: string,
  records: Iterable<TrademarkRecord>,
  { name = 'apc260101.xml' } = {},
): Promise<WrittenFile> {
  let count = 0
  let xmlBytes = 0
  let crc = 0
  function* chunks(): Generator<Buffer> {
    let text = XML_HEAD
    const flush = () => {
      const chunk = Buffer.from(text)
      text = ''
      crc = crc32(chunk, crc)
      xmlBytes += chunk.length
      if (xmlBytes > MAX_XML_BYTES) throw new RangeError('too many records for one file: the XML is larger than 4 GiB')
      return chunk
    }
    for (const record of records) {
      count++
      text += caseXml(record)
      if (text.length > CHUNK_BYTES) yield flush()
    }
    text += XML_TAIL
    yield flush()
  }
  const title = Buffer.from(name)
  const handle = await open(path, 'w')
  try {
    const start = LOCAL_HEADER_BYTES + title.length
    let end = start
    // The local header before the data holds its length, so it is written last.
    for await (const packed of Readable.from(chunks()).compose(createDeflateRaw({ level: 6, chunkSize: CHUNK_BYTES })))
      end += (await handle.write(packed as Buffer, 0, undefined, end)).bytesWritten
    const facts = Buffer.concat([u16(20, 0, 8, 0, 0x21), u32(crc, end - start, xmlBytes), u16(title.length, 0)])
    const directory = Buffer.concat([u32(0x02014b50), u16(20), facts, u16(0, 0, 0), u32(0, 0), title])
    const last = Buffer.concat([u32(0x06054b50), u16(0, 0, 1, 1), u32(directory.length, end), u16(0)])
    await handle.write(Buffer.concat([directory, last]), 0, undefined, end)
    await handle.write(Buffer.concat([u32(0x04034b50), facts, title]), 0, undefined, 0)
    return { records: count, xmlBytes, bytes: end + directory.length + last.length }
  } finally {
    await handle.close()
  }
}

const LOCAL_HEADER_BYTES = 30

const u16 = (...values: readonly number[]) => Buffer.from(Uint16Array.from(values).buffer)
const u32 = (...values: readonly number[]) => Buffer.from(Uint32Array.from(values).buffer)
