import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { setTimeout as sleep } from 'node:timers/promises'
import { suite, test, type TestContext } from 'node:test'
import { OFFICE_KEY, startOffice } from '../../sandbox/trademark/office.ts'
import { writeRegisterFile } from '../../sandbox/trademark/register-file.ts'
import { fetchTrademarks } from '../../src/app/commands/trademark-fetch.ts'
import { parseFetchOptions } from '../../src/app/commands/trademark-fetch-options.ts'
import { importTrademarks } from '../../src/app/commands/trademark-import.ts'
import { manualClock, systemClock } from '../../src/kernel/clock.ts'
import { recordsPath } from '../../src/trademark/engine/format/records/schema.ts'
import { openIndex } from '../../src/trademark/engine/open.ts'
import { trademarkRoutes } from '../../src/trademark/routes.ts'
import { createTrademarks } from '../../src/trademark/service.ts'
import { startDoor } from '../support/door.ts'
import { readManifest } from '../../src/trademark/engine/manifest.ts'
import type { TrademarkRecord } from '../../src/trademark/record.ts'
import { recordOf } from '../../src/trademark/sources/records.fixture.ts'
import { importedFiles } from '../../src/trademark/engine/format/records/imported-files.ts'

/** One file for each of these years of filing, in the order of the Office: the newest serial numbers are in the last. */
const YEARS_OF_FILES = [1990, 2001, 2005, 2010, 2015, 2019, 2024, 2025]
const NAMES = YEARS_OF_FILES.map((_, at) => `apc18840407-20251231-0${at + 1}.zip`)
const record = (year: number, at: number, classes: readonly string[]): TrademarkRecord =>
  recordOf({
    serial: String(70_000_000 + year * 10 + at),
    mark: `MARK ${year}`,
    filingDate: year * 10_000 + 615,
    classes,
  })

/** A register of eight annual files and one daily file, each with a mark in class 9 and one in class 25. */
async function startRegister(t: TestContext) {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-part-'))
  const annual: Record<string, Uint8Array> = {}
  for (const [at, year] of YEARS_OF_FILES.entries()) {
    const path = join(folder, NAMES[at]!)
    await writeRegisterFile(path, [record(year, 1, ['009']), record(year, 2, ['025', '035'])])
    annual[NAMES[at]!] = readFileSync(path)
  }
  await writeRegisterFile(join(folder, 'apc260101.zip'), [record(2025, 3, ['009']), record(1990, 4, ['009'])])
  const daily = { 'apc260101.zip': readFileSync(join(folder, 'apc260101.zip')) }
  const office = await startOffice({
    wait: (ms, signal) => sleep(ms, undefined, { signal }),
    files: { annual, daily },
  })
  t.after(async () => {
    await office.stop()
    rmSync(folder, { recursive: true })
  })
  const index = join(folder, 'index')
  const said: string[] = []
  const clock = manualClock(Date.UTC(2026, 1, 1))
  const output = { write: (line: string) => said.push(line.trimEnd()) }
  const config = {
    trademarkIndex: index,
    trademarkOffice: { url: office.productsUrl, key: OFFICE_KEY },
    sandbox: true,
    namedHosts: {},
  }
  const common = { config, output, clock, signal: new AbortController().signal }
  /** The number of records that can be searched after each import. */
  const searchable: number[] = []
  const run = (words: string[], freeBytes = () => 1e12) =>
    fetchTrademarks(parseFetchOptions(words), {
      ...common,
      freeBytes,
      wait: async (ms) => clock.advance(ms),
      async importFiles(files, filter) {
        const isDone = await importTrademarks(files, { ...common, filter })
        searchable.push(readManifest(index)?.documents ?? 0)
        return isDone
      },
    })
  const downloads = () => office.asked.flatMap((path) => /^\/data\/\w+\/([\w.-]+)/.exec(path)?.[1] ?? [])
  const marks = () => {
    const db = new DatabaseSync(recordsPath(index), { readOnly: true })
    try {
      return db
        .prepare('SELECT DISTINCT serial FROM record ORDER BY serial')
        .all()
        .map(({ serial }) => String(serial))
    } finally {
      db.close()
    }
  }
  return { run, said, downloads, searchable, marks, index }
}

