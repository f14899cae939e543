import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { cpSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import { openDatabase } from './schema.ts'
import { csvOf, folderFor, type Line, NOW, settingsFor, someLines } from './listings.fixture.ts'
import { LEASE_SECONDS } from './listing-writer.ts'
import { runSync } from './sync-run.ts'

/** Before: 0 to 4499, of which the first 300 end soon. After: the first 400 are missing, some are more expensive, some are new. */
const before: Line[] = someLines(4500).map((line, at) => ({ ...line, ends: at < 300 ? 1 : 400 }))
const after: Line[] = [
  ...before.slice(400).map((line, at) => (at % 3 === 0 ? { ...line, price: 77 } : line)),
  ...someLines(900, 10_000).map((line) => ({ ...line, ends: 400 })),
]
/** Two days later the ended auctions must be deleted. */
const LATER = NOW + 2 * 86_400_000

async function runUntil(folder: string, now: number, step: string, nth: number): Promise<NodeJS.Signals | null> {
  const fixture = join(import.meta.dirname, 'crash.fixture.ts')
  const words = [fixture, folder, step, String(nth), String(now)]
  const child = spawn(process.execPath, words, { stdio: ['ignore', 'ignore', 'inherit'] })
  const [, signal] = (await once(child, 'exit')) as [number, NodeJS.Signals | null]
  return signal
}

async function finish(folder: string, now: number): Promise<string> {
  const job = {
    path: join(folder, 'auctions.sqlite'),
    settings: settingsFor(join(folder, 'feed.csv')),
    userAgent: 'onoma-test',
    sandbox: true,
    holder: 'next',
  }
  return (await runSync(job, { clock: manualClock(now), signal: new AbortController().signal })).outcome
}

/** All data that must not depend on crashes; ids and counters may differ. */
function contents(folder: string) {
  const database = openDatabase(join(folder, 'auctions.sqlite'))
  try {
    assert.deepEqual({ ...database.prepare('PRAGMA integrity_check').get() }, { integrity_check: 'ok' })
    const rows = database
      .prepare(`SELECT external_id, name, ends, price, bids, quality, mark, body FROM auction JOIN detail USING (id)
        ORDER BY external_id`)
      .all()
    const counts = database.prepare('SELECT (SELECT count(*) FROM auction) a, (SELECT count(*) FROM detail) d').get()
    return { rows: rows.map((row) => ({ ...row })), counts: { ...counts } }
  } finally {
    database.close()
  }
}

suite('a sync that is killed', () => {
  const points: [string, number][] = [
    ['begun', 1],
    ['put', 2],
    ['committed', 2],
    ['step', 1],
    ['withdrawn', 1],
    ['step', 2],
    ['swept', 1],
    ['completed', 1],
  ]
  test('at any step loses and duplicates nothing once the next sync is complete', async (t) => {
    const start = folderFor(t)
    writeFileSync(join(start, 'feed.csv'), csvOf(before))
    await finish(start, NOW)
    const copyOf = () => {
      const folder = folderFor(t)
      cpSync(start, folder, { recursive: true })
      writeFileSync(join(folder, 'feed.csv'), csvOf(after))
      return folder
    }
    const calm = copyOf()
    await finish(calm, LATER + (LEASE_SECONDS + 1) * 1000)
    const expected = contents(calm)
    assert.deepEqual(expected.counts, { a: 5100, d: 5100 })
    for (const [step, nth] of points) {
      const folder = copyOf()
      assert.equal(await runUntil(folder, LATER, step, nth), 'SIGKILL', `${step} ${nth} was not reached`)
      const { counts } = contents(folder)
      assert.equal(new Set(Object.values(counts)).size, 1, `${step} ${nth} left the tables apart`)
      await finish(folder, LATER + (LEASE_SECONDS + 1) * 1000)
      const found = contents(folder)
      // Auctions withdrawn before the kill ended at that time, and are deleted a day later like the others.
      const live = (rows: typeof found.rows) =>
        rows.filter(({ ends }) => Number(ends) > LATER / 1000 + LEASE_SECONDS + 1)
      assert.deepEqual(live(found.rows), live(expected.rows), `${step} ${nth}`)
      assert.equal(found.rows.length, expected.rows.length, `${step} ${nth}`)
    }
  })

  test('before its first row can be followed by a complete sync', async (t) => {
    const folder = folderFor(t)
    writeFileSync(join(folder, 'feed.csv'), csvOf(before))
    assert.equal(await runUntil(folder, NOW, 'committed', 2), 'SIGKILL')
    assert.equal(contents(folder).rows.length, 4000)
    assert.equal(await finish(folder, NOW + 1000), 'busy')
    assert.equal(contents(folder).rows.length, 4000, 'the dead one is still believed to be at it')
    assert.equal(await finish(folder, NOW + LEASE_SECONDS * 1000), 'complete')
    assert.equal(contents(folder).rows.length, 4500)
  })
})
