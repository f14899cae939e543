import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { createRegistry, createWorld, HOST, pacerIn, tokenBucket } from './simulation.fixture.ts'

suite('fair queue', () => {
  test('a single request does not wait behind a job of thousands', async () => {
    const world = createWorld()
    const registry = createRegistry(world, { limiter: tokenBucket(20, 20) })
    const pacer = pacerIn(world, { timeoutMs: 3_600_000, maxRefusals: 50 })
    const job = Promise.all(Array.from({ length: 2000 }, () => pacer.run(HOST, registry.ask, { lane: 'job' })))
    await world.live(world.wait(5000))
    const asked = world.clock.monotonic()
    await world.live(pacer.run(HOST, registry.ask, { lane: 'single' }))
    assert.ok(world.clock.monotonic() - asked < 300)
    await world.live(job)
  })

  test('no lane starves: each gets its share, whatever the others send', async () => {
    const jobs = fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 2, maxLength: 5 })
    const check = fc.asyncProperty(jobs, async (sizes) => {
      const world = createWorld()
      const pacer = pacerIn(world, { maxConcurrent: 1 })
      const served: number[] = []
      const asking = sizes.flatMap((size, lane) =>
        Array.from({ length: size }, () =>
          pacer.run(HOST, ({ signal }) => world.wait(10, signal).then(() => served.push(lane)), { lane: `${lane}` }),
        ),
      )
      await world.live(Promise.all(asking))
      sizes.forEach((size, lane) => {
        const last = served.lastIndexOf(lane)
        assert.equal(served.filter((one) => one === lane).length, size)
        // The very first request is under way before the others are queued.
        assert.ok(last <= size * sizes.length, `lane ${lane} with ${size} requests was done after ${last} requests`)
      })
    })
    await fc.assert(check, { numRuns: 20 })
  })

  test('with 1,200 names of one client at a registry of 20 a second, a name of another takes two turns at most', async () => {
    for (const addresses of [1, 6]) {
      const world = createWorld()
      const registry = createRegistry(world, { limiter: tokenBucket(20, 20) })
      const pacer = pacerIn(world, { timeoutMs: 3_600_000, maxRefusals: 50 })
      const served: string[] = []
      const ask = (lane: string) => pacer.run(HOST, registry.ask, { lane }).then(() => served.push(lane))
      const flood = Promise.all(Array.from({ length: 1200 }, (_, at) => ask(`198.51.100.${at % addresses}`)))
      await world.live(world.wait(10_000))
      for (let single = 0; single < 20; single++) {
        const before = served.length
        await world.live(ask(`203.0.113.${single}`))
        const turns = served.indexOf(`203.0.113.${single}`) - before
        assert.ok(turns <= 2, `${turns} turns with ${addresses} addresses`)
      }
      await world.live(flood)
    }
  })

  test('at a host that allows bursts, one token is kept for a client that is new: it waits for no turn', async () => {
    const world = createWorld()
    const latencyMs = 60
    const registry = createRegistry(world, { limiter: tokenBucket(20, 20), latencyMs })
    const pacer = pacerIn(world, { timeoutMs: 3_600_000, maxRefusals: 50 })
    const flood = Promise.all(Array.from({ length: 1200 }, () => pacer.run(HOST, registry.ask, { lane: 'flood' })))
    await world.live(world.wait(10_000))
    const { refused } = registry
    for (let single = 0; single < 20; single++) {
      const asked = world.clock.monotonic()
      await world.live(pacer.run(HOST, registry.ask, { lane: `single ${single}` }))
      const waitedMs = world.clock.monotonic() - asked - latencyMs
      assert.ok(waitedMs <= 10, `waited ${waitedMs} ms`)
    }
    assert.ok(registry.refused <= refused + 1, `${registry.refused - refused} refused`)
    await world.live(flood)
  })

  test('low-priority requests get a quarter of a known rate, of the turns and of the concurrency', async () => {
    const world = createWorld()
    const registry = createRegistry(world, { limiter: tokenBucket(20, 20) })
    const pacer = pacerIn(world, { timeoutMs: 3_600_000, maxRefusals: 50 })
    const count = { low: 0, normal: 0 }
    const ask = (lowPriority: boolean) =>
      pacer.run(HOST, registry.ask, { lane: 'any', lowPriority }).then(() => count[lowPriority ? 'low' : 'normal']++)
    // Without a known limit it has the first burst; then a quarter of the rate, though nobody else asks.
    const jobs = [...Array.from({ length: 300 }, () => ask(true)), ...Array.from({ length: 40 }, () => ask(false))]
    await world.live(world.wait(10_000))
    assert.equal(count.normal, 40)
    const before = count.low
    await world.live(world.wait(20_000))
    const sent = count.low - before
    const { rate } = pacer.state(HOST)!
    assert.ok(sent > (20 * rate!) / 5 && sent <= (20 * rate!) / 4 + 1, `${sent} in 20 seconds at ${rate} a second`)
    await world.live(Promise.all(jobs))
  })

  test('without a limit, low-priority requests use a quarter of the concurrent requests, and of the turns', async () => {
    const world = createWorld()
    const pacer = pacerIn(world, { maxConcurrent: 8, initialBurst: 1 })
    const underWay = { low: 0, normal: 0 }
    const most = { low: 0, normal: 0 }
    const order: string[] = []
    const ask = (kind: 'low' | 'normal') =>
      pacer.run(
        HOST,
        async ({ signal }) => {
          order.push(kind)
          most[kind] = Math.max(most[kind], ++underWay[kind])
          await world.wait(10, signal)
          underWay[kind]--
        },
        { lane: kind, lowPriority: kind === 'low' },
      )
    await world.live(Promise.all(Array.from({ length: 40 }, () => ask('low'))))
    assert.equal(most.low, 2)
    order.length = 0
    await world.live(Promise.all(Array.from({ length: 80 }, (_, at) => ask(at < 40 ? 'low' : 'normal'))))
    assert.equal(most.low, 2)
    const lastNormal = order.lastIndexOf('normal')
    assert.ok(lastNormal <= 40 + 40 / 3 + 2, `${lastNormal}`)
  })

  test('the concurrency limit holds', async () => {
    const world = createWorld()
    const registry = createRegistry(world)
    const pacer = pacerIn(world, { maxConcurrent: 7, initialBurst: 3 })
    await world.live(Promise.all(Array.from({ length: 50 }, () => pacer.run(HOST, registry.ask))))
    assert.equal(registry.maxUnderWay, 7)
  })
})
