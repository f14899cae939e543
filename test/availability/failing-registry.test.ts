import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { tokenBucket } from '../../src/kernel/pace/simulation.fixture.ts'
import { type Fault, LATENCY_MS, mixedNames, simulateRegistry } from '../support/failing-registry.ts'

/** Whether every name has the right verdict. */
const allRight = (states: Readonly<Record<string, string>>): boolean =>
  Object.entries(states).every(([name, state]) => state === (name.startsWith('free') ? 'available' : 'registered'))
const allUnknown = (states: Readonly<Record<string, string>>): boolean =>
  Object.values(states).every((state) => state === 'unknown')

/** The time of this many WHOIS queries, four at a time. */
const whoisMs = (count: number): number => Math.ceil(count / 4) * LATENCY_MS

/** A fault of the first query about each name. */
function onceForEachName(fault: Fault): (domain: string) => Fault {
  const seen = new Set<string>()
  return (domain) => {
    if (seen.has(domain)) return 'none'
    seen.add(domain)
    return fault
  }
}

suite('RDAP that fails, and WHOIS that answers', () => {
  for (const fault of ['refused', 'certificate'] as const) {
    test(`${fault}: one RDAP query in all, and WHOIS at once, for the first name and the next ones`, async () => {
      const { check, counts } = simulateRegistry({ rdap: () => fault })
      const first = await check(['free-a'])
      const next = await check(['held-b'])
      const many = await check(mixedNames(24))
      assert.deepEqual([first.ms, next.ms, many.ms], [LATENCY_MS, LATENCY_MS, whoisMs(25)])
      assert.ok([first, next, many].every(({ states }) => allRight(states)))
      assert.ok(counts.rdap <= 2 && counts.whois === 26, JSON.stringify(counts))
      assert.equal(counts.maxWhoisUnderWay, 4)
    })
  }

  for (const fault of ['reset', 'cut'] as const) {
    test(`${fault}: one retry at once on a new connection, then WHOIS; the next names go to WHOIS`, async () => {
      const { check, counts } = simulateRegistry({ rdap: () => fault })
      const first = await check(['free-a'])
      assert.deepEqual([first.ms, counts.rdap, counts.whois], [3 * LATENCY_MS, 2, 1])
      const next = await check(['held-b'])
      assert.deepEqual([next.ms, counts.rdap, counts.whois], [LATENCY_MS, 2, 2])
      assert.ok(allRight(first.states) && allRight(next.states))
    })

    test(`${fault} once: RDAP itself answers the retry, and WHOIS is not asked`, async () => {
      const { check, counts } = simulateRegistry({ rdap: onceForEachName(fault) })
      const { ms, states } = await check(['free-a'])
      assert.deepEqual([ms, counts.rdap, counts.whois], [2 * LATENCY_MS, 2, 0])
      assert.ok(allRight(states))
    })
  }

  test('error: one retry after a short pause, then WHOIS', async () => {
    const { check, counts } = simulateRegistry({ rdap: () => 'error' })
    const { ms, states } = await check(['free-a'])
    assert.deepEqual([counts.rdap, counts.whois], [2, 1])
    assert.ok(ms > 3 * LATENCY_MS && ms <= 3 * LATENCY_MS + 75, `took ${ms} ms`)
    assert.ok(allRight(states))
  })

  test('hang: costs its timeout once, not once for each name', async () => {
    const { check, counts } = simulateRegistry({ rdap: () => 'hang' })
    const first = await check(mixedNames(24))
    assert.ok(first.ms <= 3_000 + whoisMs(24) + 2, `took ${first.ms} ms`)
    const asked = counts.rdap
    const next = await check(mixedNames(4, 100))
    assert.equal(next.ms, LATENCY_MS)
    assert.ok(counts.rdap - asked <= 1)
    assert.ok(allRight(first.states) && allRight(next.states))
  })

  test('hang of a name that WHOIS has: the verdict comes with the hedged query', async () => {
    const { check, counts } = simulateRegistry({ rdap: () => 'hang' })
    const { ms, states } = await check(['held-a'])
    assert.ok(ms <= 1_500 + LATENCY_MS + 2, `took ${ms} ms`)
    assert.deepEqual([states['held-a'], counts.rdap, counts.whois], ['registered', 1, 1])
  })

  test('refused while WHOIS has a limit: as fast as the limit allows, with few refusals', async () => {
    const { check, counts } = simulateRegistry({ rdap: () => 'refused', whoisLimit: tokenBucket(5, 5) })
    const { ms, states } = await check(mixedNames(50))
    const minMs = (45 / 5) * 1000
    assert.ok(ms <= 1.5 * minMs, `took ${ms} ms`)
    assert.ok(counts.throttled <= 5, `${counts.throttled} refusals`)
    assert.ok(allRight(states))
  })
})

suite('a registry without WHOIS', () => {
  const rdapOnly = (rdap: (domain: string) => Fault) => simulateRegistry({ rdap, hasWhois: false })

  test('certificate: not retried, and unknown at once', async () => {
    const { check, counts } = rdapOnly(() => 'certificate')
    const { ms, states } = await check(['free-a'])
    assert.deepEqual([ms, counts.rdap, states['free-a']], [0, 1, 'unknown'])
  })

  for (const fault of ['reset', 'cut'] as const) {
    test(`${fault} once: answered by a retry at once`, async () => {
      const { check, counts } = rdapOnly(onceForEachName(fault))
      const { ms, states } = await check(['free-a'])
      assert.deepEqual([ms, counts.rdap, states['free-a']], [2 * LATENCY_MS, 2, 'available'])
    })
  }

  test('one error in three is answered by retries', async () => {
    let asked = 0
    const { check } = rdapOnly(() => (asked++ % 3 === 0 ? 'error' : 'none'))
    const { states } = await check(mixedNames(60))
    assert.ok(allRight(states))
  })
})

suite('a registry that fails by RDAP and by WHOIS', () => {
  for (const fault of ['refused', 'certificate', 'reset', 'cut', 'error'] as const) {
    test(`${fault}: unknown within seconds, also the next names, and hardly asked any more`, async () => {
      const { check, counts } = simulateRegistry({ rdap: () => fault, whois: () => fault })
      const first = await check(mixedNames(24))
      assert.ok(first.ms < 4_000, `took ${first.ms} ms`)
      for (let call = 0; call < 5; call++) {
        const before = counts.rdap + counts.whois
        const next = await check(mixedNames(4, 100 * call))
        assert.ok(next.ms < 3_000, `took ${next.ms} ms`)
        assert.ok(counts.rdap + counts.whois - before <= 8, JSON.stringify(counts))
        assert.ok(allUnknown(next.states))
      }
      assert.ok(allUnknown(first.states))
    })
  }

  test('hang: one timeout of WHOIS beside that of RDAP, and the next names are unknown at once', async () => {
    const { check } = simulateRegistry({ rdap: () => 'hang', whois: () => 'hang' })
    const first = await check(mixedNames(24))
    assert.ok(first.ms <= 1_500 + 6_000 + 2, `took ${first.ms} ms`)
    const next = await check(mixedNames(24, 100))
    assert.equal(next.ms, 0)
    assert.ok(allUnknown(first.states) && allUnknown(next.states))
  })
})
