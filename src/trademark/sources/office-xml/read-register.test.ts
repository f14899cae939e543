import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { RandomAccess } from '../../../kernel/random-access.ts'
import { buildZip, type ZipEntrySpec } from '../../../kernel/zip/zip.fixture.ts'
import { registerXml } from '../../../../test/support/trademark-xml.ts'
import type { TrademarkRecord } from '../../record.ts'
import { isSparse, type Sparse } from './extract.ts'
import { readBytesInto, readRegister, type ReadingOptions } from './read-register.ts'
import { RegisterError } from './register-error.ts'

const caseOf = (
  serial: number,
) => `<case-file><serial-number>${serial}</serial-number><transaction-date>20250102</transaction-date>
<case-file-header><status-code>700</status-code><mark-identification>MARK ${serial}</mark-identification></case-file-header></case-file>`

const SERIALS = Array.from({ length: 2000 }, (_, index) => 70_000_000 + index)
const XML = Buffer.from(registerXml(SERIALS.map(caseOf)))
const ENTRY: ZipEntrySpec = { name: 'apc250102.xml', data: XML }

/** A file in memory that records the length of every read. */
const fileOf = (bytes: Buffer) => {
  const asked: number[] = []
  const read = async (position: number, length: number) => {
    asked.push(length)
    return Buffer.from(bytes.subarray(position, position + length))
  }
  return { size: bytes.length, read, asked } satisfies RandomAccess & { asked: number[] }
}

async function serialsOf(bytes: Buffer, options?: ReadingOptions): Promise<number[]> {
  const serials: number[] = []
  const add = (found: TrademarkRecord | Sparse) => serials.push(Number(isSparse(found) ? -1 : found.serial))
  for await (const _chunk of readBytesInto(fileOf(bytes), { add }, options)) continue
  return serials
}

suite('records are read', () => {
  const shapes: [string, Buffer][] = [
    ['from plain XML', XML],
    ['from a zip', buildZip([ENTRY])],
    ['from a zip without compression', buildZip([{ ...ENTRY, stored: true }])],
    ['from a zip64', buildZip([ENTRY], { zip64: true })],
    ['from a zip with a comment', buildZip([ENTRY], { comment: 'PK\u0005\u0006 is not the end '.repeat(9) })],
    [
      'from a zip with other entries',
      buildZip([
        { name: 'docs/', data: Buffer.alloc(0), stored: true },
        ENTRY,
        { name: 'docs/read.me', data: Buffer.from('hello') },
      ]),
    ],
  ]
  for (const [name, bytes] of shapes) test(name, async () => assert.deepEqual(await serialsOf(bytes), SERIALS))

  test('from disk, with progress that never decreases and ends at the file size', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'onoma-register-'))
    try {
      for (const bytes of [XML, buildZip([ENTRY]), buildZip([{ ...ENTRY, stored: true }])]) {
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

  test('in blocks of at most 256 KiB', async () => {
    const file = fileOf(buildZip([{ ...ENTRY, stored: true }]))
    for await (const _chunk of readBytesInto(file, { add() {} })) {
      // Only the sizes of the reads matter.
    }
    assert.ok(Math.max(...file.asked) <= 256 * 1024)
  })

  test('until the signal aborts or the consumer stops', async () => {
    const controller = new AbortController()
    const reading = serialsOf(XML, { signal: controller.signal, onProgress: () => controller.abort() })
    await assert.rejects(reading, { name: 'AbortError' })
    for await (const _chunk of readBytesInto(fileOf(buildZip([ENTRY])), { add() {} })) break
  })
})

suite('a hostile or damaged file is rejected with RegisterError', () => {
  const zip = (change: Partial<ZipEntrySpec>) => buildZip([{ ...ENTRY, ...change }])
  const good = zip({})
  const refused: [string, Buffer, RegExp][] = [
    ['an empty file', Buffer.alloc(0), /file is empty/],
    ['a web page', Buffer.from('\n<!DOCTYPE html>\n<html><body>Not here</body></html>'), /web page/],
    ['neither zip nor XML', Buffer.from('\u001f\u008bgzip'), /neither a zip nor XML/],
    ['an empty zip', buildZip([]), /no XML file/],
    ['a path with ..', zip({ name: '../../etc/passwd.xml' }), /not a safe path/],
    ['a path with .. beside the XML', buildZip([ENTRY, { name: 'a/../../b', data: XML }]), /not a safe path/],
    ['an absolute path', zip({ name: '/etc/a.xml' }), /not a safe path/],
    ['a drive letter', zip({ name: 'C:a.xml' }), /not a safe path/],
    ['backslashes', zip({ name: '..\\a.xml' }), /not a safe path/],
    ['an encrypted entry', zip({ flags: 1 }), /encrypted/],
    ['a wrong checksum', zip({ crc: 1 }), /checksum is wrong/],
    ['two XML files', buildZip([ENTRY, { ...ENTRY, name: 'b.xml' }]), /2 XML files/],
    ['half a zip', good.subarray(0, good.length / 2), /cut off/],
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

  test('changed, removed or added bytes give a RegisterError or the same records', async () => {
    const small = buildZip([{ ...ENTRY, data: Buffer.from(registerXml([caseOf(1), caseOf(2)])) }])
    const file = [small, buildZip([{ ...ENTRY, data: XML.subarray(0, 3000), stored: true }], { zip64: true })]
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

test('frees the memory of a chunk that was read, unless other bytes share it', async () => {
  const kept: ArrayBuffer[] = []
  const file = fileOf(XML)
  const read = async (position: number, length: number) => {
    const bytes = new Uint8Array(XML.subarray(position, position + length))
    if (position > 0) kept.push(bytes.buffer)
    return Buffer.from(bytes.buffer)
  }
  const shared = Buffer.concat([XML, Buffer.alloc(1)])
  for await (const _chunk of readBytesInto({ ...file, read }, { add() {} })) continue
  assert.ok(kept.length > 0)
  assert.ok(kept.every(({ detached }) => detached))
  const readShared = async (position: number, length: number) => shared.subarray(position, position + length)
  for await (const _chunk of readBytesInto({ size: XML.length, read: readShared }, { add() {} })) continue
  assert.equal(shared.subarray(0, XML.length).compare(XML), 0)
})
