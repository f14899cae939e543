import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { UpstreamError } from '../errors.ts'
import { seededRandom } from '../random.ts'
import { createPacer } from './pacer.ts'
import { createRegistry, createWorld, type World } from './simulation.fixture.ts'

const HOST = 'registry.test'
const pacerIn = (world: World) => createPacer({ clock: world.clock, random: seededRandom(1), wait: world.wait })
const failing = (failure: string) => (error: unknown) => error instanceof UpstreamError && error.failure === failure

suite('a host that is down', () => {
  const refused = () => new UpstreamError('unavailable', 'refused', { unreachable: true })
  const elsewhere = () => ({ alternative: { onSlow: () => {} } })

  test('is given up at once by a question that can go elsewhere, and by the next one without being asked', async () => {
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

  test('that answers every try wrongly was not silent: who waits for it hears of that, not of a timeout', async () => {
    const world = createWorld()
    const ask = async () => {
      await world.wait(1)
      throw new UpstreamError('unavailable', 'closed without an answer')
    }
    const pacer = pacerIn(world)
    const errors: unknown[] = []
    for (let at = 0; at < 6; at++) {
      const asked = pacer.run(HOST, ask, { deadlineMs: 10_000 })
      await world.live(asked.catch((error: unknown) => void errors.push(error)))
    }
    assert.deepEqual(
      errors.map((error) => (error as UpstreamError).failure),
      errors.map(() => 'unavailable'),
    )
    assert.equal(errors.length, 6)
  })

  test('is tried again after a pause, and asked as before once it answers', async () => {
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

  test('is tried twice a second at most while it stays down, however many want to ask', async () => {
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

  test('keeps a question that has nowhere else to go for less than a second', async () => {
    const world = createWorld()
    const ask = async () => {
      throw refused()
    }
    const pacer = pacerIn(world)
    const asking = Array.from({ length: 50 }, () => pacer.run(HOST, ask, { deadlineMs: 10_000 }))
    const outcomes = await world.live(Promise.allSettled(asking))
    assert.ok(outcomes.every(({ status }) => status === 'rejected'))
    assert.ok(world.clock.monotonic() < 1000, `took ${world.clock.monotonic()} ms`)
  })

  test('is down for nobody else where one question alone breaks its connections', async () => {
    const world = createWorld()
    const pacer = pacerIn(world)
    const poison = async () => {
      throw refused()
    }
    for (let at = 0; at < 20; at++) await world.live(assert.rejects(pacer.run(HOST, poison, { deadlineMs: 10_000 })))
    const began = world.clock.monotonic()
    assert.equal(await world.live(pacer.run(HOST, async () => 'yes', { deadlineMs: 10_000 })), 'yes')
    assert.ok(world.clock.monotonic() - began < 1000)
  })

  test('that says nothing is known to be down after three questions, and the next are told at once', async () => {
    const world = createWorld()
    const ask = async ({ signal, deadlineMs }: { signal: AbortSignal; deadlineMs: number }) => {
      await world.wait(deadlineMs, signal)
      throw new UpstreamError('timeout', 'silence')
    }
    const pacer = pacerIn(world)
    const three = Array.from({ length: 3 }, () => pacer.run(HOST, ask, { ...elsewhere(), deadlineMs: 10_000 }))
    await world.live(Promise.allSettled(three))
    const began = world.clock.monotonic()
    await world.live(assert.rejects(pacer.run(HOST, ask, { ...elsewhere(), deadlineMs: 10_000 })))
    assert.equal(world.clock.monotonic(), began)
  })

  test('is not thought to be down for one broken connection among many answers', async () => {
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

  test('is told of when it takes half as long again as usual, once, and its answer still counts', async () => {
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

  test('is not told of while it goes on answering others', async () => {
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
