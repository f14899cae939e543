import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { isDeepStrictEqual } from 'node:util'
import { manualClock } from '../../../kernel/clock.ts'
import type { LedgerEntry } from '../../ledger.ts'
import { sqliteLedger } from '../sqlite-ledger.ts'
import { createClaim } from './process.fixture.ts'
import { migrate, MIGRATIONS, schemaVersion } from './schema.ts'

async function inFolder(use: (folder: string, path: string) => void | Promise<void>): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-ledger-'))
  try {
    await use(folder, join(folder, 'payments.sqlite'))
  } finally {
    rmSync(folder, { recursive: true })
  }
}
const open = (folder: string) => sqliteLedger({ folder, clock: manualClock() })
async function filled(folder: string, payments: number): Promise<void> {
  const ledger = open(folder)
  for (let n = 0; n < payments; n++) await ledger.claim(createClaim(`payment ${n}`, 'us'))
  ledger.close()
}

suite('the file of the ledger', () => {
  test('is created if missing, with its folder, readable by its user only', () =>
    inFolder(async (folder) => {
      const strange = join(folder, 'not there yet', '100% ü?#&')
      await filled(strange, 1)
      assert.equal(statSync(join(strange, 'payments.sqlite')).mode & 0o777, 0o600)
      const ledger = open(strange)
      assert.equal((await ledger.list(10)).length, 1)
      ledger.close()
      ledger.close()
    }))

  /** What stands in the place of the file, and what the operator is told. */
  const unusable: readonly [string, (path: string) => void | Promise<void>, RegExp][] = [
    [
      'a text',
      (path) => writeFileSync(path, 'no ledger\n'.repeat(1000)),
      /is not a SQLite file, or its beginning is damaged\. It records .* restore a copy/,
    ],
    [
      'an empty file',
      (path) => writeFileSync(path, ''),
      /it is empty or belongs to another program\. It records .* restore a copy/,
    ],
    ['a folder', (path) => mkdirSync(path), /it cannot be opened \(is it a file/],
    [
      "another program's file",
      (path) => edit(path, 'CREATE TABLE payments (key TEXT PRIMARY KEY)'),
      /it is empty or belongs to another program\. It records .* restore a copy/,
    ],
    [
      'the file of a newer version',
      async (path) => {
        await filled(join(path, '..'), 1)
        edit(path, `PRAGMA user_version = ${MIGRATIONS.length + 1}`)
      },
      new RegExp(`a newer Onoma wrote it \\(version ${MIGRATIONS.length + 1}\\)`),
    ],
    [
      'a file with a hole in it',
      async (path) => {
        await filled(join(path, '..'), 100)
        const bytes = readFileSync(path)
        writeFileSync(path, bytes.fill(0x2a, bytes.length / 2, bytes.length / 2 + 20_000))
      },
      /it is damaged\. It records .* restore a copy/,
    ],
    [
      'half a file',
      async (path) => {
        await filled(join(path, '..'), 100)
        const bytes = readFileSync(path)
        writeFileSync(path, bytes.subarray(0, bytes.length / 2))
      },
      /it is damaged\. It records .* restore a copy/,
    ],
  ]
  for (const [what, put, sentence] of unusable) {
    test(`${what} in its place is refused with a sentence, and left as it is`, () =>
      inFolder(async (folder, path) => {
        await put(path)
        const isFile = statSync(path).isFile()
        const bytes = isFile && readFileSync(path)
        assert.throws(
          () => open(folder),
          (error: Error) => {
            assert.match(error.message, sentence)
            assert.ok(error.message.startsWith(`The payment ledger ${path} cannot be used: `), error.message)
            return true
          },
        )
        assert.deepEqual(isFile && readFileSync(path), bytes)
      }))
  }

  test('is not made anew where it is gone and its log is not: the log would be played into the new one', () =>
    inFolder(async (folder, path) => {
      writeFileSync(`${path}-wal`, 'log')
      assert.throws(() => open(folder), /it is missing, but its -wal file is not: put the ledger back/)
      assert.ok(!existsSync(path))
    }))

  test('holds some moment of the past, whole, wherever the power is cut while it is written', () =>
    inFolder(async (folder, path) => {
      const ledger = open(folder)
      const history: (readonly LedgerEntry[])[] = [await ledger.list(100)]
      for (let n = 0; n < 8; n++) {
        const key = `payment ${n}`
        await ledger.claim(createClaim(key, 'us'))
        history.push(await ledger.list(100))
        await ledger.compute(key, 'us', { status: 200, body: JSON.stringify('x'.repeat(2000)) })
        history.push(await ledger.list(100))
        await (n % 3 === 0 ? ledger.release(key, 'us') : ledger.settle(key, 'us', { transaction: key, headers: [] }))
        history.push(await ledger.list(100))
      }
      const log = readFileSync(`${path}-wal`)
      let moment = 0
      const CUTS = 60
      for (let cut = 0; cut <= CUTS; cut++) {
        const whole = Math.floor((log.length * cut) / CUTS)
        // What comes after is missing, or was never more than noise.
        for (const torn of [log.subarray(0, whole), Buffer.from(log).fill(0x5a, whole)]) {
          const copy = join(folder, `copy-${cut}-${torn.length}`)
          mkdirSync(copy, { recursive: true })
          copyFileSync(path, join(copy, 'payments.sqlite'))
          writeFileSync(join(copy, 'payments.sqlite-wal'), torn)
          const found = open(copy)
          const entries = await found.list(100)
          found.close()
          const at = history.findIndex((then, n) => n >= moment && isDeepStrictEqual(then, entries))
          assert.notEqual(at, -1, 'a moment that never was, or an older one though more was written')
          moment = at
        }
      }
      assert.equal(moment, history.length - 1)
      ledger.close()
    }))

  test('is brought to the next version with all that is in it, or not at all', () =>
    inFolder(async (folder, path) => {
      await filled(folder, 3)
      const db = new DatabaseSync(path)
      const add = 'ALTER TABLE payments ADD COLUMN note TEXT'
      assert.throws(() => migrate(db, [...MIGRATIONS, add, 'no SQL']), /syntax error/)
      assert.equal(schemaVersion(db), MIGRATIONS.length)
      migrate(db, [...MIGRATIONS, add])
      migrate(db, [...MIGRATIONS, add])
      assert.equal(schemaVersion(db), MIGRATIONS.length + 1)
      assert.equal(db.prepare('SELECT note FROM payments').all().length, 3)
      db.close()
    }))

  test('of version 1 gets an id and keeps its payments; an instance of version 1 can go on writing', () =>
    inFolder(async (folder, path) => {
      const db = new DatabaseSync(path)
      migrate(db, MIGRATIONS.slice(0, 1))
      const insert = (key: string, payer: string) =>
        db.exec(
          `INSERT INTO payments (key, fingerprint, state, lease_until, created_at, scheme, payer, endpoint, micros, payment)
           VALUES ('${key}', 'f', 'claimed', ${Date.now()}, 1, 'x402', '${payer}', 'intel', 50000, 'p')`,
        )
      insert('old', '0xOld')
      const ledger = open(folder)
      const { id } = ledger
      assert.match(id, /^[0-9a-f]{32}$/)
      insert('later', '0xPayer')
      assert.deepEqual(
        (await ledger.list(10)).map(({ key, sent, isLost }) => ({ key, sent, isLost })),
        [
          { key: 'later', sent: [], isLost: false },
          { key: 'old', sent: [], isLost: false },
        ],
      )
      const claimed = await ledger.claim(createClaim('new', 'us', { balance: 99_999n }))
      assert.ok(!claimed.won && claimed.entry === undefined, 'what the old instance has claimed is reserved')
      ledger.close()
      db.close()
      const again = open(folder)
      assert.equal(again.id, id)
      again.close()
    }))

  test('rejects invalid rows by CHECK constraints', () =>
    inFolder(async (folder, path) => {
      await filled(folder, 1)
      const db = new DatabaseSync(path)
      for (const wrong of ["state = 'settled'", "state = 'computed'", "state = 'paid'", 'micros = -1', "body = ''"]) {
        assert.throws(() => db.exec(`UPDATE payments SET ${wrong}`), /CHECK constraint failed/, wrong)
      }
      db.close()
    }))
})

function edit(path: string, sql: string): void {
  const db = new DatabaseSync(path)
  db.exec(sql)
  db.close()
}
