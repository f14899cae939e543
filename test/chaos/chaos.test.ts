import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { FACILITATOR, UPSTREAMS } from './proxies.ts'
import type { Round } from './round.ts'
import { planRounds, runChaos } from './run.ts'

/** Short, because `npm run test:chaos` breaks every upstream in every way, for minutes. */
const ROUNDS: readonly Round[] = [
  {
    what: 'network',
    faults: [
      { group: 'dns', kind: 'garbage' },
      { group: 'base', kind: 'reset' },
      { group: 'tempo', kind: 'cut' },
    ],
  },
  {
    what: 'network',
    faults: [
      { group: 'rdap', kind: 'tls-failure' },
      { group: 'whois', kind: 'garbage' },
      { group: 'base', kind: 'latency' },
      { group: 'trademark records', kind: 'half-open' },
    ],
  },
  { what: 'network', byFacilitator: true, faults: [{ group: FACILITATOR, kind: 'cut', flaps: true }] },
  { what: 'kill' },
]

suite('a service whose world breaks', () => {
  test('calls no registered name available, loses no payment, hangs no request and recovers', async () => {
    const lines: string[] = []
    const print = (line: string) => void lines.push(line)
    const problems = await runChaos({ seed: 3, rounds: ROUNDS, roundMs: 1_000, workers: 3, payers: 2, print })
    assert.deepEqual(problems, [], lines.join('\n'))
    // Something was sold, and something was looked up.
    assert.match(lines.join('\n'), /[1-9]\d* of \d+ purchases delivered/)
    assert.match(lines.join('\n'), /[1-9]\d* verdicts/)
  })

  test('breaks in the same way for the same seed', () => {
    const plan = (seed: number) => planRounds({ seed, count: 12, groups: UPSTREAMS })
    assert.deepEqual(plan(1), plan(1))
    assert.notDeepEqual(plan(1), plan(2))
    const kinds = plan(1).flatMap((round) => (round.what === 'network' ? round.faults.map(({ kind }) => kind) : []))
    assert.equal(new Set(kinds).size, 8)
    const what = new Set(plan(1).map((round) => round.what))
    assert.deepEqual([...what], ['network', 'pages', 'kill', 'few files', 'full disk', 'read-only disk', 'wrong clock'])
    const days = plan(1).flatMap((round) => (round.what === 'wrong clock' ? [round.days] : []))
    assert.deepEqual(days, [3, -3])
    assert.ok(plan(1).some((round) => round.what === 'network' && round.byFacilitator))
  })
})
