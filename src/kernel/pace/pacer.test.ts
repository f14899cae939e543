import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { systemClock } from '../clock.ts'
import { UpstreamError } from '../errors.ts'
import { seededRandom } from '../random.ts'
import { createPacer } from './pacer.ts'
import { createRegistry, createWorld, HOST, pacerIn, tokenBucket, type World } from './simulation.fixture.ts'

const failing = (failure: string) => (error: unknown) => error instanceof UpstreamError && error.failure === failure

test('works with the real clock', async () => {
  const pacer = createPacer({ clock: systemClock, random: seededRandom(1) })
  assert.equal(await pacer.run(HOST, async () => 'yes'), 'yes')
})

suite('bounds', () => {
  test('a host with a full queue rejects further requests, and accepts some again later', async () => {
    const world = createWorld()
    const registry = createRegistry(world, { limiter: tokenBucket(5, 5) })
    const pacer = pacerIn(world, { maxRequests: 30 })
    const asking = Array.from({ length: 40 }, () => pacer.run(HOST, registry.ask))
    const outcomes = await world.live(Promise.allSettled(asking))
    const turnedAway = outcomes.filter((one) => one.status === 'rejected')
    assert.equal(turnedAway.length, 10)
    assert.ok(turnedAway.every(({ reason }) => failing('unavailable')(reason)))
    await world.live(pacer.run(HOST, registry.ask))
    const { waiting, underWay, pauseMs } = pacer.state(HOST)!
    assert.deepEqual({ waiting, underWay, pauseMs }, { waiting: 0, underWay: 0, pauseMs: 0 })
  })

  test('with too many hosts, an idle one is forgotten; if none is idle, a further one is rejected', async () => {
    const world = createWorld()
    const registry = createRegistry(world)
    const pacer = pacerIn(world, { maxHosts: 2 })
    const both = [pacer.run('a.test', registry.ask), pacer.run('b.test', registry.ask)]
    await world.live(assert.rejects(pacer.run('c.test', registry.ask), failing('unavailable')))
    await world.live(Promise.all(both))
    await world.live(pacer.run('c.test', registry.ask))
    assert.equal(pacer.size, 2)
    assert.equal(pacer.state('a.test'), undefined)
    assert.ok(pacer.state('b.test'))
  })

  test('a limit is remembered for some minutes, a Retry-After until it is over', async () => {
    const world = createWorld()
    const registry = createRegistry(world, { limiter: tokenBucket(5, 5) })
    const pacer = pacerIn(world)
    await world.live(Promise.all(Array.from({ length: 40 }, () => pacer.run(HOST, registry.ask))))
    await world.live(world.wait(500_000))
    assert.ok(pacer.state(HOST)?.rate)
    await world.live(world.wait(200_000))
    assert.equal(pacer.state(HOST), undefined)
    const angry = createRegistry(world, { limiter: () => false, retryAfterMs: 3_600_000 })
    await world.live(assert.rejects(pacer.run('angry.test', angry.ask), failing('rate_limited')))
    await world.live(world.wait(900_000))
    await world.live(assert.rejects(pacer.run('angry.test', angry.ask), failing('rate_limited')))
    assert.equal(angry.asked, 1)
  })
})

