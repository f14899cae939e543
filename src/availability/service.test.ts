import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { manualClock } from '../kernel/clock.ts'
import type { DomainName, Label } from '../kernel/names.ts'
import type { Finding, Probe } from './probe.ts'
import { createAvailability } from './service.ts'

const TARGET = { domain: 'shop.co' as DomainName, label: 'shop' as Label, tld: 'co' }
const POLICY = { tld: 'co', type: 'ccTLD', lookup: 'rdap', hasWhois: false } as const
const NEVER = new AbortController().signal

/** Sources that answer when the test says so. */
function createSlowAvailability() {
  const answer = Promise.withResolvers<void>()
  const signals: AbortSignal[] = []
  const probe = (source: 'dns' | 'rdap' | 'whois'): Probe => ({
    async query({ domain }, { signal }): Promise<Finding> {
      signals.push(signal)
      await answer.promise
      const evidence = { source, server: 'x', question: domain, outcome: 'o', at: '2026-01-01T00:00:00.000Z', ms: 1 }
      return { says: 'registered', evidence }
    },
  })
  const clock = manualClock()
  const probes = { dns: probe('dns'), rdap: probe('rdap'), whois: probe('whois') }
  const availability = createAvailability({ probes, policyFor: () => POLICY, clock })
  return { availability, clock, answer, signals }
}

const summary = ({
  verdict: { state, failure, source },
}: Awaited<ReturnType<ReturnType<typeof createSlowAvailability>['availability']['check']>>) => [state, failure, source]

suite('the time of a check', () => {
  for (const kind of ['check', 'record'] as const) {
    test(`a ${kind} that joins the lookup of a patient caller ends at its own deadline`, async (t) => {
      t.mock.timers.enable({ apis: ['setTimeout'] })
      const { availability, answer, signals } = createSlowAvailability()
      const ask = (timeoutMs: number) =>
        availability[kind](TARGET, { timeoutMs, lane: 'a', signal: NEVER, refresh: false })
      const patient = ask(60_000)
      await Promise.resolve()
      const hasty = ask(10_000)
      await new Promise(setImmediate)
      t.mock.timers.tick(10_200)
      const outcome = await hasty
      assert.deepEqual(summary(outcome), ['unknown', 'timeout', 'rdap'])
      assert.equal(outcome.cached, false)
      assert.equal(signals[0]!.aborted, false, 'the lookup goes on for the other')
      answer.resolve()
      assert.equal((await patient).verdict.state, 'registered')
      assert.equal((await ask(10_000)).verdict.state, 'registered', 'the timeout is not remembered')
    })
  }

  test('a check without time left asks nobody, unless the verdict is known', async () => {
    const { availability, clock, answer, signals } = createSlowAvailability()
    const check = () =>
      availability.check(TARGET, { timeoutMs: 30_000, deadline: clock.monotonic(), lane: 'a', signal: NEVER })
    assert.deepEqual(summary(await check()), ['unknown', 'timeout', 'rdap'])
    assert.equal(signals.length, 0)
    answer.resolve()
    await availability.check(TARGET, { timeoutMs: 30_000, lane: 'a', signal: NEVER })
    assert.equal((await check()).verdict.state, 'registered')
  })

  test('a caller that leaves gets the reason of its own signal', async () => {
    const { availability } = createSlowAvailability()
    const left = new AbortController()
    const asking = availability.check(TARGET, { timeoutMs: 30_000, lane: 'a', signal: left.signal })
    left.abort(new Error('left'))
    await assert.rejects(asking, /left/)
  })
})
