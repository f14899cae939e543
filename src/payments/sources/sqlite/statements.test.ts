import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { after, suite, test } from 'node:test'
import { CREDIT_QUERIES, CREDIT_WRITES } from './credit-statements.ts'
import { migrate } from './schema.ts'
import { QUERIES, WRITES } from './statements.ts'

/** Bounded by a limit, or by the number of open credits. */
const MAY_SCAN = new Set(['list', 'outstanding', 'id'])
/** Indexes that hold only what is not done yet. */
const SMALL_INDEXES = /payments_not_settled|transactions_unpriced/
/** The foreign key looks for draws of a credit that is deleted, which happens only if it was never paid. */
const FOREIGN_KEY = new Set(['attach', 'deleteNeverPaid'])

suite('statements of the ledger', () => {
  const db = new DatabaseSync(':memory:')
  migrate(db)
  after(() => db.close())

  for (const [name, sql] of Object.entries({ ...QUERIES, ...WRITES, ...CREDIT_QUERIES, ...CREDIT_WRITES })) {
    if (MAY_SCAN.has(name)) continue
    test(`${name} reads no more the more payments there are`, () => {
      const names = [...sql.matchAll(/:(\w+)/g)].map(([, parameter]) => [parameter!, null])
      const plan = db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(Object.fromEntries(names))
        .map(({ detail }) => String(detail))
      const tables = FOREIGN_KEY.has(name) ? 'payments|p|transactions' : 'payments|p|credit_draws|transactions'
      // All settled payments before a time are a list that grows with the ledger.
      const grows = new RegExp(`^SCAN (?:${tables})\\b|payments_by_settlement`)
      assert.deepEqual(
        plan.filter((line) => grows.test(line) && !SMALL_INDEXES.test(line)),
        [],
        plan.join('\n'),
      )
    })
  }
})