suite('a part of the register', () => {
  test('--years loads the newest files first, each searchable before the next batch, and stops where none is left', async (t) => {
    const { run, said, downloads, searchable, marks, index } = await startRegister(t)
    assert.equal(await run(['--years', '2', '--import']), true, said.join('\n'))
    // 2025 and 2024 have marks filed since 2024; 2019 and 2015 have none; 2010 came with them in one batch.
    assert.deepEqual(
      downloads(),
      [...NAMES.slice(1).toReversed(), 'apc260101.zip'].filter((name) => name !== NAMES[0]),
    )
    assert.deepEqual(marks(), ['70020241', '70020242', '70020251', '70020252', '70020253'])
    assert.equal(searchable[0], 2)
    assert.match(said.join('\n'), /The last files had no marks filed since 2024-01-01: the older files .* left out/)
    assert.equal(readManifest(index)!.scope, 'only filed since 2024-01-01')
    const opened = openIndex(index)
    const door = await startDoor(trademarkRoutes(createTrademarks({ index: () => opened, clock: systemClock })))
    t.after(async () => {
      await door.stop()
      await opened.close()
    })
    const { body } = await door.get('/v1/trademark/search?q=mark%202025')
    const { results, index_info } = body as { results: unknown[]; index_info: { scope?: string } }
    assert.ok(results.length > 0)
    assert.equal(index_info.scope, 'only filed since 2024-01-01')
    const status = await door.get('/v1/trademark/search/status')
    assert.equal((status.body as { scope?: string }).scope, index_info.scope)
  })

  test('says disk and minutes before it starts, with --dry-run too, and does not start without the space', async (t) => {
    const { run, said, downloads } = await startRegister(t)
    assert.equal(await run(['--years', '2', '--dry-run']), true)
    assert.match(said.join('\n'), /It needs about \d+ MB of disk, and .* to download at 10 MB\/s\./)
    assert.equal(await run(['--annual', '--import'], () => 100), false)
    assert.match(said.join('\n'), /of disk, the index included, and .* to download at 10 MB\/s and .* to import/)
    assert.match(said.join('\n'), /first records can be searched after about/)
    assert.match(said.at(-1)!, /not enough/)
    assert.deepEqual(downloads(), [])
  })

  test('--classes keeps only marks of these classes', async (t) => {
    const { run, marks, index } = await startRegister(t)
    assert.equal(await run(['--annual', '--classes', '35,9', '--years=1', '--import']), true)
    assert.deepEqual(marks(), ['70020251', '70020252', '70020253'])
    assert.equal(readManifest(index)!.scope, 'only classes 009, 035; filed since 2025-01-01')
  })

  test('is continued by the same command without a second download, and completed by --annual', async (t) => {
    const { run, said, downloads, marks, index } = await startRegister(t)
    await run(['--years', '2', '--import'])
    const before = downloads().length
    assert.equal(await run(['--years', '2', '--import']), true)
    assert.equal(downloads().length, before)
    assert.match(said.join('\n'), /Nothing new to download/)
    assert.equal(await run(['--annual', '--import']), true)
    assert.match(
      said.join('\n'),
      /The index has a part of the register \(filed since 2024-01-01\); this run adds all records/,
    )
    assert.equal(new Set(marks()).size, 2 * YEARS_OF_FILES.length + 2)
    assert.equal(readManifest(index)!.scope, undefined)
    assert.equal(new Set(downloads()).size, downloads().length, 'files in the folder are not downloaded again')
    assert.ok(importedFiles(index).some(({ name }) => name === NAMES[0]))
  })

  test('options that cannot work are rejected with the reason', () => {
    for (const [words, message] of [
      [['--years', '2'], /need --import/],
      [['--classes', '9'], /need --import/],
      [['--years', '0', '--import'], /--years must be a whole number from 1 to 150/],
      [['--years', 'two', '--import'], /--years must be/],
      [['--classes', '9,46', '--import'], /Nice classes from 1 to 45/],
      [['--classes', '', '--import'], /needs a value/],
    ] as const)
      assert.throws(() => parseFetchOptions(words), { name: 'UsageError', message })
  })
})
