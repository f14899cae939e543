import assert from 'node:assert/strict'
import { cpSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { recordOf } from '../../sources/records.fixture.ts'
import { recordsSource } from '../build/file-source.ts'
import { clock, manifestOf, temporaryFolder } from '../build/index.fixture.ts'
import { ingest } from '../build/ingest.ts'
import { manifestPath, writeManifest } from '../manifest.ts'
import { openIndex } from '../open.ts'
import { marksOf, openFor, put, type OpenIndex } from './threads.fixture.ts'

suite('a damaged index is not searched, and the error names the file', () => {
  /** An index of two segments; the first has a tombstone. */
  async function indexIn(context: TestContext): Promise<string> {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA', 'LUNA')
    await ingest(folder, [recordsSource(folder, [recordOf({ mark: 'SOL', transactionDate: 20250101 })])], {
      clock,
    })
    return folder
  }
  const partsOf = (folder: string) =>
    manifestOf(folder).segments.flatMap(({ part, superseded }) => [
      part.name,
      ...(superseded ? [superseded.part.name] : []),
    ])
  const causeOf = (index: OpenIndex) =>
    marksOf(index, 'nova').then(
      () => assert.fail('it was answered'),
      (error: Error) => String(error.cause),
    )

  test('if a file is missing, truncated, changed or swapped with another', async (context) => {
    const whole = await indexIn(context)
    const names = [...partsOf(whole), 'records.sqlite']
    assert.equal(names.length, 4)
    for (const name of names) {
      const damages: [string, (path: string) => void][] = [
        ['missing', (path) => rmSync(path)],
        ['truncated', (path) => truncateSync(path, 100)],
        ['changed', (path) => writeFileSync(path, readFileSync(path).fill(0x5a, 16, 48))],
        [
          'another',
          (path) =>
            cpSync(
              join(
                whole,
                partsOf(whole).find((one) => one !== name)!,
              ),
              path,
            ),
        ],
      ]
      for (const [how, damage] of damages) {
        const folder = temporaryFolder(context)
        cpSync(whole, folder, { recursive: true })
        damage(join(folder, name))
        const cause = await causeOf(openFor(context, folder, { threads: 1 }))
        assert.ok(cause.includes(join(folder, name)), `${name} ${how}: ${cause}`)
        assert.match(cause, /is (?:damaged|missing)/)
      }
    }
  })

  test('if the manifest is damaged, or was written by a newer or an older Onoma', async (context) => {
    const folder = await indexIn(context)
    const manifest = manifestOf(folder)
    const text = readFileSync(manifestPath(folder), 'utf8')
    writeFileSync(manifestPath(folder), text.replace(/"documents": \d+/, '"documents": 77'))
    assert.throws(() => openIndex(folder), /index\.json is damaged/)
    await assert.rejects(put(folder, 'NOVA'), /index\.json is damaged/)
    writeManifest(folder, { ...manifest, format: manifest.format + 1 })
    assert.throws(() => openIndex(folder), /newer Onoma; update/)
    writeManifest(folder, { ...manifest, format: 1 })
    assert.throws(() => openIndex(folder), /older Onoma; .* import/)
  })

  test('and the previous index is still searched', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const errors: string[] = []
    const index = openFor(context, folder, { threads: 1, onLoadError: ({ message }) => errors.push(message) })
    assert.deepEqual(await marksOf(index, 'nova'), ['NOVA'])
    await put(folder, 'NOVA', 'SUPERNOVA')
    const { name } = manifestOf(folder).segments.at(-1)!.part
    truncateSync(join(folder, name), 100)
    await assert.rejects(index.ready(), new RegExp(name))
    assert.deepEqual(await marksOf(index, 'nova'), ['NOVA'])
    assert.equal(errors.length, 1)
    assert.match(errors[0]!, new RegExp(`${name} is damaged`))
    writeFileSync(manifestPath(folder), '{')
    assert.deepEqual(await marksOf(index, 'nova'), ['NOVA'])
    assert.match(errors[1]!, /index\.json is damaged/)
    assert.equal(index.info()!.documents, 1)
  })
})
