import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import type { RandomAccess } from '../random-access.ts'
import { unzip, type ZipLimits } from './unzip.ts'
import { ZipError } from './zip-error.ts'
import { buildZip, type ZipEntrySpec, type ZipOptions } from './zip.fixture.ts'

const DATA = Buffer.from(Array.from({ length: 20_000 }, (_, at) => `line ${at}\n`).join(''))
const ENTRY: ZipEntrySpec = { name: 'data.txt', data: DATA }
const MIB = 1024 ** 2

const fileOf = (bytes: Buffer): RandomAccess => ({
  size: bytes.length,
  read: async (position, length) => Buffer.from(bytes.subarray(position, position + length)),
})

/** The unpacked bytes of the last entry. */
async function unpack(zip: Buffer, limits?: Partial<ZipLimits>): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of unzip(fileOf(zip), (entries) => entries.at(-1)!, limits)) chunks.push(chunk)
  return Buffer.concat(chunks)
}

suite('an entry is unpacked', () => {
  const zips: [string, Buffer][] = [
    ['deflated', buildZip([ENTRY])],
    ['stored', buildZip([{ ...ENTRY, stored: true }])],
    ['from a zip64', buildZip([ENTRY], { zip64: true })],
    [
      'from a zip with a comment that contains an end signature',
      buildZip([ENTRY], { comment: 'PK\u0005\u0006 '.repeat(9) }),
    ],
    [
      'after other entries',
      buildZip([{ name: 'a/', data: Buffer.alloc(0), stored: true }, { name: 'b', data: DATA }, ENTRY]),
    ],
  ]
  for (const [name, zip] of zips) test(name, async () => assert.ok((await unpack(zip)).equals(DATA)))
})

suite('a hostile or damaged zip is rejected with ZipError', () => {
  const packed = deflateRawSync(DATA)
  const zip = (change: Partial<ZipEntrySpec>, options?: ZipOptions) => buildZip([{ ...ENTRY, ...change }], options)
  const good = zip({})
  const cases: [string, Buffer, RegExp][] = [
    ['an encrypted entry', zip({ flags: 1 }), /encrypted/],
    ['an unknown compression method', zip({ method: 14 }), /method 14/],
    ['more data than announced', zip({ size: DATA.length - 1 }), /more than its directory says/],
    ['less data than announced', zip({ size: DATA.length + 1 }), /less than its directory says/],
    ['an implausible ratio', zip({ size: 4_000_000_000 }), /claims to unpack/],
    ['an impossible size', zip({ size: Number.MAX_SAFE_INTEGER }, { zip64: true }), /claims to unpack/],
    ['a wrong checksum', zip({ crc: 1 }), /checksum is wrong/],
    ['a wrong checksum of stored data', zip({ crc: 1, stored: true }), /checksum is wrong/],
    ['data that ends too early', zip({ packed: packed.subarray(0, -20) }), /ends too early/],
    ['bytes after the data', zip({ packed: Buffer.concat([packed, Buffer.from('more')]) }), /damaged/],
    ['data that is not deflated', zip({ packed: Buffer.alloc(1000, 0xff) }), /cannot be unpacked/],
    [
      'overlapping entries',
      buildZip([
        { name: 'a.txt', data: DATA },
        { ...ENTRY, overlaps: true },
      ]),
      /overlap/,
    ],
    ['two names for one entry', zip({ localName: 'other.txt' }), /disagree/],
    ['two methods for one entry', Buffer.from(good).fill(0, 8, 10), /disagree/],
    ['a wrong entry count', zip({}, { count: 7 }), /miscounts/],
    ['a missing last byte', good.subarray(0, -1), /cut off/],
    ['half a zip', good.subarray(0, good.length / 2), /cut off/],
    ['a missing beginning', Buffer.concat([Buffer.from('PK\u0003\u0004'), good.subarray(100)]), /zip is/],
  ]
  const rejects = (zip: Buffer, reason: RegExp, limits?: Partial<ZipLimits>) =>
    assert.rejects(unpack(zip, limits), (error) => error instanceof ZipError && reason.test(error.message))
  for (const [name, bytes, reason] of cases) test(name, () => rejects(bytes, reason))

  test('a zip bomb, before it is unpacked', async () => {
    const bomb = deflateRawSync(Buffer.alloc(80 * MIB, 0x20))
    await rejects(zip({ packed: bomb, size: 80 * MIB }), /claims to unpack/)
    await rejects(zip({ packed: bomb, size: 1000 }), /more than its directory says/)
  })

  test('a zip beyond a limit of entries, directory bytes or unpacked bytes', async () => {
    const two = buildZip([{ name: 'a.txt', data: DATA }, ENTRY])
    await rejects(two, /has 2 entries, and 1 are allowed/, { maxEntries: 1 })
    await rejects(two, /directory has 105 bytes, and 104 are allowed/, { maxDirectoryBytes: 104 })
    await rejects(good, /claims to unpack/, { maxUnpackedBytes: DATA.length - 1 })
    assert.ok((await unpack(good, { maxUnpackedBytes: DATA.length, maxEntries: 1 })).equals(DATA))
  })

  test('any changed, removed or added bytes give a ZipError or the same data', async () => {
    const zips = [good, buildZip([{ ...ENTRY, stored: true }], { zip64: true })]
    const change = [fc.constantFrom(...zips), fc.nat(), fc.uint8Array({ maxLength: 6 }), fc.nat(8)] as const
    await fc.assert(
      fc.asyncProperty(...change, async (bytes, position, added, removed) => {
        const at = position % bytes.length
        const changed = Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + removed)])
        try {
          assert.ok((await unpack(changed)).equals(DATA))
        } catch (error) {
          assert.ok(error instanceof ZipError, String(error))
        }
      }),
      { numRuns: 500 },
    )
  })
})
