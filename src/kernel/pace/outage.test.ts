import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { UpstreamError } from '../errors.ts'
import { seededRandom } from '../random.ts'
import { createPacer } from './pacer.ts'
import { createRegistry, createWorld, HOST, pacerIn, type World } from './simulation.fixture.ts'

const failing = (failure: string) => (error: unknown) => error instanceof UpstreamError && error.failure === failure

suite('a host that is down', () => {
  const refused = () => new UpstreamError('unavailable', 'refused', { unreachable: true })
  const elsewhere = () => ({ alternative: { onSlow: () => {} } })

  test('fails a request with an alternative at once, and the next one without being asked', async () => {
    const world = createWorld()
    let asked = 0
    const ask = async () => {
      asked++
      throw refused()
    }
    const pacer = pacerIn(world)
    await world.live(assert.rejects(pacer.run(HOST, ask, elsewhere()), failing('unavailable')))
    await world.live(assert.rejects(pacer.run(HOST, ask, elsewhere()), /has not been answering/))
    assert.equal(asked, 1)
    assert.equal(world.clock.monotonic(), 0)
  })

  test('is tried again after a backoff, and used as before once it answers', async () => {
    const world = createWorld()
    let isUp = false
    let asked = 0
    const ask = async () => {
      asked++
      if (!isUp) throw refused()
      return 'yes'
    }
    const pacer = pacerIn(world)
    await world.live(assert.rejects(pacer.run(HOST, ask, elsewhere())))
    isUp = true
    await world.live(world.wait(100))
    assert.equal(await world.live(pacer.run(HOST, ask, elsewhere())), 'yes')
    assert.equal(await world.live(pacer.run(HOST, ask, elsewhere())), 'yes')
    assert.equal(asked, 3)
  })

  test('is tried at most twice a second while it is down, however many requests wait', async () => {
    const world = createWorld()
    let asked = 0
    const ask = async () => {
      asked++
      throw refused()
    }
    const pacer = pacerIn(world)
    for (let at = 0; at < 600; at++) {
      await world.live(Promise.allSettled([pacer.run(HOST, ask, elsewhere()), pacer.run(HOST, ask, elsewhere())]))
      await world.live(world.wait(100))
    }
    assert.ok(asked < 120, `asked ${asked} times in a minute`)
  })

  test('fails a request without an alternative in less than a second', async () => {
    const world = createWorld()
    const ask = async () => {
      throw refused()
    }
    const pacer = pacerIn(world)
    const asking = Array.from({ length: 50 }, () => pacer.run(HOST, ask, { timeoutMs: 10_000 }))
    const outcomes = await world.live(Promise.allSettled(asking))
    assert.ok(outcomes.every(({ status }) => status === 'rejected'))
    assert.ok(world.clock.monotonic() < 1000, `took ${world.clock.monotonic()} ms`)
  })

  test('is not down for other requests if a single request breaks its connections', async () => {
    const world = createWorld()
    const pacer = pacerIn(world)
    const poison = async () => {
      throw refused()
    }
    for (let at = 0; at < 20; at++) await world.live(assert.rejects(pacer.run(HOST, poison, { timeoutMs: 10_000 })))
    const began = world.clock.monotonic()
    assert.equal(await world.live(pacer.run(HOST, async () => 'yes', { timeoutMs: 10_000 })), 'yes')
    assert.ok(world.clock.monotonic() - began < 1000)
  })

  test('that is silent counts as down after three requests, and the next ones fail at once', async () => {
    const world = createWorld()
    const ask = async ({ signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number }) => {
      await world.wait(timeoutMs, signal)
      throw new UpstreamError('timeout', 'silence')
    }
    const pacer = pacerIn(world)
    const three = Array.from({ length: 3 }, () => pacer.run(HOST, ask, { ...elsewhere(), timeoutMs: 10_000 }))
    await world.live(Promise.allSettled(three))
    const began = world.clock.monotonic()
    await world.live(assert.rejects(pacer.run(HOST, ask, { ...elsewhere(), timeoutMs: 10_000 })))
    assert.equal(world.clock.monotonic(), began)
  })

  /** A host that is silent until `isUp`. */
  const createSilentHost = (world: World) => {
    const host = { isUp: false, asked: 0 }
    const ask = async ({ signal, timeoutMs }: { signal: AbortSignal; timeoutMs: number }) => {
      host.asked++
      if (host.isUp) return 'yes'
      await world.wait(timeoutMs, signal)
      throw new UpstreamError('timeout', 'silence')
    }
    return { host, ask }
  }

  test('that has never answered costs one request its timeout; the next fail at once, with one probe at a time', async () => {
    const world = createWorld()
    const { host, ask } = createSilentHost(world)
    const pacer = pacerIn(world)
    await world.live(assert.rejects(pacer.run(HOST, ask, { timeoutMs: 10_000 }), failing('timeout')))
    assert.ok(world.clock.monotonic() <= 10_000)
    host.asked = 0
    await world.live(world.wait(100))
    const began = world.clock.monotonic()
    for (let at = 0; at < 20; at++) {
      await world.live(assert.rejects(pacer.run(HOST, ask, { timeoutMs: 10_000 }), failing('timeout')))
    }
    assert.equal(world.clock.monotonic(), began)
    assert.equal(host.asked, 1)
    assert.equal(pacer.state(HOST)?.breaker, 'down')
  })

  test('that was silent is used again after a probe is answered', async () => {
    const world = createWorld()
    const { host, ask } = createSilentHost(world)
    const pacer = pacerIn(world)
    await world.live(assert.rejects(pacer.run(HOST, ask, { timeoutMs: 10_000 })))
    host.isUp = true
    await world.live(world.wait(100))
    await world.live(assert.rejects(pacer.run(HOST, ask, { timeoutMs: 10_000 })))
    await world.live(world.wait(1))
    assert.equal(await world.live(pacer.run(HOST, ask, { timeoutMs: 10_000 })), 'yes')
  })

  test('that answered a moment ago is trusted once more: one slow name does not take it from the others', async () => {
    const world = createWorld()
    const { host, ask } = createSilentHost(world)
    const pacer = pacerIn(world)
    const good = async () => 'yes'
    await world.live(pacer.run(HOST, good))
    const slow = pacer.run(HOST, ask, { timeoutMs: 3_000 })
    await world.live(assert.rejects(slow))
    assert.equal(await world.live(pacer.run(HOST, good)), 'yes')
    assert.ok(host.asked > 0)
  })

  test('in the middle of a list rejects all that wait for it', async () => {
    const world = createWorld()
    const { host, ask } = createSilentHost(world)
    const pacer = createPacer({ clock: world.clock, random: seededRandom(1), wait: world.wait, maxConcurrent: 4 })
    const shortAttempt: typeof ask = ({ signal }) => ask({ signal, timeoutMs: 6_000 })
    const asking = Array.from({ length: 400 }, () => pacer.run(HOST, shortAttempt, { timeoutMs: 60_000 }))
    const outcomes = await world.live(Promise.allSettled(asking))
    assert.ok(outcomes.every(({ status }) => status === 'rejected'))
    assert.equal(host.asked, 4)
    assert.ok(world.clock.monotonic() <= 6_100, `took ${world.clock.monotonic()} ms`)
  })

  test('does not count as down after one broken connection among many answers', async () => {
    const world = createWorld()
    const fault = (asked: number) => {
      if (asked === 10) throw refused()
    }
    const registry = createRegistry(world, { fault })
    const pacer = pacerIn(world)
    const asking = Array.from({ length: 60 }, () => pacer.run(HOST, registry.ask, elsewhere()))
    const outcomes = await world.live(Promise.allSettled(asking))
    assert.equal(outcomes.filter(({ status }) => status === 'rejected').length, 1)
  })
})

