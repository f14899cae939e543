import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { deflateRawSync } from 'node:zlib'
import fc from 'fast-check'
import { registerXml, zipOf, type ZipEntry, type ZipShape } from '../../../../test/support/trademark-xml.ts'
import type { Bytes } from './bytes.ts'
import { isSparse } from './extract.ts'
import { readRecords, readRegister, type ReadingOptions } from './read-register.ts'
import { RegisterError } from './register-error.ts'

const caseOf = (
  serial: number,
) => `<case-file><serial-number>${serial}</serial-number><transaction-date>20250102</transaction-date>
<case-file-header><status-code>700</status-code><mark-identification>MARK ${serial}</mark-identification></case-file-header></case-file>`

const SERIALS = Array.from({ length: 2000 }, (_, index) => 70_000_000 + index)
const XML = Buffer.from(registerXml(SERIALS.map(caseOf)))
const ENTRY: ZipEntry = { name: 'apc250102.xml', data: XML }

/** A file in memory, which remembers how much was asked for at once. */
const fileOf = (bytes: Buffer) => {
  const asked: number[] = []
  const read = async (position: number, length: number) => {
    asked.push(length)
    return Buffer.from(bytes.subarray(position, position + length))
  }
  return { size: bytes.length, read, asked } satisfies Bytes & { asked: number[] }
}

async function serialsOf(bytes: Buffer, options?: ReadingOptions): Promise<number[]> {
  const serials: number[] = []
  for await (const portion of readRecords(fileOf(bytes), options))
    for (const found of portion) serials.push(Number(isSparse(found) ? -1 : found.serial))
  return serials
}

suite('the records of a file of the register are read', () => {
  const shapes: [string, Buffer][] = [
    ['from plain XML', XML],
    ['from a zip', zipOf([ENTRY])],
    ['from a zip that stores', zipOf([{ ...ENTRY, stored: true }])],
    ['from a zip of the large kind', zipOf([ENTRY], { large: true })],
    ['from a zip with a comment', zipOf([ENTRY], { comment: 'PK\u0005\u0006 is not the end '.repeat(9) })],
    [
      'from a zip with something beside it',
      zipOf([
        { name: 'docs/', data: Buffer.alloc(0), stored: true },
        ENTRY,
        { name: 'docs/read.me', data: Buffer.from('hello') },
      ]),
    ],
  ]
  for (const [name, bytes] of shapes) test(name, async () => assert.deepEqual(await serialsOf(bytes), SERIALS))

  test('from the disk, with progress that grows to the end', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onoma-register-'))
    try {
      for (const bytes of [XML, zipOf([ENTRY]), zipOf([{ ...ENTRY, stored: true }])]) {
        const path = join(folder, 'file')
        await writeFile(path, bytes)
        const progress: [number, number][] = []
        let count = 0
        for await (const _found of readRegister(path, { onProgress: (...now) => progress.push(now) })) count++
        assert.equal(count, SERIALS.length)
        assert.deepEqual(progress.at(-1), [bytes.length, bytes.length])
        assert.deepEqual(
          progress.map(([done]) => done),
          progress.map(([done]) => done).sort((a, b) => a - b),
        )
      }
    } finally {
      await rm(folder, { recursive: true })
    }
  })

  test('in small pieces', async () => {
    const file = fileOf(zipOf([{ ...ENTRY, stored: true }]))
    for await (const _portion of readRecords(file)) {
      // Only the asking counts.
    }
    assert.ok(Math.max(...file.asked) <= 256 * 1024)
  })

  test('until nobody wants them any more', async () => {
    const controller = new AbortController()
    const reading = serialsOf(XML, { signal: controller.signal, onProgress: () => controller.abort() })
    await assert.rejects(reading, { name: 'AbortError' })
    for await (const _portion of readRecords(fileOf(zipOf([ENTRY])))) break
  })
})

