import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { UpstreamError } from '../../../kernel/errors.ts'
import { openIndex } from '../index.ts'
import { manifestPath, writeManifest } from '../manifest.ts'
import { recordOf, recordsOf } from '../records.fixture.ts'
import { recordsIntake } from '../register/files.ts'
import { mergeSegments } from '../register/merge.ts'
import { clock, manifestOf, temporaryFolder } from '../register/register.fixture.ts'
import { takeIn } from '../register/take-in.ts'

type Open = ReturnType<typeof openIndex>

function open(context: TestContext, folder: string, options?: Parameters<typeof openIndex>[1]): Open {
  const index = openIndex(folder, options)
  context.after(() => index.close())
  return index
}

async function marksOf(index: Open, text: string): Promise<string[]> {
  const { hits } = await index.search({ text, life: 'all', offset: 0, limit: 10 })
  return hits.map(({ record }) => record.mark)
}

let imports = 0
const put = (folder: string, ...marks: string[]) =>
  takeIn(folder, [recordsIntake(`import ${imports++}`, recordsOf(...marks))], { clock })

suite('an index of segments', () => {
  test('is searched by all threads, and has nothing to tell before there is one', async (context) => {
    const folder = temporaryFolder(context)
    const index = open(context, folder, { threads: 3 })
    assert.equal(index.info(), null)
    await assert.rejects(marksOf(index, 'nova'), UpstreamError)
    await put(folder, 'NOVA', 'LUNA')
    assert.equal(index.info()!.documents, 2)
    const answers = await Promise.all(Array.from({ length: 12 }, () => marksOf(index, 'nova')))
    for (const marks of answers) assert.deepEqual(marks, ['NOVA'])
  })

  test('answers from the old one until the new one is there, and then from the new one', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const index = open(context, folder, { threads: 2 })
    assert.deepEqual(await marksOf(index, 'nova'), ['NOVA'])
    const before = index.info()!.snapshot
    await put(folder, 'NOVA', 'SUPERNOVA')
    // The first question only makes it look; the answer comes from what is in memory.
    const question = { text: 'supernova', life: 'all', offset: 0, limit: 1 } as const
    const old = await index.search(question)
    assert.deepEqual([old.hits, old.info.snapshot], [[], before])
    await index.ready()
    const { hits, info } = await index.search(question)
    assert.equal(hits[0]!.record.mark, 'SUPERNOVA')
    assert.deepEqual(info, index.info())
    assert.notEqual(info.snapshot, before)
  })

  test('says the same before and after a merge, also where its files and old records are gone', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA', 'LUNA')
    const index = open(context, folder, { threads: 1 })
    await index.ready()
    // The index is now some steps behind: the version it has in memory is no longer kept.
    for (const day of [20250101, 20250102, 20250103]) {
      const records = recordsOf('NOVA', 'LUNA').map((one) => ({ ...one, owner: `Of ${day}`, transactionDate: day }))
      await takeIn(folder, [recordsIntake(`${day}`, records)], { clock })
      await mergeSegments(folder, { clock })
    }
    const { hits } = await index.search({ text: 'nova', life: 'all', offset: 0, limit: 10 })
    assert.equal(hits[0]!.record.owner, 'Of 20250103')
    const before = index.info()!.snapshot
    await put(folder, 'NOVA', 'LUNA')
    await mergeSegments(folder, { clock })
    await index.ready()
    assert.equal(index.info()!.snapshot, before)
  })

  test('that is closed answers everybody who still waits', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const index = open(context, folder)
    const asked = [marksOf(index, 'nova'), marksOf(index, 'nova')].map((one) => assert.rejects(one, UpstreamError))
    await index.close()
    await Promise.all(asked)
    await assert.rejects(marksOf(index, 'nova'), UpstreamError)
  })
})

