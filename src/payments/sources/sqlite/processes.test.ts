import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { FAULT_POINTS, faultyLedger } from '../../../../test/support/faulty-ledger.ts'
import { systemClock } from '../../../kernel/clock.ts'
import type { Ledger } from '../../ledger.ts'
import { memoryLedger } from '../memory-ledger.ts'
import { sqliteLedger } from '../sqlite-ledger.ts'
import { createClaim, startLedgerProcess, type LedgerProcess } from './process.fixture.ts'

type Options = Parameters<typeof startLedgerProcess>[1]

/** A folder, and processes that are ended whatever happens. */
async function inFolder(
  use: (folder: string, start: (options?: Options) => Promise<LedgerProcess>) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-ledger-'))
  const started: LedgerProcess[] = []
  try {
    await use(folder, async (options) => {
      const process = await startLedgerProcess(folder, options)
      started.push(process)
      return process
    })
  } finally {
    await Promise.all(started.map((process) => process.end()))
    rmSync(folder, { recursive: true })
  }
}

const PAID = { transaction: '0x1', headers: ['Payment-Receipt', 'r'] }

suite('one ledger in SQLite, several processes', () => {
  test('they make one file where they start together, and leave nothing else', () =>
    inFolder(async (folder, start) => {
      const processes = await Promise.all(Array.from({ length: 4 }, () => start()))
      const claims = await Promise.all(processes.map(({ ledger }, n) => ledger.claim(createClaim('k', `process ${n}`))))
      assert.equal(claims.filter(({ won }) => won).length, 1)
      const files = readdirSync(folder).toSorted()
      assert.deepEqual(files, ['payments.sqlite', 'payments.sqlite-shm', 'payments.sqlite-wal'])
    }))

  test('of a hundred claims of one payment over two processes one wins, and one settles', () =>
    inFolder(async (_folder, start) => {
      const processes = await Promise.all([start(), start()])
      const owners = Array.from({ length: 100 }, (_, n) => ({ owner: `owner ${n}`, ledger: processes[n % 2]!.ledger }))
      for (let round = 0; round < 10; round++) {
        const key = `payment ${round}`
        const claims = await Promise.all(owners.map(({ owner, ledger }) => ledger.claim(createClaim(key, owner))))
        const winner = claims.findIndex(({ won }) => won)
        assert.equal(claims.filter(({ won }) => won).length, 1)
        const answers = owners.map(({ owner, ledger }) => ledger.compute(key, owner, { status: 200, body: owner }))
        assert.equal((await Promise.all(answers)).indexOf(true), winner)
        const settled = await Promise.all(owners.map(({ owner, ledger }) => ledger.settle(key, owner, PAID)))
        assert.deepEqual(
          settled.flatMap((done, n) => (done ? [n] : [])),
          [winner],
        )
      }
    }))

  test('kill -9 at any moment leaves a sound ledger, with all that was acknowledged', () =>
    inFolder(async (folder, start) => {
      const ours = sqliteLedger({ folder, clock: systemClock })
      try {
        for (const writes of [1, 2, 3, 10, 40, 150, 600]) {
          const process = await start()
          const said = (await process.killAmidWork(writes)).map((line) => line.split(' ') as [string, string])
          assert.ok(said.length >= writes)
          const latest = new Map(said)
          const [last] = [...latest.keys()].slice(-1)
          for (const [key, state] of latest) {
            const entry = await ours.find(key)
            // The last write may be on the disk without having been told.
            const possible = key === last ? ['claimed', 'computed', 'settled'].slice(STATES.indexOf(state)) : [state]
            assert.ok(entry && possible.includes(entry.state), `${key} is ${entry?.state}, was told to be ${state}`)
            if (entry.state !== 'claimed') assert.equal(JSON.parse(entry.answer!.body).key, key)
          }
          assert.equal((await ours.claim(createClaim(`after ${writes}`, 'us'))).won, true, 'the dead hold no lock')
        }
      } finally {
        ours.close()
      }
      const db = new DatabaseSync(join(folder, 'payments.sqlite'))
      assert.deepEqual(
        db
          .prepare('PRAGMA integrity_check')
          .all()
          .map((row) => ({ ...row })),
        [{ integrity_check: 'ok' }],
      )
      db.close()
    }))

  test('a write that does not reach the disk is not acknowledged', () =>
    inFolder(async (folder, start) => {
      const { ledger } = await start({ maxFileBlocks: 400 })
      const won: string[] = []
      const claimUntilRefused = async () => {
        for (let n = 0; n < 200; n++) {
          const claim = createClaim(`payment ${n}`, 'it')
          await ledger.claim(claim)
          won.push(claim.key)
        }
      }
      await assert.rejects(claimUntilRefused, /UpstreamError: the payment ledger cannot be written/)
      const ours = sqliteLedger({ folder, clock: systemClock })
      const kept = (await ours.list(1000)).map(({ key }) => key).toReversed()
      ours.close()
      assert.ok(won.length > 0)
      assert.deepEqual(kept, won)
    }))
})

const STATES = ['claimed', 'computed', 'settled']

suite('a ledger that fails where a test wants it', () => {
  /** The life of a payment, as far as it can be told from the outside. */
  const life = async (ledger: Pick<Ledger, 'claim' | 'compute' | 'settle'>): Promise<void> => {
    await ledger.claim(createClaim('k', 'it'))
    await ledger.compute('k', 'it', { status: 200, body: '{}' })
    await ledger.settle('k', 'it', PAID)
  }
  const expected: Record<string, string | undefined> = {
    'before claim': undefined,
    'after claim': 'claimed',
    'before compute': 'claimed',
    'after compute': 'computed',
    'before settle': 'computed',
    'after settle': 'settled',
  }
  for (const at of FAULT_POINTS.filter((each) => each in expected)) {
    const state = expected[at]
    test(`throws ${at}, once: the payment is ${state ?? 'not there'}`, async () => {
      const ledger = memoryLedger({ clock: systemClock })
      const faulty = faultyLedger(ledger, [{ at, how: 'throw' }])
      await assert.rejects(life(faulty), new RegExp(`fails ${at}`))
      assert.deepEqual(faulty.struck, [at])
      assert.equal((await ledger.find('k'))?.state, state)
      await life(faulty)
    })

    test(`kills its process ${at}: the payment is ${state ?? 'not there'}`, () =>
      inFolder(async (folder, start) => {
        const { ledger, ended } = await start({ plan: [{ at, how: 'kill' }] })
        await assert.rejects(life(ledger), /is gone/)
        await ended
        const ours = sqliteLedger({ folder, clock: systemClock })
        assert.equal((await ours.find('k'))?.state, state)
        ours.close()
      }))
  }
})
