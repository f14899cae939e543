import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test, type TestContext } from 'node:test'
import { identityOf, isDamage, isLocked, moveAside, whyUnusable } from './damaged-file.ts'

const NOW = Date.UTC(2026, 10, 16, 6, 30, 5, 123)

function folderFor(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-damaged-'))
  t.after(() => rmSync(folder, { recursive: true }))
  return folder
}

test('a damaged file is renamed with its companions, and keeps its content', (t) => {
  const folder = folderFor(t)
  for (const name of ['a.sqlite', 'a.sqlite-wal']) writeFileSync(join(folder, name), name)
  const moved = moveAside(join(folder, 'a.sqlite'), NOW, { suffixes: ['-wal', '-shm'] })
  assert.equal(moved, join(folder, 'a.sqlite.damaged-20261116T063005Z'))
  assert.equal(readFileSync(moved, 'utf8'), 'a.sqlite')
  assert.deepEqual(readdirSync(folder), ['a.sqlite.damaged-20261116T063005Z', 'a.sqlite.damaged-20261116T063005Z-wal'])
})

test('a file that another process has replaced meanwhile is left alone', (t) => {
  const path = join(folderFor(t), 'a.sqlite')
  writeFileSync(path, 'damaged')
  const identity = identityOf(path)
  assert.notEqual(moveAside(path, NOW, { identity }), null)
  writeFileSync(path, 'fresh')
  assert.equal(moveAside(path, NOW, { identity }), null)
  assert.equal(readFileSync(path, 'utf8'), 'fresh')
})

test('damage is told apart from other errors of SQLite', (t) => {
  const folder = folderFor(t)
  const errorOf = (path: string): unknown => {
    try {
      new DatabaseSync(path).exec('PRAGMA journal_mode = WAL; CREATE TABLE a (b)')
      return undefined
    } catch (error) {
      return error
    }
  }
  writeFileSync(join(folder, 'text'), 'not a database '.repeat(100))
  assert.deepEqual(
    [isDamage(errorOf(join(folder, 'text'))), whyUnusable(errorOf(join(folder, 'text')))],
    [true, 'it is damaged'],
  )
  assert.deepEqual([isDamage(errorOf(folder)), whyUnusable(errorOf(folder))], [false, 'it cannot be opened'])
  assert.equal(isDamage(new Error('other')), false)
})

test('a file that somebody else has locked is neither damaged nor unusable', (t) => {
  const path = join(folderFor(t), 'a.sqlite')
  const holder = new DatabaseSync(path)
  t.after(() => holder.close())
  holder.exec('CREATE TABLE a (b); BEGIN EXCLUSIVE')
  const other = new DatabaseSync(path)
  t.after(() => other.close())
  assert.throws(
    () => other.prepare('SELECT * FROM a').all(),
    (error) => isLocked(error) && !isDamage(error) && whyUnusable(error) === undefined,
  )
  assert.equal(isLocked(new Error('other')), false)
})