suite('what is damaged is named, and no answer comes from it', () => {
  /** An index of two segments, in the first of which something is superseded. */
  async function indexIn(context: TestContext): Promise<string> {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA', 'LUNA')
    await takeIn(folder, [recordsIntake(folder, [recordOf({ mark: 'SOL', transactionDate: 20250101 })])], {
      clock,
    })
    return folder
  }
  const partsOf = (folder: string) =>
    manifestOf(folder).segments.flatMap(({ part, superseded }) => [
      part.name,
      ...(superseded ? [superseded.part.name] : []),
    ])
  const causeOf = (index: Open) =>
    marksOf(index, 'nova').then(
      () => assert.fail('it was answered'),
      (error: Error) => String(error.cause),
    )

  test('a file that is missing, cut short, changed or another', async (context) => {
    const whole = await indexIn(context)
    const names = [...partsOf(whole), 'records.sqlite']
    assert.equal(names.length, 4)
    for (const name of names) {
      const harms: [string, (path: string) => void][] = [
        ['missing', (path) => rmSync(path)],
        ['cut', (path) => truncateSync(path, 100)],
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
      for (const [how, harm] of harms) {
        const folder = temporaryFolder(context)
        cpSync(whole, folder, { recursive: true })
        harm(join(folder, name))
        const cause = await causeOf(open(context, folder, { threads: 1 }))
        assert.ok(cause.includes(join(folder, name)), `${name} ${how}: ${cause}`)
        assert.match(cause, /is (?:damaged|missing)/)
      }
    }
  })

  test('a manifest that is damaged, or was written by a newer Onoma or an older one', async (context) => {
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

  test('while the one before goes on answering, where there is one', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const said: string[] = []
    const index = open(context, folder, { threads: 1, onTrouble: ({ message }) => said.push(message) })
    assert.deepEqual(await marksOf(index, 'nova'), ['NOVA'])
    await put(folder, 'NOVA', 'SUPERNOVA')
    const { name } = manifestOf(folder).segments.at(-1)!.part
    truncateSync(join(folder, name), 100)
    await assert.rejects(index.ready(), new RegExp(name))
    assert.deepEqual(await marksOf(index, 'nova'), ['NOVA'])
    assert.equal(said.length, 1)
    assert.match(said[0]!, new RegExp(`${name} is damaged`))
    writeFileSync(manifestPath(folder), '{')
    assert.deepEqual(await marksOf(index, 'nova'), ['NOVA'])
    assert.match(said[1]!, /index\.json is damaged/)
    assert.equal(index.info()!.documents, 1)
  })
})

test('installed under node_modules, where Node takes no types off, threads import and search all the same', async (context) => {
  const root = temporaryFolder(context)
  const repository = join(import.meta.dirname, '../../../..')
  const home = join(root, 'node_modules', 'onoma')
  for (const part of ['bin', 'src', 'data', 'package.json'])
    cpSync(join(repository, part), join(home, part), {
      recursive: true,
      filter: (from) => !/\.(?:test|fixture)\.ts$/.test(from) || from.endsWith('records.fixture.ts'),
    })
  symlinkSync(join(repository, 'node_modules'), join(home, 'node_modules'))
  const ours = (path: string) => JSON.stringify(join(home, 'src', path))
  const program = `
    await import(${JSON.stringify(join(home, 'bin/typescript.js'))})
    const { systemClock: clock } = await import(${ours('kernel/clock.ts')})
    const { takeIn } = await import(${ours('trademark/sources/register/take-in.ts')})
    const { recordsIntake } = await import(${ours('trademark/sources/register/files.ts')})
    const { recordsOf } = await import(${ours('trademark/sources/records.fixture.ts')})
    const { openIndex } = await import(${ours('trademark/sources/index.ts')})
    await takeIn('index', [recordsIntake('one', recordsOf('NOVA'))], { clock, few: 0 })
    const index = openIndex('index')
    const { hits } = await index.search({ text: 'nova', life: 'all', offset: 0, limit: 1 })
    await index.close()
    console.log(hits[0].record.mark)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', program], {
    cwd: root,
    env: { PATH: process.env['PATH'] },
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr]) stream.setEncoding('utf8').on('data', (text) => (said += text))
  await once(child, 'close')
  assert.equal(said, 'NOVA\n')
})
