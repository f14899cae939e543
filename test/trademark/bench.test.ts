import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createChildren } from '../../bench/children.ts'
import { measureTrademark, type Plan } from '../../bench/trademark/measure.ts'
import { KINDS } from '../../bench/trademark/queries.ts'
import { judgeTrademark, reportTrademark } from '../../bench/trademark/report.ts'

const PLAN: Plan = {
  seed: 20260101,
  size: 2_000,
  index: undefined,
  threads: 2,
  annual: 300,
  daily: 300,
  queries: { first: 3, warm: 6 },
  mixedSeconds: 0.2,
  peer: 1_000,
}

test('bench:trademark builds, imports and queries an index, and reports every figure', async () => {
  const children = createChildren()
  try {
    const outcome = await measureTrademark(children, PLAN, () => {})
    assert.equal(outcome.open.documents, PLAN.size)
    assert.equal(outcome.file.records, PLAN.annual)
    assert.ok(outcome.build!.spent.cpuMs > 0 && outcome.read.cpuMs > 0 && outcome.import.cpuMs > 0)
    assert.ok(outcome.quarter.cpuMs > 0 && outcome.quarter.records === PLAN.annual / 4)
    assert.ok(outcome.open.bytes > 0 && outcome.rssBytes > 0 && outcome.peer!.bytes > 0)
    assert.ok(outcome.daily!.visibleMs > 0)
    assert.ok(outcome.mixed.perSecond > 0 && outcome.mixed.p99Ms >= outcome.mixed.p50Ms)
    for (const kind of KINDS) {
      const { first, warm } = outcome.latencies[kind]
      assert.deepEqual([first?.queries, warm?.queries], [3, 6], kind)
      assert.ok(warm!.maxMs >= warm!.p50Ms && warm!.p99Ms >= warm!.p50Ms && warm!.p50Ms > 0, kind)
      // Every query has a match, except for dates on which no term ends and marks that are not from the register.
      if (kind !== 'expiring' && kind !== 'lawyers') assert.equal(warm!.found, 6, kind)
    }
    const report = reportTrademark(outcome, PLAN).join('\n')
    for (const kind of KINDS) assert.match(report, new RegExp(`^${kind} +6 `, 'm'))
    for (const figure of [
      /^build: .* records\/s/m,
      /^import it: .* records\/s of CPU time \(.*further record.*\), peak RSS/m,
      /MB of XML per second/,
      /^open: /m,
      /^mixed, /m,
      /^SQLite FTS5/m,
      /^daily/m,
    ])
      assert.match(report, figure)
    assert.equal(judgeTrademark(outcome, PLAN).length, 16)
  } finally {
    await children.stop()
  }
})
