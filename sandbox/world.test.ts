import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { manualClock } from '../src/kernel/clock.ts'
import type { Running, Simulator, Surroundings } from './simulator.ts'
import { startWorld } from './world.ts'

/** A simulator without a server that writes into a diary. */
function puppet(name: string, diary: string[] = [], change: Partial<Running> = {}) {
  const seen: Surroundings[] = []
  const simulator: Simulator = {
    name,
    about: `plays ${name}`,
    async start(surroundings) {
      diary.push(`${name} starts`)
      seen.push(surroundings)
      return {
        settings: {},
        addresses: { here: `${name}:1` },
        tryThese: ({ url }) => [{ url: `${url}/${name}`, status: 200, shows: name }],
        async stop() {
          diary.push(`${name} stops`)
        },
        ...change,
      }
    },
  }
  return { simulator, surroundings: () => seen[0]! }
}

const failing = (name: string): Simulator => ({
  name,
  about: '',
  start: () => Promise.reject(new Error(`${name} is ill`)),
})

/** What chance says of a thing: enough of it that two agree by accident never. */
const draw = ({ chance }: Surroundings, thing: string) => Buffer.from(chance(thing).bytes(16)).toString('hex')

suite('chance in a world', () => {
  const surroundingsIn = async (seed: number, names: string[]) => {
    const puppets = names.map((name) => puppet(name))
    const world = await startWorld(
      puppets.map(({ simulator }) => simulator),
      { seed },
    )
    await world.stop()
    return puppets.map((one) => one.surroundings())
  }

  test('is the same for the same seed, simulator and thing, whatever was asked before', async () => {
    const [first] = await surroundingsIn(7, ['a'])
    const [second] = await surroundingsIn(7, ['a'])
    draw(second!, 'another.com')
    assert.equal(draw(second!, 'shop.com'), draw(first!, 'shop.com'))
    assert.equal(draw(first!, 'shop.com'), draw(first!, 'shop.com'))
  })

  test('differs between things, simulators and seeds', async () => {
    const [a, b] = await surroundingsIn(7, ['a', 'b'])
    const [other] = await surroundingsIn(8, ['a'])
    const draws = [draw(a!, 'x'), draw(a!, 'y'), draw(b!, 'x'), draw(other!, 'x')]
    assert.equal(new Set(draws).size, 4)
  })

  test('does not change for one simulator when another joins', async () => {
    const [alone] = await surroundingsIn(7, ['a'])
    const [, joined] = await surroundingsIn(7, ['b', 'a', 'c'])
    assert.equal(draw(joined!, 'x'), draw(alone!, 'x'))
  })
})

suite('a world', () => {
  test('starts its simulators in order, puts together what they say, and stops them in reverse', async () => {
    const diary: string[] = []
    const clock = manualClock()
    const a = puppet('a', diary, { settings: { ONOMA_A: '1' } })
    const b = puppet('b', diary, { settings: { ONOMA_B: '2', ONOMA_C: '3' } })
    const world = await startWorld([a.simulator, b.simulator], { seed: 5, clock })
    assert.equal(world.seed, 5)
    assert.equal(b.surroundings().clock, clock)
    assert.deepEqual(world.settings, { ONOMA_A: '1', ONOMA_B: '2', ONOMA_C: '3' })
    assert.deepEqual(world.simulators, [
      { name: 'a', about: 'plays a', addresses: { here: 'a:1' } },
      { name: 'b', about: 'plays b', addresses: { here: 'b:1' } },
    ])
    const tries = world.tryThese({
      url: 'http://s',
      ensUrl: null,
      metricsUrl: null,
      payments: { mode: 'off', simulated: null },
    })
    assert.deepEqual(
      tries.map((one) => 'url' in one && one.url),
      ['http://s/a', 'http://s/b'],
    )
    await world.stop()
    await world.stop()
    assert.deepEqual(diary, ['a starts', 'b starts', 'b stops', 'a stops'])
  })

  test('gives each simulator a folder, and takes all of them away in the end', async () => {
    const a = puppet('a')
    const b = puppet('b')
    const world = await startWorld([a.simulator, b.simulator])
    assert.deepEqual(readdirSync(world.folder).toSorted(), ['a', 'b'])
    writeFileSync(join(a.surroundings().folder, 'notes.txt'), 'x')
    assert.deepEqual(readdirSync(b.surroundings().folder), [])
    await world.stop()
    assert.equal(existsSync(world.folder), false)
  })

  test('in which one cannot start stops the others, leaves nothing behind and says why', async () => {
    const diary: string[] = []
    const a = puppet('a', diary)
    const simulators = [a.simulator, puppet('b', diary).simulator, failing('c'), puppet('d', diary).simulator]
    await assert.rejects(startWorld(simulators), /c is ill/)
    assert.deepEqual(diary, ['a starts', 'b starts', 'b stops', 'a stops'])
    assert.equal(existsSync(join(a.surroundings().folder, '..')), false)
  })

  test('in which two want to decide one setting does not start', async () => {
    const diary: string[] = []
    const a = puppet('a', diary, { settings: { ONOMA_X: '1' } })
    const b = puppet('b', diary, { settings: { ONOMA_X: '1' } })
    await assert.rejects(startWorld([a.simulator, b.simulator]), /"a" and "b" both set ONOMA_X/)
    assert.deepEqual(diary, ['a starts', 'b starts', 'b stops', 'a stops'])
  })

  test('has no two simulators of one name', async () => {
    const diary: string[] = []
    const twins = [puppet('a', diary).simulator, puppet('a', diary).simulator]
    await assert.rejects(startWorld(twins), /Two simulators are called "a"/)
    assert.deepEqual(diary, [])
  })

  test('stops all the others when one cannot be stopped', async () => {
    const diary: string[] = []
    const stuck = puppet('b', diary, { stop: () => Promise.reject(new Error('b is stuck')) })
    const world = await startWorld([puppet('a', diary).simulator, stuck.simulator, puppet('c', diary).simulator])
    await assert.rejects(world.stop(), (error: AggregateError) => {
      assert.match(String(error.errors[0]), /b is stuck/)
      return true
    })
    assert.deepEqual(diary.slice(3), ['c stops', 'a stops'])
    assert.equal(existsSync(world.folder), false)
  })

  test('passes time by the real clock unless told otherwise, and no longer than somebody waits', async () => {
    const a = puppet('a')
    const world = await startWorld([a.simulator])
    const { wait } = a.surroundings()
    await wait(1, new AbortController().signal)
    const gone = new AbortController()
    const waiting = wait(20_000, gone.signal)
    gone.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
    await world.stop()
  })
})