suite('timeouts', () => {
  test('every request is answered or fails, none after its timeout', async () => {
    const setting = fc.record({
      rate: fc.integer({ min: 1, max: 50 }),
      latencyMs: fc.integer({ min: 1, max: 3000 }),
      retryAfterMs: fc.constantFrom(null, 0, 1000, 5000),
      failEvery: fc.integer({ min: 2, max: 9 }),
      timeouts: fc.array(fc.integer({ min: 1, max: 20_000 }), { minLength: 1, maxLength: 80 }),
    })
    const check = fc.asyncProperty(setting, async ({ rate, latencyMs, retryAfterMs, failEvery, timeouts }) => {
      const world = createWorld()
      const fault = (asked: number) => {
        if (asked % failEvery === 0) throw new UpstreamError('unavailable', 'down')
      }
      const registry = createRegistry(world, { limiter: tokenBucket(rate, rate), latencyMs, retryAfterMs, fault })
      const pacer = pacerIn(world)
      const asking = timeouts.map(async (timeoutMs, at) => {
        await world.wait(at * 20)
        const began = world.clock.monotonic()
        await pacer.run(HOST, registry.ask, { timeoutMs }).catch((error: unknown) => {
          assert.ok(error instanceof UpstreamError)
          assert.ok(['timeout', 'rate_limited', 'unavailable'].includes(error.failure))
        })
        const took = world.clock.monotonic() - began
        assert.ok(took <= timeoutMs + 1e-6, `${took} ms, allowed were ${timeoutMs}`)
      })
      await world.live(Promise.all(asking))
      const { waiting, underWay } = pacer.state(HOST)!
      assert.deepEqual({ waiting, underWay }, { waiting: 0, underWay: 0 })
    })
    await fc.assert(check, { numRuns: 40 })
  })

  test('a request whose deadline is before the end of the Retry-After fails at once, also if already queued', async () => {
    const world = createWorld()
    const registry = createRegistry(world, { limiter: tokenBucket(0.001, 10), retryAfterMs: 30_000 })
    const pacer = pacerIn(world, { maxConcurrent: 15 })
    const asking = Array.from({ length: 40 }, () => pacer.run(HOST, registry.ask, { timeoutMs: 10_000 }))
    const outcomes = await world.live(Promise.allSettled(asking))
    const refused = outcomes.filter((one) => one.status === 'rejected')
    assert.equal(refused.length, 30)
    for (const { reason } of refused) {
      assert.ok(failing('rate_limited')(reason))
      assert.ok(reason.retryAfterMs >= 29_000 && reason.retryAfterMs <= 31_000)
    }
    assert.ok(world.clock.monotonic() < 200)
    await world.live(assert.rejects(pacer.run(HOST, registry.ask, { timeoutMs: 100 }), failing('rate_limited')))
    assert.ok(world.clock.monotonic() < 200)
  })

  test('each attempt gets the time left and a signal that aborts at the deadline', async () => {
    const world = createWorld()
    const pacer = pacerIn(world, { maxConcurrent: 1 })
    const slow = pacer.run(HOST, ({ signal }) => world.wait(400, signal))
    let left = 0
    let aborted = false
    const late = pacer.run(
      HOST,
      async ({ signal, timeoutMs }) => {
        left = timeoutMs
        await world.wait(10_000, signal).catch(() => (aborted = true))
      },
      { timeoutMs: 1000 },
    )
    await world.live(assert.rejects(late, failing('timeout')))
    assert.deepEqual([left, aborted, world.clock.monotonic()], [600, true, 1000])
    await slow
  })

  test('an abort rejects with its reason, queued or under way, and frees a slot', async () => {
    const world = createWorld()
    const pacer = pacerIn(world, { maxConcurrent: 1 })
    const first = new AbortController()
    const second = new AbortController()
    const hang = ({ signal }: { signal: AbortSignal }) => world.wait(30_000, signal)
    const asking = [
      pacer.run(HOST, hang, { signal: first.signal }),
      pacer.run(HOST, hang, { signal: second.signal }),
      pacer.run(HOST, async () => 'served'),
    ]
    second.abort(new Error('second thoughts'))
    await assert.rejects(asking[1]!, { message: 'second thoughts' })
    first.abort(new Error('no patience'))
    await assert.rejects(asking[0]!, { message: 'no patience' })
    assert.equal(await world.live<unknown>(asking[2]!), 'served')
    await assert.rejects(
      pacer.run(HOST, async () => 1, { signal: first.signal }),
      { message: 'no patience' },
    )
  })
})

suite('a caller with an alternative', () => {
  const onSlow = () => {}

  test('waits on for its turn at a host with a rate limit: the host has the answer, not the alternative', async () => {
    const answered = async (timeoutMs: number, alternative?: { onSlow: () => void; deadline: number }) => {
      const world = createWorld()
      const registry = createRegistry(world, { limiter: tokenBucket(20, 20) })
      const pacer = pacerIn(world, { timeoutMs, maxRefusals: 50 })
      const asking = Array.from({ length: 300 }, () => pacer.run(HOST, registry.ask, { alternative }))
      const outcomes = await world.live(Promise.allSettled(asking))
      assert.ok(world.clock.monotonic() <= timeoutMs)
      return outcomes.filter(({ status }) => status === 'fulfilled').length
    }
    assert.ok((await answered(10_000)) > (await answered(7_000)) + 40)
    assert.equal(await answered(10_000, { onSlow, deadline: 7_000 }), await answered(10_000))
  })

  test('is told in time to use it if the host is silent', async () => {
    const world = createWorld()
    const pacer = pacerIn(world)
    const silent = () => new Promise<never>(() => {})
    const asking = pacer.run(HOST, silent, { timeoutMs: 10_000, alternative: { onSlow, deadline: 1_000 } })
    await assert.rejects(world.live(asking), failing('timeout'))
    assert.equal(world.clock.monotonic(), 1_000)
  })
})

