import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { manualClock } from './clock.ts'
import {
  createMemoryRateLimiter,
  createUnlimitedRateLimiter,
  type RateDecision,
  type Reservation,
} from './rate-limit.ts'

const limiter = (quota: number, clients?: number) => {
  const clock = manualClock()
  const limit = createMemoryRateLimiter({ quota, clock, ...(clients && { maxClients: clients }) })
  return {
    clock,
    take: (client = 'a', cost = 1) => limit.take(client, cost) as RateDecision,
    reserve: (client = 'a') => limit.reserve(client) as Reservation,
    limit,
  }
}

test('the first sixty requests of a minute are allowed and the next is not', () => {
  const { take } = limiter(60)
  for (let left = 59; left >= 0; left--) assert.equal(take().remaining, left)
  assert.deepEqual(take(), { allowed: false, remaining: 0, seconds: 60 })
})

test('a rejected request is not counted, so waiting for Retry-After is always enough', () => {
  const { take, clock } = limiter(3)
  for (let i = 0; i < 3; i++) take()
  for (let i = 0; i < 100; i++) assert.equal(take().allowed, false)
  clock.advance(take().seconds * 1000)
  assert.equal(take().allowed, true)
})

test('a cost above the whole quota is rejected with the shortest wait, whenever the last request was', () => {
  const { take, clock } = limiter(1)
  clock.advance(77)
  take()
  clock.advance(60_923)
  assert.deepEqual(take('a', 2), { allowed: false, remaining: 1, seconds: 1 })
})

test('clients do not share a quota', () => {
  const { take } = limiter(1)
  assert.equal(take('a').allowed, true)
  assert.equal(take('b').allowed, true)
  assert.equal(take('a').allowed, false)
})

test('in no minute more than the quota is allowed, and the announced waits are always right', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 20 }),
      fc.array(fc.tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 5 })), { maxLength: 200 }),
      (quota, steps) => {
        const { take, clock } = limiter(quota)
        const passed: { at: number; cost: number }[] = []
        let promise: { at: number; cost: number } | undefined
        for (const [pause, cost] of steps) {
          clock.advance(pause)
          const now = clock.monotonic()
          const decision = take('a', cost)
          // An earlier decision announced that this cost is allowed by now, and nothing was counted since.
          if (promise && now >= promise.at && cost <= promise.cost) assert.equal(decision.allowed, true)
          if (decision.allowed) {
            passed.push({ at: now, cost })
            promise = undefined
          } else if (cost <= quota) {
            promise = { at: now + decision.seconds * 1000, cost }
          }
          const recent = passed.filter(({ at }) => at > now - 60_000).reduce((sum, { cost }) => sum + cost, 0)
          assert.ok(recent <= quota, `${recent} of ${quota}`)
          assert.ok(decision.remaining >= 0 && decision.seconds >= 1 && decision.seconds <= 60)
        }
      },
    ),
  )
})

test('a flood of addresses never uses more slots than there are, and active clients keep theirs', () => {
  const { take, limit, clock } = limiter(2, 1000)
  take('busy')
  for (let i = 0; i < 50_000; i++) {
    take(`flood-${i}`)
    if (i % 500 === 0) clock.advance(1)
    if (i % 900 === 0) take('busy')
  }
  assert.equal(limit.size, 1000)
  assert.equal(take('busy').allowed, false)
})

test('a client that was inactive for long has its full quota', () => {
  const { take, clock } = limiter(2)
  take()
  take()
  clock.advance(3_600_000)
  assert.equal(take().remaining, 1)
})

test('a request leaves the window exactly a minute after it came', () => {
  const { take, clock } = limiter(1)
  clock.advance(900)
  take()
  clock.advance(59_999)
  assert.deepEqual(take(), { allowed: false, remaining: 0, seconds: 1 })
  clock.advance(1)
  assert.equal(take().allowed, true)
})

test('a reserved request counts until it is refunded', () => {
  const { reserve, take, clock } = limiter(2)
  const first = reserve()
  assert.deepEqual([first.allowed, first.remaining], [true, 1])
  clock.advance(1500)
  assert.equal(take().remaining, 0)
  assert.equal(reserve().allowed, false)
  assert.equal((first.refund() as RateDecision).remaining, 1)
  assert.equal(take().remaining, 0)
})

test('a rejected reservation refunds nothing', () => {
  const { reserve, take } = limiter(1)
  take()
  const refused = reserve()
  assert.equal((refused.refund() as RateDecision).remaining, 0)
  assert.equal(take().allowed, false)
})

