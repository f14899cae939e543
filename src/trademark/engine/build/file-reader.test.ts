import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { buildZip } from '../../../kernel/zip/zip.fixture.ts'
import { registerXml } from '../../../../test/support/trademark-xml.ts'
import { readRegister } from '../../sources/office-xml/read-register.ts'
import { RegisterError } from '../../sources/office-xml/register-error.ts'
import { refusalReason } from './file-source.ts'
import { hashFile, readRecords } from './file-reader.ts'
import { temporaryFolder } from './index.fixture.ts'
import { decodePortion } from './portion.fixture.ts'
import type { Portion } from './portion.ts'

const cases = Array.from(
  { length: 3000 },
  (_, at) =>
    `<case-file><serial-number>${70_000_001 + at}</serial-number>${
      at % 100 === 7
        ? ''
        : `<case-file-header><status-code>700</status-code><mark-identification>${at % 50 === 9 ? 'CAFÉ' : 'NOVA'} ${at}` +
          `</mark-identification><attorney-name>${'A'.repeat(400)}</attorney-name></case-file-header>`
    }<goods>${'x'.repeat(400)}</goods></case-file>`,
)
const xml = registerXml(cases)
/** Threshold 0: every file is read in a worker. */
const ALWAYS_IN_WORKER = 0

async function all(portions: AsyncIterable<Portion>): Promise<ReturnType<typeof decodePortion>> {
  const found: ReturnType<typeof decodePortion> = []
  for await (const portion of portions) found.push(...decodePortion(portion))
  return found
}

suite('a file that is read in a worker', () => {
  test('gives the same records as without one, and its progress', async (context) => {
    const path = join(temporaryFolder(context), 'file.zip')
    writeFileSync(path, buildZip([{ name: 'one.xml', data: Buffer.from(xml), stored: true }]))
    const seen: [number, number][] = []
    const read = await all(
      readRecords(path, ALWAYS_IN_WORKER, { onProgress: (...now) => seen.push(now) }, ALWAYS_IN_WORKER),
    )
    assert.equal(read.length, cases.length)
    assert.deepEqual(read, await all(readRecords(path, 0, {}, Infinity)))
    assert.deepEqual(read, await Array.fromAsync(readRegister(path)))
    assert.ok(seen.length > 1 && seen.every(([done, total]) => done > 0 && done <= total))
  })

  test('is read by the worker of the file before it, also after a refused one', async (context) => {
    const folder = temporaryFolder(context)
    const [whole, cut] = [join(folder, 'whole.xml'), join(folder, 'cut.xml')]
    writeFileSync(whole, xml)
    writeFileSync(cut, xml.slice(0, -1000))
    for (const path of [whole, whole, cut, whole]) {
      const read = all(readRecords(path, 0, {}, ALWAYS_IN_WORKER))
      if (path === cut) await assert.rejects(read, /cut off/)
      else assert.equal((await read).length, cases.length)
    }
    const both = await Promise.all([whole, whole].map((path) => all(readRecords(path, 0, {}, ALWAYS_IN_WORKER))))
    assert.deepEqual(
      both.map(({ length }) => length),
      [cases.length, cases.length],
    )
  })

  test('has the same hash', async (context) => {
    const path = join(temporaryFolder(context), 'file.xml')
    writeFileSync(path, xml)
    assert.equal(await hashFile(path), createHash('sha256').update(xml).digest('hex'))
  })

  test('is refused for the same reason', async (context) => {
    const folder = temporaryFolder(context)
    const path = join(folder, 'cut.xml')
    writeFileSync(path, xml.slice(0, -1000))
    await assert.rejects(all(readRecords(path, 0, {}, ALWAYS_IN_WORKER)), (error) => {
      assert.ok(error instanceof RegisterError)
      assert.match(error.message, /cut off/)
      return true
    })
    for (const missing of [readRecords(join(folder, 'none'), 0, {}, ALWAYS_IN_WORKER)])
      await assert.rejects(all(missing), (error) => refusalReason(error) === 'there is no such file')
    await assert.rejects(hashFile(join(folder, 'none')), (error) => refusalReason(error) !== null)
  })

  test('stops being read when the reader stops or aborts', async (context) => {
    const path = join(temporaryFolder(context), 'file.xml')
    writeFileSync(path, xml)
    for await (const _portion of readRecords(path, 0, {}, ALWAYS_IN_WORKER)) break
    const control = new AbortController()
    const options = { signal: control.signal, onProgress: () => control.abort(new Error('given up')) }
    await assert.rejects(all(readRecords(path, 0, options, ALWAYS_IN_WORKER)), /given up/)
    await assert.rejects(hashFile(path, AbortSignal.abort(new Error('given up'))), /given up/)
  })
})