suite('a hostile or broken file is refused in a sentence', () => {
  const packed = deflateRawSync(XML)
  const zip = (change: Partial<ZipEntry>, shape?: ZipShape) => zipOf([{ ...ENTRY, ...change }], shape)
  const good = zip({})
  const refused: [string, Buffer, RegExp][] = [
    ['nothing', Buffer.alloc(0), /file is empty/],
    ['a web page', Buffer.from('\n<!DOCTYPE html>\n<html><body>Not here</body></html>'), /web page/],
    ['something else', Buffer.from('\u001f\u008bgzip'), /neither a zip nor XML/],
    ['an empty zip', zipOf([]), /no XML in it/],
    ['a way up', zip({ name: '../../etc/passwd.xml' }), /leads out of it/],
    ['a way up beside the XML', zipOf([ENTRY, { name: 'a/../../b', data: XML }]), /leads out of it/],
    ['an absolute name', zip({ name: '/etc/a.xml' }), /leads out of it/],
    ['a drive', zip({ name: 'C:a.xml' }), /leads out of it/],
    ['backslashes', zip({ name: '..\\a.xml' }), /leads out of it/],
    ['an encrypted entry', zip({ flags: 1 }), /encrypted/],
    ['an unknown method', zip({ method: 14 }), /method 14/],
    ['more than was promised', zip({ size: XML.length - 1 }), /more than its directory says/],
    ['less than was promised', zip({ size: XML.length + 1 }), /less than its directory says/],
    ['a promise nobody can believe', zip({ size: 4_000_000_000 }), /claims to unpack/],
    ['a size beyond numbers', zip({ size: Number.MAX_SAFE_INTEGER }, { large: true }), /claims to unpack/],
    ['a wrong checksum', zip({ crc: 1 }), /checksum is wrong/],
    ['a wrong checksum of what is stored', zip({ crc: 1, stored: true }), /checksum is wrong/],
    ['data that ends too early', zip({ packed: packed.subarray(0, -20) }), /ends too early/],
    ['data that goes on', zip({ packed: Buffer.concat([packed, Buffer.from('more')]) }), /damaged/],
    ['data that is none', zip({ packed: Buffer.alloc(1000, 0xff) }), /cannot be unpacked/],
    [
      'overlapping entries',
      zipOf([
        { name: 'a.txt', data: XML },
        { ...ENTRY, overlaps: true },
      ]),
      /overlap/,
    ],
    ['two files', zipOf([ENTRY, { ...ENTRY, name: 'b.xml' }]), /holds 2 XML files/],
    ['two names for one entry', zip({ localName: 'apc250103.xml' }), /disagree/],
    ['two methods for one entry', Buffer.from(good).fill(0, 8, 10), /disagree/],
    ['a miscount', zip({}, { count: 7 }), /miscounts/],
    ['a missing end', good.subarray(0, -1), /cut off/],
    ['half a zip', good.subarray(0, good.length / 2), /cut off/],
    ['a missing beginning', Buffer.concat([Buffer.from('PK\u0003\u0004'), good.subarray(100)]), /zip is/],
    ['half an XML file', XML.subarray(0, XML.length / 2), /cut off in the middle of record/],
    [
      'damage in the middle',
      Buffer.from(XML.toString().replace('MARK 70000007</mark-identification>', 'MARK')),
      /\(record 8\)/,
    ],
  ]
  for (const [name, bytes, reason] of refused) {
    test(name, () =>
      assert.rejects(serialsOf(bytes), (error) => {
        assert.ok(error instanceof RegisterError, String(error))
        assert.match(error.message, reason)
        return true
      }),
    )
  }

  test('a bomb is given up long before it is unpacked', async () => {
    const bomb = deflateRawSync(Buffer.alloc(80 * 1024 ** 2, 0x20))
    await assert.rejects(serialsOf(zip({ packed: bomb, size: 80 * 1024 ** 2 })), /claims to unpack/)
    await assert.rejects(serialsOf(zip({ packed: bomb, size: 1000 })), /more than its directory says/)
  })

  test('whatever bytes are changed, dropped or added, the end is a sentence or the same records', async () => {
    const small = zipOf([{ ...ENTRY, data: Buffer.from(registerXml([caseOf(1), caseOf(2)])) }])
    const file = [small, zipOf([{ ...ENTRY, data: XML.subarray(0, 3000), stored: true }], { large: true })]
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...file),
        fc.nat(),
        fc.uint8Array({ maxLength: 6 }),
        fc.nat(8),
        async (bytes, position, added, dropped) => {
          const at = position % bytes.length
          const changed = Buffer.concat([bytes.subarray(0, at), added, bytes.subarray(at + dropped)])
          try {
            assert.deepEqual(await serialsOf(changed), [1, 2])
          } catch (error) {
            assert.ok(error instanceof RegisterError, String(error))
          }
        },
      ),
      { numRuns: 1500 },
    )
  })
})
