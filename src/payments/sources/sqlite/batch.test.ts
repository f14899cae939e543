import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test, type TestContext } from 'node:test'
import { UpstreamError } from '../../../kernel/errors.ts'
import { createBatch } from './batch.ts'

const [NORMAL, FULL] = [1, 2]

function openDatabase(t: TestContext): DatabaseSync {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-batch-'))
  const db = new DatabaseSync(join(folder, 'it.sqlite'))
  db.exec('PRAGMA journal_mode = WAL; CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT')
  t.after(() => {
    db.close()
    rmSync(folder, { recursive: true })
  })
  return db
}

suite('steps that share a transaction', () => {
  test('wait for the disk if one of them must, and only then', async (t) => {
    const db = openDatabase(t)
    const batch = createBatch(db)
    const mode = () => db.prepare('PRAGMA synchronous').get()?.['synchronous']
    const [first, second] = await Promise.all([batch.run(mode), batch.run(mode, { isOnDisk: true })])
    assert.deepEqual([first, second], [FULL, FULL])
    assert.equal(await batch.run(mode), NORMAL)
  })

  test('are undone one by one: a step that fails takes no other with it', async (t) => {
    const db = openDatabase(t)
    const batch = createBatch(db)
    const insert = db.prepare('INSERT INTO t (id) VALUES (?)')
    const steps = [1, 1, 2].map((id) => batch.run(() => insert.run(id)))
    const outcomes = await Promise.allSettled(steps)
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    await assert.rejects(steps[1]!, UpstreamError)
    assert.deepEqual(
      db
        .prepare('SELECT id FROM t')
        .all()
        .map(({ id }) => id),
      [1, 2],
    )
  })

  test('that may wait are committed with the next one that may not, in their order', async (t) => {
    const db = openDatabase(t)
    const batch = createBatch(db)
    const insert = db.prepare('INSERT INTO t (id) VALUES (?)')
    const count = () => db.prepare('SELECT count(*) AS n FROM t').get()?.['n']
    const later = batch.run(() => insert.run(1), { mayWait: true })
    assert.equal(await batch.run(count), 1)
    await later
  })

  test('that may wait do not wait for ever, nor for longer than somebody lets them', async (t) => {
    const db = openDatabase(t)
    const batch = createBatch(db)
    assert.equal(await batch.run(() => 'alone', { mayWait: true }), 'alone')
    const hurried = batch.run(() => 'hurried', { mayWait: true })
    batch.hurry()
    assert.equal(await hurried, 'hurried')
    const flushed = batch.run(() => 'flushed', { mayWait: true })
    batch.flush()
    assert.equal(await flushed, 'flushed')
  })
})