suite('a host that is slow', () => {
  const answering =
    (world: World, ms: () => number) =>
    async ({ signal }: { signal: AbortSignal }) => {
      await world.wait(ms(), signal)
      return 'yes'
    }

  test('is reported once when it takes 1.5 times as long as usual, and its answer still counts', async () => {
    const world = createWorld()
    let ms = 400
    const ask = answering(world, () => ms)
    const pacer = pacerIn(world)
    for (let at = 0; at < 60; at++) await world.live(pacer.run(HOST, ask))
    ms = 900
    const told: number[] = []
    const began = world.clock.monotonic()
    const onSlow = () => void told.push(world.clock.monotonic() - began)
    assert.equal(await world.live(pacer.run(HOST, ask, { alternative: { onSlow } })), 'yes')
    assert.equal(told.length, 1)
    assert.ok(told[0]! >= 600 && told[0]! < 700, `after ${told[0]} ms`)
  })

  test('is not reported while it keeps answering other requests', async () => {
    const world = createWorld()
    let ms = 20
    const ask = answering(world, () => ms)
    const pacer = pacerIn(world)
    for (let at = 0; at < 30; at++) await world.live(pacer.run(HOST, ask))
    ms = 600
    let told = 0
    const slow = pacer.run(HOST, ask, { alternative: { onSlow: () => void told++ } })
    const others = (async () => {
      ms = 20
      for (let at = 0; at < 40; at++) await pacer.run(HOST, ask)
    })()
    await world.live(Promise.all([slow, others]))
    assert.equal(told, 0)
  })
})
