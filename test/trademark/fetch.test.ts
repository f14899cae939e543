import assert from 'node:assert/strict'
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite, test, type TestContext } from 'node:test'
import { OFFICE_KEY, startOffice } from '../../sandbox/trademark/office.ts'
import { writeRegisterFile } from '../../sandbox/trademark/register-file.ts'
import { fetchTrademarks, type FetchConfig } from '../../src/app/commands/trademark-fetch.ts'
import { parseFetchOptions } from '../../src/app/commands/trademark-fetch-options.ts'
import { importTrademarks } from '../../src/app/commands/trademark-import.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { recordsOf } from '../../src/trademark/sources/records.fixture.ts'

const zip = (length: number) => Buffer.concat([Buffer.from('PK\x03\x04'), Buffer.alloc(length - 4, 7)])
const DAYS = { 'apc260101.zip': zip(1000), 'apc260102.zip': zip(2000), 'apc251231.zip': zip(3000) }
const YEARS = {
  'apc18840407-20241231-01.zip': zip(50),
  'apc18840407-20251231-01.zip': zip(60),
  'apc18840407-20251231-02.zip': zip(70),
}

type OfficeOptions = Parameters<typeof startOffice>[0]

/** A simulated Office and a command that fetches from it. The clock advances only during waits. */
async function operatorOf(t: TestContext, options: Omit<OfficeOptions, 'wait'> = {}) {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  const office = await startOffice({
    wait: (ms, signal) => sleep(ms, undefined, { signal }),
    files: { daily: DAYS },
    ...options,
  })
  t.after(async () => {
    await office.stop()
    rmSync(folder, { recursive: true })
  })
  const clock = manualClock()
  const said: string[] = []
  const waits: number[] = []
  const imported: (readonly string[])[] = []
  const config: FetchConfig = {
    trademarkIndex: folder,
    trademarkOffice: { url: office.productsUrl, key: OFFICE_KEY },
    sandbox: true,
    namedHosts: {},
  }
  const needs = {
    config,
    version: 'test',
    clock,
    output: { write: (line: string) => said.push(line.trimEnd()) },
    signal: new AbortController().signal,
    importFiles: async (files: readonly string[]) => imported.push(files) > 0,
    wait: async (ms: number, signal: AbortSignal) => {
      signal.throwIfAborted()
      waits.push(ms)
      clock.advance(ms)
    },
  }
  const files = join(folder, 'files')
  const run = (words: string[] = [], more: Partial<Parameters<typeof fetchTrademarks>[1]> = {}) =>
    fetchTrademarks(parseFetchOptions(words), { ...needs, ...more })
  const downloads = () => office.asked.filter((path) => path.startsWith('/data/')).map((path) => path.split(/[/?]/)[3])
  return { ...needs, folder, files, office, run, said, waits, imported, downloads }
}

