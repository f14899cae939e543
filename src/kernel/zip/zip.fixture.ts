import { crc32, deflateRawSync } from 'node:zlib'

export type ZipEntrySpec = {
  readonly name: string
  readonly data: Buffer
  readonly stored?: boolean
  readonly flags?: number
  readonly method?: number
  readonly crc?: number
  /** The size the directory claims. */
  readonly size?: number
  /** Written instead of the packed data. */
  readonly packed?: Buffer
  /** Points to the local header of the first entry, as zip bombs do. */
  readonly overlaps?: boolean
  readonly localName?: string
}

export type ZipOptions = { readonly zip64?: boolean; readonly comment?: string; readonly count?: number }

/** Builds a zip, valid or damaged as the test needs. */
export function buildZip(
  entries: readonly ZipEntrySpec[],
  { zip64 = false, comment = '', count }: ZipOptions = {},
): Buffer {
  const locals: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const entry of entries) {
    const packed = entry.packed ?? (entry.stored ? entry.data : deflateRawSync(entry.data))
    const size = entry.size ?? entry.data.length
    const name = Buffer.from(entry.name)
    const localName = Buffer.from(entry.localName ?? entry.name)
    const common = Buffer.alloc(12)
    common.writeUInt16LE(entry.flags ?? 0, 0)
    common.writeUInt16LE(entry.method ?? (entry.stored ? 0 : 8), 2)
    common.writeUInt32LE(entry.crc ?? crc32(entry.data), 8)
    const local = Buffer.concat([
      uints(4, 0x04034b50),
      uints(2, 45),
      common,
      encodeSizes(packed.length, Math.min(size, 0xffffffff)),
      uints(2, localName.length, 0),
      localName,
    ])
    const at = entry.overlaps ? 0 : offset
    const extra = zip64
      ? Buffer.concat([uints(2, 0x9999, 2, 7), uints(2, 1, 24), ...[size, packed.length, at].map(uint64)])
      : Buffer.alloc(0)
    directory.push(
      Buffer.concat([
        uints(4, 0x02014b50),
        uints(2, 45, 45),
        common,
        zip64 ? encodeSizes(0xffffffff, 0xffffffff) : encodeSizes(packed.length, Math.min(size, 0xffffffff)),
        uints(2, name.length, extra.length, 0, 0, 0),
        uints(4, 0, zip64 ? 0xffffffff : at),
        name,
        extra,
      ]),
    )
    locals.push(local, packed)
    offset += local.length + packed.length
  }
  const list = Buffer.concat(directory)
  const total = count ?? entries.length
  const end64 = Buffer.concat([
    uints(4, 0x06064b50),
    uint64(44),
    uints(2, 45, 45),
    uints(4, 0, 0),
    uint64(total),
    uint64(total),
    uint64(list.length),
    uint64(offset),
    uints(4, 0x07064b50, 0),
    uint64(offset + list.length),
    uints(4, 1),
  ])
  const end = Buffer.concat([
    uints(4, 0x06054b50),
    uints(2, 0, 0, ...(zip64 ? [0xffff, 0xffff] : [total, total])),
    ...(zip64 ? [uints(4, 0xffffffff, 0xffffffff)] : [uints(4, list.length, offset)]),
    uints(2, Buffer.byteLength(comment)),
    Buffer.from(comment),
  ])
  return Buffer.concat([...locals, list, ...(zip64 ? [end64] : []), end])
}

function uints(width: 2 | 4, ...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(width * values.length)
  for (const [index, value] of values.entries()) bytes.writeUIntLE(value, index * width, width)
  return bytes
}

const encodeSizes = (packed: number, size: number) => uints(4, packed, size)
const uint64 = (value: number) => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(BigInt(value))
  return bytes
}
