import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { UpstreamError } from '../errors.ts'
import { seededRandom } from '../random.ts'
import {
  createRegistry,
  createWorld,
  fixedWindow,
  HOST,
  pacerIn,
  slidingWindow,
  tokenBucket,
  type Limiter,
} from './simulation.fixture.ts'

/** Sends `count` requests at once and reports the outcome. */
async function askAll(count: number, registryOptions: Parameters<typeof createRegistry>[1] = {}) {
  const world = createWorld()
  const registry = createRegistry(world, registryOptions)
  const pacer = pacerIn(world, { timeoutMs: 3_600_000, maxRefusals: 50 })
  const answers = await world.live(
    Promise.all(Array.from({ length: count }, () => pacer.run('registry.test', registry.ask))),
  )
  assert.equal(new Set(answers).size, count, 'every request has its own answer')
  return { seconds: world.clock.monotonic() / 1000, registry, pacer }
}

suite('a host without a limit', () => {
  test('a limit that changes holds for the next request, and each host has its own', async () => {
    const world = createWorld()
    const limits: Record<string, number> = { [HOST]: 3, 'other.test': 1 }
    const pacer = pacerIn(world, { maxConcurrent: (host) => limits[host]!, initialBurst: 100 })
    const ask = (host: string) => pacer.run(host, ({ signal }) => world.wait(100, signal))
    const asking = [...Array.from({ length: 12 }, () => ask(HOST)), ask('other.test'), ask('other.test')]
    const underWay = (host: string) => pacer.state(host)!.underWay
    assert.deepEqual([underWay(HOST), underWay('other.test')], [3, 1])
    limits[HOST] = 6
    await world.live(asking[0]!)
    assert.equal(underWay(HOST), 6)
    await world.live(Promise.all(asking))
  })

  test('gets the maximum concurrency as soon as the first burst is answered', async () => {
    const { seconds, registry } = await askAll(121, { latencyMs: 60 })
    assert.equal(registry.maxUnderWay, 100)
    assert.equal(seconds, 0.12)
    assert.equal(registry.asked, 121)
  })

  test('is not held up by one slow answer', async () => {
    const world = createWorld()
    const registry = createRegistry(world)
    const pacer = pacerIn(world)
    let first = true
    const answers = Array.from({ length: 60 }, () =>
      pacer.run('registry.test', async (attempt) => {
        const isSlow = first
        first = false
        if (isSlow) await world.wait(20_000, attempt.signal)
        return registry.ask(attempt)
      }),
    )
    await world.live(Promise.all(answers.slice(1)))
    assert.ok(world.clock.monotonic() < 1000)
    await world.live(answers[0]!)
  })
})