suite('failures', () => {
  const down = () => new UpstreamError('unavailable', 'connection reset')

  test('a temporary failure is retried', async () => {
    const world = createWorld()
    const fault = (asked: number) => {
      if (asked % 2 === 0) throw down()
    }
    const registry = createRegistry(world, { fault })
    const pacer = pacerIn(world, { maxFailures: 9 })
    await world.live(Promise.all(Array.from({ length: 50 }, () => pacer.run(HOST, registry.ask))))
  })

  test('a permanent failure is reported after a few retries', async () => {
    const world = createWorld()
    const registry = createRegistry(world, { fault: () => assert.fail(down()) })
    const pacer = pacerIn(world, { maxFailures: 2 })
    await world.live(assert.rejects(pacer.run(HOST, registry.ask), { message: 'connection reset' }))
    assert.equal(registry.asked, 3)
  })

  /** A host that answers with errors until `isUp`, and fifty requests to it. */
  const askFailingHost = (world: World) => {
    const host = { isUp: false }
    const registry = createRegistry(world, { latencyMs: 10, fault: () => void (host.isUp || assert.fail(down())) })
    const pacer = pacerIn(world, { maxConcurrent: 4 })
    const askAll = () => Promise.allSettled(Array.from({ length: 50 }, () => pacer.run(HOST, registry.ask)))
    return { host, registry, pacer, askAll }
  }

  test('a host that fails gets one request at a time, with growing backoff; the others wait until it answers', async () => {
    const world = createWorld()
    const { host, registry, pacer, askAll } = askFailingHost(world)
    const asking = askAll()
    await world.live(world.wait(1_000))
    assert.ok(registry.asked < 15, `asked ${registry.asked} times`)
    assert.equal(pacer.state(HOST)!.underWay <= 1, true)
    host.isUp = true
    const outcomes = await world.live(asking)
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 0)
    assert.ok(world.clock.monotonic() < 2_500, `took ${world.clock.monotonic()} ms`)
  })

  test('a host that keeps failing does not cost every request its timeout, and is tried about once a second', async () => {
    const world = createWorld()
    const { host, registry, askAll } = askFailingHost(world)
    const outcomes = await world.live(askAll())
    assert.ok(outcomes.every(({ status }) => status === 'rejected'))
    assert.ok(world.clock.monotonic() < 3_000, `took ${world.clock.monotonic()} ms`)
    const { asked } = registry
    assert.ok(asked < 20, `asked ${asked} times`)
    for (let call = 0; call < 10; call++) await world.live(askAll())
    assert.ok(world.clock.monotonic() < 20_000, `took ${world.clock.monotonic()} ms`)
    assert.ok(registry.asked - asked <= 20, `asked ${registry.asked - asked} times`)
    host.isUp = true
    const after = await world.live(askAll())
    assert.ok(after.every(({ status }) => status === 'fulfilled'))
  })

  test('503 with Retry-After is a refusal', async () => {
    const world = createWorld()
    let asked = 0
    const ask = async () => {
      if (asked++ === 0) throw new UpstreamError('unavailable', 'later', { retryAfterMs: 7000 })
      return 'yes'
    }
    assert.equal(await world.live(pacerIn(world).run(HOST, ask)), 'yes')
    assert.ok(world.clock.monotonic() >= 7000)
  })

  test('a failure that a retry cannot help is passed on unchanged', async () => {
    const world = createWorld()
    const pacer = pacerIn(world)
    for (const error of [new UpstreamError('auth_error', 'no'), new TypeError('a mistake of ours')]) {
      let asked = 0
      const ask = async () => {
        asked++
        throw error
      }
      await assert.rejects(pacer.run(HOST, ask), error)
      assert.equal(asked, 1)
    }
  })
})

suite('estimates', () => {
  test('of a host without a limit: batches of concurrent requests', async () => {
    const world = createWorld()
    const registry = createRegistry(world, { latencyMs: 100 })
    const pacer = pacerIn(world)
    assert.equal(pacer.estimate(HOST, 100), 0)
    await world.live(Promise.all(Array.from({ length: 30 }, () => pacer.run(HOST, registry.ask))))
    assert.equal(Math.round(pacer.estimate(HOST, 250)), 300)
  })

  test('of a host with a limit: from the rate and the pause', async () => {
    const world = createWorld()
    const registry = createRegistry(world, { limiter: tokenBucket(10, 10) })
    const pacer = pacerIn(world)
    await world.live(Promise.all(Array.from({ length: 50 }, () => pacer.run(HOST, registry.ask))))
    const began = world.clock.monotonic()
    const estimate = pacer.estimate(HOST, 60)
    await world.live(Promise.all(Array.from({ length: 60 }, () => pacer.run(HOST, registry.ask))))
    const took = world.clock.monotonic() - began
    assert.ok(Math.abs(took - estimate) < 0.35 * took, `estimated ${estimate}, took ${took}`)
  })
})
