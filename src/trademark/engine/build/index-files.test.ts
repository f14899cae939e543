import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { recordOf, recordsOf } from '../../sources/records.fixture.ts'
import { readManifest } from '../manifest.ts'
import { recordsSource } from './file-source.ts'
import { answersIn, clock, FILES, filesIn, manifestOf, MARKS, temporaryFolder } from './index.fixture.ts'
import { ingest } from './ingest.ts'
import { BusyError, lockIndex } from './lock.ts'
import { mergeSegments } from './merge.ts'

test('a second import or merge is refused while one runs, and a killed process leaves no lock', async (context) => {
  const folder = temporaryFolder(context)
  await ingest(folder, [recordsSource('a', recordsOf('NOVA'))], { clock })
  const unlock = lockIndex(folder)
  await assert.rejects(ingest(folder, [], { clock }), BusyError)
  await assert.rejects(mergeSegments(folder, { clock }), /Another import or merge is at work/)
  unlock()
  const code = `const { lockIndex } = await import(${JSON.stringify(join(import.meta.dirname, 'lock.ts'))})
    lockIndex(${JSON.stringify(folder)}); process.stdout.write('locked'); setInterval(() => {}, 1000)`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code])
  await once(child.stdout, 'data')
  await assert.rejects(ingest(folder, [], { clock }), BusyError)
  child.kill('SIGKILL')
  await once(child, 'exit')
  assert.equal((await ingest(folder, [], { clock }))!.documents, 1)
})

test('superseded versions are deleted one import later', async (context) => {
  const folder = temporaryFolder(context)
  const rows = () => {
    const db = new DatabaseSync(join(folder, 'records.sqlite'), { readOnly: true })
    const { n } = db.prepare('SELECT count(*) AS n FROM record').get() as { n: number }
    db.close()
    return n
  }
  const version = (day: number) => recordsOf('NOVA', 'LUNA').map((record) => ({ ...record, transactionDate: day }))
  const counts: number[] = []
  for (const day of [1, 2, 3, 4]) {
    await ingest(folder, [recordsSource(`${day}`, version(day))], { clock })
    await mergeSegments(folder, { clock })
    counts.push(rows())
  }
  assert.deepEqual(counts, [2, 4, 4, 4])
  assert.equal(manifestOf(folder).documents, 2)
})

test('files of the previous index stay until the next one is published', async (context) => {
  const folder = temporaryFolder(context)
  await ingest(folder, FILES.slice(0, 2), { clock })
  await ingest(folder, FILES.slice(2), { clock })
  const before = manifestOf(folder)
  const named = before.segments.flatMap(({ part, superseded }) => [
    part.name,
    ...(superseded ? [superseded.part.name] : []),
  ])
  assert.ok(before.segments.length > 1 && named.length > before.segments.length)
  const expected = answersIn(folder, MARKS)
  await mergeSegments(folder, { clock })
  const after = manifestOf(folder)
  assert.ok(
    after.segments.every(({ part }) => !named.includes(part.name)),
    'it was not merged',
  )
  // A search that has read the previous manifest finds all files it names, and the same answers.
  assert.deepEqual(answersIn(folder, MARKS, before), expected)
  await ingest(folder, [recordsSource('next', [recordOf({ serial: '79000001', mark: 'NEXT' })])], { clock })
  assert.deepEqual(
    filesIn(folder).filter((name) => named.includes(name)),
    [],
  )
  assert.deepEqual(answersIn(folder, MARKS, after), expected)
})

test('an index of an early version, kept in SQLite, is refused with what to do', async (context) => {
  const folder = temporaryFolder(context)
  writeFileSync(join(folder, 'index.json'), JSON.stringify({ kind: 'fts5', format: 1, parts: ['register-01.sqlite'] }))
  const refusal = /index\.json was written by an older Onoma; remove the folder and import the files .* again/
  assert.throws(() => readManifest(folder), refusal)
  await assert.rejects(ingest(folder, [recordsSource('more', recordsOf('SOL'))], { clock }), refusal)
})