suite('a host with a limit', () => {
  for (const retryAfterMs of [1000, null]) {
    test(`20 a second, 20 at once, Retry-After ${retryAfterMs}: 100 requests in 5 s with one refusal`, async () => {
      const { seconds, registry } = await askAll(100, { limiter: tokenBucket(20, 20), retryAfterMs })
      assert.ok(seconds <= 5, `${seconds} s`)
      assert.equal(registry.refused, 1)
    })
  }

  test('is found even if requests come one by one, with network jitter', async () => {
    for (const gapMs of [0, 1, 3]) {
      const world = createWorld()
      const random = seededRandom(gapMs)
      const registry = createRegistry(world, { limiter: tokenBucket(20, 20) })
      const pacer = pacerIn(world)
      const asking = Array.from({ length: 100 }, async (_, at) => {
        await world.wait(at * gapMs)
        return pacer.run('registry.test', async (attempt) => {
          await world.wait(random.fraction() * 30, attempt.signal)
          return registry.ask(attempt)
        })
      })
      await world.live(Promise.all(asking))
      assert.ok(registry.refused <= 2, `${registry.refused} refusals`)
      assert.ok(world.clock.monotonic() < 5200)
    }
  })

  test('is recognised when refusals come back before the answers', async () => {
    const world = createWorld()
    const limiter = tokenBucket(20, 20)
    let refused = 0
    const ask = async ({ signal }: { signal: AbortSignal }) => {
      if (!limiter(world.clock.monotonic())) {
        refused++
        throw new UpstreamError('rate_limited', 'too often', { retryAfterMs: 1000 })
      }
      await world.wait(60, signal)
    }
    const pacer = pacerIn(world)
    await world.live(Promise.all(Array.from({ length: 100 }, () => pacer.run('registry.test', ask))))
    assert.equal(refused, 1)
    assert.ok(world.clock.monotonic() < 5000)
  })

  test('may be far below the burst it accepted: the rate is found in a few steps', async () => {
    const { seconds, registry } = await askAll(100, { limiter: tokenBucket(5, 20) })
    assert.ok(seconds < 18, `${seconds} s, where 16 are needed`)
    assert.ok(registry.refused <= 6)
  })

  test('with a Retry-After of a minute gets no request for a minute', async () => {
    const { seconds, registry } = await askAll(150, { limiter: fixedWindow(100, 60_000), retryAfterMs: 60_000 })
    assert.ok(seconds > 60 && seconds < 120, `${seconds} s`)
    assert.ok(registry.refused <= 25)
  })

  test('gets no request during its Retry-After', async () => {
    const world = createWorld()
    const registry = createRegistry(world, { limiter: fixedWindow(7, 1000), retryAfterMs: 3000 })
    const pacer = pacerIn(world, { timeoutMs: 600_000, maxRefusals: 50 })
    let restUntil = 0
    const ask = async (attempt: { signal: AbortSignal }) => {
      assert.ok(world.clock.monotonic() >= restUntil, 'asked during a rest')
      return registry.ask(attempt).catch((error: unknown) => {
        restUntil = world.clock.monotonic() + 3000
        throw error
      })
    }
    await world.live(Promise.all(Array.from({ length: 60 }, () => pacer.run('registry.test', ask))))
    assert.ok(registry.refused > 0)
  })

  test('with a Retry-After of 0 that keeps refusing is not asked in a loop', async () => {
    const world = createWorld()
    const registry = createRegistry(world, { limiter: () => false, retryAfterMs: 0 })
    const pacer = pacerIn(world, { maxRefusals: 8 })
    await world.live(assert.rejects(pacer.run('registry.test', registry.ask), { failure: 'rate_limited' }))
    assert.equal(registry.asked, 9)
    assert.ok(world.clock.monotonic() > 400)
  })

  test('gets more requests again when its limit is raised', async () => {
    const world = createWorld()
    let limiter = tokenBucket(5, 5)
    const registry = createRegistry(world, { limiter: (now) => limiter(now) })
    const pacer = pacerIn(world, { timeoutMs: 3_600_000, maxRefusals: 50 })
    const ask = (count: number) =>
      world.live(Promise.all(Array.from({ length: count }, () => pacer.run('registry.test', registry.ask))))
    await ask(200)
    const before = pacer.state('registry.test')!.rate!
    assert.ok(before > 4 && before < 7, `${before} a second`)
    limiter = tokenBucket(100, 100)
    await ask(1500)
    const after = pacer.state('registry.test')!.rate!
    assert.ok(after > 20, `${after} a second`)
  })
})

const KINDS: Record<string, (rate: number) => Limiter> = {
  'a bucket': (rate) => tokenBucket(rate, Math.max(rate, 1)),
  'a small bucket': (rate) => tokenBucket(rate, Math.max(rate / 10, 3)),
  'a window of a second': (rate) => fixedWindow(rate, 1000),
  'a sliding second': (rate) => slidingWindow(rate, 1000),
}

for (const [kind, limiterFor] of Object.entries(KINDS)) {
  test(`${kind}, any rate from 1 to 200: once learnt, at most 2 % refusals and most of the allowed rate`, async () => {
    const setting = fc.record({ rate: fc.integer({ min: 1, max: 40 }), latencyMs: fc.integer({ min: 5, max: 400 }) })
    const check = fc.asyncProperty(setting, async ({ rate, latencyMs }) => {
      const world = createWorld()
      const registry = createRegistry(world, { limiter: limiterFor(rate), latencyMs })
      const pacer = pacerIn(world, { timeoutMs: 1e9, maxRefusals: 1e6 })
      const over = new AbortController()
      const askOn = async () => {
        while (!over.signal.aborted) await pacer.run('registry.test', registry.ask, { signal: over.signal })
      }
      const asking = Promise.allSettled(Array.from({ length: 110 }, askOn))
      const learnMs = rate > 40 ? 20_000 : Math.max(60_000, 300_000 / rate)
      await world.live(world.wait(learnMs))
      const [asked, refused] = [registry.asked, registry.refused]
      await world.live(world.wait(learnMs))
      const passes = registry.asked - asked - (registry.refused - refused)
      over.abort()
      await world.live(asking)
      const share = (registry.refused - refused) / (registry.asked - asked)
      assert.ok(share <= 0.02, `${(100 * share).toFixed(2)} % refused`)
      const used = passes / ((rate * learnMs) / 1000)
      assert.ok(used >= 0.55, `${(100 * used).toFixed(0)} % of the allowance used`)
    })
    const examples = [1, 20, 200].map((rate): [{ rate: number; latencyMs: number }] => [{ rate, latencyMs: 60 }])
    await fc.assert(check, { numRuns: 4, examples })
  })
}