suite('a fetch', () => {
  test('downloads complete files, oldest first, with pauses between them, and says what to do next', async (t) => {
    const { run, files, said, waits, downloads } = await operatorOf(t)
    assert.equal(await run(), true)
    assert.deepEqual(downloads(), ['apc251231.zip', 'apc260101.zip', 'apc260102.zip'])
    assert.deepEqual(readFileSync(join(files, 'apc260102.zip')), DAYS['apc260102.zip'])
    assert.deepEqual(waits, [2500, 2500])
    assert.match(said.join('\n'), /3 files to download[^]*3 files downloaded[^]*onoma trademark import/)
    assert.equal(existsSync(join(files, 'apc260101.zip.part')), false)
  })

  test('skips complete files in the folder, and downloads incomplete ones again', async (t) => {
    const { run, files, downloads } = await operatorOf(t)
    mkdirSync(files)
    writeFileSync(join(files, 'apc251231.zip'), DAYS['apc251231.zip'])
    writeFileSync(join(files, 'apc260101.zip'), DAYS['apc260101.zip'].subarray(0, 500))
    writeFileSync(join(files, 'apc260102.zip'), 'x'.repeat(2000))
    await run()
    assert.deepEqual(downloads(), ['apc260101.zip', 'apc260102.zip'])
    await run()
    assert.equal(downloads().length, 2)
  })

  test('with --annual downloads the newest complete register and the days from its last one on; --since overrides this', async (t) => {
    const { run, downloads, imported, files } = await operatorOf(t, {
      files: { annual: YEARS, daily: { ...DAYS, 'apc251230.zip': zip(10) } },
    })
    assert.equal(await run(['--annual', '--import']), true)
    const names = [
      'apc18840407-20251231-01.zip',
      'apc18840407-20251231-02.zip',
      'apc251231.zip',
      'apc260101.zip',
      'apc260102.zip',
    ]
    assert.deepEqual(downloads(), names)
    // In batches that double: the first file can be searched while the others are downloaded.
    const paths = names.map((name) => join(files, name))
    assert.deepEqual(imported, [paths.slice(0, 1), paths.slice(1, 3), paths.slice(3)])
    await run(['--since', '2025-12-30'])
    assert.equal(downloads().at(-1), 'apc251230.zip')
  })

  test('finds all files of a listing with several pages', async (t) => {
    const { run, downloads } = await operatorOf(t, { pageSize: 2 })
    assert.equal(await run(), true)
    assert.equal(downloads().length, 3)
  })

  test('with --import imports what it downloaded, and never downloads that again, even if the file was deleted', async (t) => {
    const name = 'apc260103.zip'
    const made = mkdtempSync(join(tmpdir(), 'onoma-test-'))
    t.after(() => rmSync(made, { recursive: true }))
    await writeRegisterFile(join(made, name), recordsOf('ACME', 'ZEBRA'))
    const { run, config, output, signal, files, downloads, said } = await operatorOf(t, {
      files: { daily: { [name]: readFileSync(join(made, name)) } },
    })
    const importFiles = (paths: readonly string[]) => importTrademarks(paths, { config, output, signal })
    assert.equal(await run(['--import'], { importFiles }), true)
    assert.match(said.join('\n'), /2 records/)
    rmSync(join(files, name))
    assert.equal(await run(['--import'], { importFiles }), true)
    assert.equal(downloads().length, 1)
    assert.match(said.join('\n'), /Nothing new[^]*1 file already imported/)
  })

  test('deletes a file that does not match the listing, and continues with the others', async (t) => {
    const { run, files, said, imported } = await operatorOf(t, {
      script: (path) => (path.endsWith('apc260101.zip') ? (path.startsWith('/data') ? 'half' : '') : ''),
    })
    assert.equal(await run(['--import']), false)
    assert.match(said.join('\n'), /apc260101\.zip: discarded\. 500 bytes were downloaded, and the listing says 1000/)
    assert.deepEqual(
      [existsSync(join(files, 'apc260101.zip')), existsSync(join(files, 'apc260102.zip'))],
      [false, true],
    )
    assert.deepEqual([imported[0]?.length, existsSync(join(files, 'apc260101.zip.part'))], [2, false])
  })

  test('rejects a web page that is sent with status 200', async (t) => {
    const { run, said, files } = await operatorOf(t, { script: (path) => (path.startsWith('/data') ? 'foreign' : '') })
    assert.equal(await run(), false)
    assert.equal(said.filter((line) => /not a zip/.test(line)).length, 3)
    assert.equal(existsSync(join(files, 'apc260101.zip')), false)
  })

  test('waits as long as the Office asks, then continues', async (t) => {
    let times = 0
    const { run, waits, said } = await operatorOf(t, {
      script: (path) => (path.startsWith('/data') && times++ === 0 ? 'throttled45' : ''),
    })
    assert.equal(await run(), true)
    assert.ok(waits.includes(45_000))
    assert.match(said.join('\n'), /answered 429; retrying in 45 s/)
  })

  test('gives up after three attempts, or at once if the pause would be too long', async (t) => {
    const broken = await operatorOf(t, { script: (path) => (path.startsWith('/data') ? 'broken' : '') })
    assert.equal(await broken.run(), false)
    assert.equal(broken.downloads().length, 3)
    assert.match(broken.said.at(-1)!, /answered 500\. Run the command again later to continue/)
    const busy = await operatorOf(t, { script: (path) => (path.startsWith('/data') ? 'throttled3000' : '') })
    assert.equal(await busy.run(), false)
    assert.equal(busy.downloads().length, 1)
    assert.match(busy.said.at(-1)!, /wait 50 min/)
  })

  test('says that the key is missing or rejected', async (t) => {
    const { run, config, said, downloads } = await operatorOf(t)
    const withKey = (key: string | null) => ({
      config: { ...config, trademarkOffice: { ...config.trademarkOffice, key } },
    })
    assert.equal(await run([], withKey(null)), false)
    assert.match(said.join('\n'), /ONOMA_TRADEMARK_OFFICE_KEY is not set[^]*GB of disk and 10 minutes/)
    assert.equal(await run([], withKey('wrong')), false)
    assert.match(said.at(-1)!, /does not accept ONOMA_TRADEMARK_OFFICE_KEY/)
    assert.ok(!said.join().includes('wrong'))
    assert.equal(downloads().length, 0)
  })

  test('downloads nothing if the disk is too small, or with --dry-run', async (t) => {
    const { run, said, downloads } = await operatorOf(t)
    assert.equal(await run([], { freeBytes: () => 5999 }), false)
    assert.match(said.at(-1)!, /not enough/)
    assert.equal(await run(['--dry-run'], { freeBytes: () => 6000 }), true)
    assert.equal(downloads().length, 0)
  })

  test('that is stopped leaves only complete files, and continues later', async (t) => {
    const stop = new AbortController()
    const { run, files, said, downloads } = await operatorOf(t, {
      script: (path) => {
        const isLater = path.startsWith('/data') && path.endsWith('apc260101.zip') && !stop.signal.aborted
        if (isLater) setImmediate(() => stop.abort(new Error('Ctrl-C')))
        return isLater ? 'hang' : ''
      },
    })
    assert.equal(await run([], { signal: stop.signal }), false)
    assert.match(said.at(-1)!, /^Stopped/)
    assert.deepEqual(
      ['apc251231.zip', 'apc260101.zip', 'apc260101.zip.part'].map((name) => existsSync(join(files, name))),
      [true, false, false],
    )
    assert.equal(await run(), true)
    assert.deepEqual(downloads().slice(2), ['apc260101.zip', 'apc260102.zip'])
  })
})

test('command options are parsed, and invalid ones rejected with UsageError', () => {
  assert.deepEqual(parseFetchOptions(['--since=2026-01-31', '--folder', 'x', '--annual']), {
    annual: true,
    import: false,
    dryRun: false,
    help: false,
    since: '2026-01-31',
    folder: 'x',
  })
  for (const words of [['--since', '2026-02-30'], ['--since', 'today'], ['--since'], ['--dry'], ['file.zip']]) {
    assert.throws(() => parseFetchOptions(words), { name: 'UsageError' }, words.join(' '))
  }
})