test('a refund does not delay the other requests of its second', () => {
  const { reserve, take, clock } = limiter(2)
  clock.advance(100)
  const reserved = reserve()
  clock.advance(100)
  take()
  clock.advance(700)
  void reserved.refund()
  // A rejected reservation reads the state only, too.
  take()
  const refused = reserve()
  clock.advance(50)
  void refused.refund()
  clock.advance(59_949)
  assert.equal(take().allowed, false)
  clock.advance(1)
  assert.equal(take().remaining, 1)
})

test('the clients of a /48 together have ten times the quota of one, and a rejected request counts for neither', () => {
  const { take, reserve } = limiter(3)
  const client = (at: number) => `2001:db8:1:${at.toString(16)}::/64`
  for (let at = 0; at < 9; at++) {
    for (let left = 2; left >= 0; left--) assert.equal(take(client(at)).remaining, left)
    assert.equal(take(client(at)).allowed, false)
  }
  const reserved = reserve(client(9))
  assert.deepEqual([take(client(9), 2).remaining, take(client(10)).allowed], [0, false])
  // The network is full: a client of it that has asked for nothing is rejected, and told when to come back.
  assert.deepEqual(take(client(11)), { allowed: false, remaining: 0, seconds: 60 })
  assert.equal(take('2001:db8:2:1::/64').allowed, true)
  assert.equal(take('203.0.113.9').remaining, 2)
  void reserved.refund()
  assert.deepEqual([take(client(10)).allowed, take(client(11)).allowed], [true, false])
})

test('in no minute more than the quota counts, whatever is reserved and refunded, and however late', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1, max: 5 }),
      fc.array(
        fc.tuple(
          fc.constantFrom(0, 1, 400, 999, 1000, 20_000, 59_999, 61_000),
          fc.constantFrom('take', 'reserve', 'back'),
        ),
        { maxLength: 100 },
      ),
      (quota, steps) => {
        const { take, reserve, clock } = limiter(quota)
        const counted: { at: number; isGone: boolean }[] = []
        const held: { back: () => void; entry: (typeof counted)[number] }[] = []
        for (const [pause, step] of steps) {
          clock.advance(pause)
          const now = clock.monotonic()
          const recent = () => counted.filter(({ at, isGone }) => !isGone && at > now - 60_000).length
          if (step === 'back') {
            const one = held.shift()
            one?.back()
            if (one) one.entry.isGone = true
            continue
          }
          const entry = { at: now, isGone: false }
          if (step === 'take') {
            if (take().allowed) counted.push(entry)
          } else {
            const reserved = reserve()
            if (reserved.allowed) {
              counted.push(entry)
              held.push({ back: () => void reserved.refund(), entry })
            }
          }
          assert.ok(recent() <= quota, `${recent()} of ${quota}`)
        }
      },
    ),
  )
})

for (const quota of [65_536, 1_000_000, 5_000_000_000, 999_999_999_999_999]) {
  test(`a quota of ${quota} is counted exactly, also within one second, and leaves the window whole`, () => {
    const { take, clock } = limiter(quota, 10)
    const large = Math.floor(quota / 2)
    for (const [at, cost] of [large, 1, quota - large - 1].entries()) {
      assert.deepEqual([take('a', cost).allowed, at], [true, at])
    }
    assert.deepEqual(take(), { allowed: false, remaining: 0, seconds: 60 })
    clock.advance(60_000)
    assert.equal(take().remaining, quota - 1)
  })
}

test('memory does not depend on the quota but on the number of clients', () => {
  const bytes = (quota: number) => {
    const before = process.memoryUsage().arrayBuffers
    const { limit } = limiter(quota, 1000)
    assert.equal(limit.quota, quota)
    return process.memoryUsage().arrayBuffers - before
  }
  // Every client, and half as many networks.
  const perClient = 1.5 * (61 * (8 + 2) + 4 * 8)
  for (const quota of [60, 1_000_000, 999_999_999_999_999]) assert.ok(bytes(quota) <= 1000 * perClient, String(quota))
})

test('without a limit everything is allowed and nothing is stored', () => {
  const { take, size, quota } = createUnlimitedRateLimiter()
  for (let at = 0; at < 1000; at++)
    assert.deepEqual(take(`client-${at}`), { allowed: true, remaining: Infinity, seconds: 0 })
  assert.deepEqual([size, quota], [0, Infinity])
})
