import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dnsVerdicts, type Round } from '../../bench/dns/verdicts.ts'

const rounds = (ours: Partial<Round>, theirs: Partial<Round> = {}) => {
  const round = { ms: 100, cpuMicros: 30, wrong: 0 }
  return new Map([
    ['onoma', [{ ...round, ...ours }]],
    ['dns.Resolver', [{ ...round, ...theirs }]],
  ])
}
const good = { bursts: rounds({ ms: 10 }), lists: rounds({ ms: 90, cpuMicros: 25 }) }
const failures = (given: Partial<typeof good>) =>
  dnsVerdicts({ ...good, ...given })
    .filter(({ met }) => !met)
    .map(({ target }) => target)

test('the bench fails if a list is slower or needs more CPU than with the peer, and for a wrong answer', () => {
  assert.deepEqual(failures({}), [])
  assert.match(failures({ lists: rounds({ ms: 101, cpuMicros: 25 }) }).join('; '), /^a list at least as fast/)
  assert.match(failures({ lists: rounds({ cpuMicros: 31 }) }).join('; '), /^a list with at most/)
  assert.match(failures({ bursts: rounds({ ms: 50 }) }).join('; '), /^a burst at least/)
  assert.match(failures({ bursts: rounds({ ms: 10, wrong: 1 }) }).join('; '), /^no answer wrong/)
})
