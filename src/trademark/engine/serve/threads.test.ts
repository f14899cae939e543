import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, readFileSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { UpstreamError } from '../../../kernel/errors.ts'
import { registerXml } from '../../../../test/support/trademark-xml.ts'
import { followManifest } from './follow-manifest.ts'
import { openIndex } from '../open.ts'
import { manifestPath, writeManifest } from '../manifest.ts'
import { recordOf, recordsOf } from '../../sources/records.fixture.ts'
import { recordsSource } from '../build/file-source.ts'
import { mergeSegments } from '../build/merge.ts'
import { clock, manifestOf, temporaryFolder } from '../build/index.fixture.ts'
import { ingest } from '../build/ingest.ts'
import { load } from './load.ts'
import type { Loaded } from './messages.ts'
import { createPool } from './pool.ts'

const ONOMA = join(import.meta.dirname, '../../../../bin/onoma.js')
const caseFile = (mark: string, serial: number) =>
  `<case-file><serial-number>${serial}</serial-number><case-file-header><status-code>700</status-code>` +
  `<mark-identification>${mark}</mark-identification></case-file-header></case-file>`

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
  ingest(folder, [recordsSource(`import ${imports++}`, recordsOf(...marks))], { clock })

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

  test('the first search after an import has returned sees it, also where another process imported', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const index = open(context, folder, { threads: 2 })
    const snapshots = new Set<string>()
    // It is published while this process stands still: nothing but the search itself can notice.
    for (const mark of ['SUPERNOVA', 'HYPERNOVA', 'KILONOVA']) {
      assert.deepEqual(await marksOf(index, 'nova'), ['NOVA'])
      const path = join(folder, `${mark}.xml`)
      writeFileSync(path, registerXml([caseFile(mark, 70_000_100 + snapshots.size)]))
      const { status, stderr } = spawnSync(process.execPath, [ONOMA, 'trademark', 'import', path], {
        env: { PATH: process.env['PATH'], ONOMA_TRADEMARK_INDEX: folder },
        encoding: 'utf8',
      })
      assert.equal(status, 0, stderr)
      // More at once than there are threads.
      const pages = await Promise.all(
        [1, 2, 3].map(() => index.search({ text: mark, life: 'all', offset: 0, limit: 1 })),
      )
      for (const { hits, info } of pages) {
        assert.equal(hits[0]!.record.mark, mark)
        assert.deepEqual(info, index.info())
        snapshots.add(info.snapshot)
      }
    }
    assert.equal(snapshots.size, 3)
  })

  /** A pool that tells of each index it begins to open. */
  function poolOf(context: TestContext, folder: string, options: Partial<Parameters<typeof createPool>[2]>) {
    const manifest = followManifest(folder, () => pool.refresh())
    const pool = createPool(folder, manifest.current, {
      threads: 1,
      waiting: 8,
      onTrouble: () => {},
      openTimeoutMs: 60_000,
      ...options,
    })
    context.after(() => (manifest.close(), pool.close()))
    return pool
  }
  const ask = (text: string) => ({ method: 'search', question: { text, life: 'all', offset: 0, limit: 1 } }) as const

  test('what is imported is opened before anybody asks', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const second = Promise.withResolvers<number>()
    const pool = poolOf(context, folder, {
      load(...given) {
        if (given[1].documents === 2) second.resolve(given[1].documents)
        return load(...given)
      },
    })
    await pool.ready()
    await put(folder, 'NOVA', 'LUNA')
    assert.equal(await second.promise, 2)
  })

  test('a search waits for a newer index for a limited time, then the old one answers', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const opening = Promise.withResolvers<Loaded>()
    const pool = poolOf(context, folder, {
      openTimeoutMs: 1,
      load: (...given) => (given[1].documents === 2 ? opening.promise : load(...given)),
    })
    await pool.ready()
    const { snapshot } = pool.current()!
    await put(folder, 'NOVA', 'LUNA')
    const { page, manifest } = await pool.ask(ask('luna'))
    assert.deepEqual([page.total, manifest.snapshot], [0, snapshot])
    opening.reject(new Error('never'))
  })

  test('searches that wait for a newer index do not fill the queue', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    const opening = Promise.withResolvers<Loaded>()
    const pool = poolOf(context, folder, {
      waiting: 2,
      load: (...given) => (given[1].documents === 2 ? opening.promise : load(...given)),
    })
    await pool.ready()
    await put(folder, 'NOVA', 'LUNA')
    const early = [1, 2].map(() => pool.ask(ask('nova')))
    const late = pool.ask(ask('nova'))
    for (const { page } of await Promise.all(early)) assert.equal(page.total, 1)
    opening.reject(new Error('never'))
    assert.equal((await late).page.total, 1)
  })

  test('a merge that is being opened holds up nobody: it changes no answer', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA')
    await put(folder, 'NOVA', 'LUNA')
    const opening = Promise.withResolvers<Loaded>()
    const pool = poolOf(context, folder, {
      load: (...given) =>
        given[1].kind === 'segments' && given[1].segments.length === 1 ? opening.promise : load(...given),
    })
    await pool.ready()
    const before = pool.current()
    await mergeSegments(folder, { clock })
    assert.equal(manifestOf(folder).segments.length, 1)
    const { page, manifest } = await pool.ask(ask('luna'))
    assert.deepEqual([page.total, manifest], [1, before])
    opening.reject(new Error('never'))
  })

  test('says the same before and after a merge, also where its files and old records are gone', async (context) => {
    const folder = temporaryFolder(context)
    await put(folder, 'NOVA', 'LUNA')
    const index = open(context, folder, { threads: 1 })
    await index.ready()
    // The index is now some steps behind: the version it has in memory is no longer kept.
    for (const day of [20250101, 20250102, 20250103]) {
      const records = recordsOf('NOVA', 'LUNA').map((one) => ({ ...one, owner: `Of ${day}`, transactionDate: day }))
      await ingest(folder, [recordsSource(`${day}`, records)], { clock })
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
    const { ingest } = await import(${ours('trademark/engine/build/ingest.ts')})
    const { recordsSource } = await import(${ours('trademark/engine/build/file-source.ts')})
    const { recordsOf } = await import(${ours('trademark/sources/records.fixture.ts')})
    const { openIndex } = await import(${ours('trademark/engine/open.ts')})
    await ingest('index', [recordsSource('one', recordsOf('NOVA'))], { clock, maxInlineRecords: 0 })
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
