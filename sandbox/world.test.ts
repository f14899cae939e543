import assert from 'node:assert/strict'
import { existsSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { manualClock } from '../src/kernel/clock.ts'
import type { RunningSimulator, Simulator, SimulatorContext } from './simulator.ts'
import { startWorld } from './world.ts'

/** A simulator without a server that logs its start and its stop. */
function fakeSimulator(name: string, log: string[] = [], change: Partial<RunningSimulator> = {}) {
  const seen: SimulatorContext[] = []
  const simulator: Simulator = {
    name,
    about: `plays ${name}`,
    async start(context) {
      log.push(`${name} starts`)
      seen.push(context)
      return {
        settings: {},
        addresses: { here: `${name}:1` },
        tryThese: ({ url }) => [{ url: `${url}/${name}`, status: 200, shows: name }],
        async stop() {
          log.push(`${name} stops`)
        },
        ...change,
      }
    },
  }
  return { simulator, context: () => seen[0]! }
}

const failing = (name: string): Simulator => ({
  name,
  about: '',
  start: () => Promise.reject(new Error(`${name} is ill`)),
})

/** 16 bytes: two draws are never equal by accident. */
const draw = ({ chance }: SimulatorContext, key: string) => Buffer.from(chance(key).bytes(16)).toString('hex')

suite('random values in a world', () => {
  const contextsIn = async (seed: number, names: string[]) => {
    const fakes = names.map((name) => fakeSimulator(name))
    const world = await startWorld(
      fakes.map(({ simulator }) => simulator),
      { seed },
    )
    await world.stop()
    return fakes.map((fake) => fake.context())
  }

  test('are equal for equal seed, simulator and key, whatever was drawn before', async () => {
    const [first] = await contextsIn(7, ['a'])
    const [second] = await contextsIn(7, ['a'])
    draw(second!, 'another.com')
    assert.equal(draw(second!, 'shop.com'), draw(first!, 'shop.com'))
    assert.equal(draw(first!, 'shop.com'), draw(first!, 'shop.com'))
  })

  test('differ between keys, simulators and seeds', async () => {
    const [a, b] = await contextsIn(7, ['a', 'b'])
    const [other] = await contextsIn(8, ['a'])
    const draws = [draw(a!, 'x'), draw(a!, 'y'), draw(b!, 'x'), draw(other!, 'x')]
    assert.equal(new Set(draws).size, 4)
  })

  test('do not change for one simulator when others are added', async () => {
    const [alone] = await contextsIn(7, ['a'])
    const [, joined] = await contextsIn(7, ['b', 'a', 'c'])
    assert.equal(draw(joined!, 'x'), draw(alone!, 'x'))
  })
})

suite('a world', () => {
  test('starts its simulators in order, merges their settings and suggestions, and stops them in reverse order', async () => {
    const log: string[] = []
    const clock = manualClock()
    const a = fakeSimulator('a', log, { settings: { ONOMA_A: '1' } })
    const b = fakeSimulator('b', log, { settings: { ONOMA_B: '2', ONOMA_C: '3' } })
    const world = await startWorld([a.simulator, b.simulator], { seed: 5, clock })
    assert.equal(world.seed, 5)
    assert.equal(b.context().clock, clock)
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
    assert.deepEqual(log, ['a starts', 'b starts', 'b stops', 'a stops'])
  })

  test('gives each simulator an empty folder, and deletes all of them at the end', async () => {
    const a = fakeSimulator('a')
    const b = fakeSimulator('b')
    const world = await startWorld([a.simulator, b.simulator])
    assert.deepEqual(readdirSync(world.folder).toSorted(), ['a', 'b'])
    writeFileSync(join(a.context().folder, 'notes.txt'), 'x')
    assert.deepEqual(readdirSync(b.context().folder), [])
    await world.stop()
    assert.equal(existsSync(world.folder), false)
  })

  test('with a simulator that fails to start stops the others, deletes its folder and reports the reason', async () => {
    const log: string[] = []
    const a = fakeSimulator('a', log)
    const simulators = [a.simulator, fakeSimulator('b', log).simulator, failing('c'), fakeSimulator('d', log).simulator]
    await assert.rejects(startWorld(simulators), /c is ill/)
    assert.deepEqual(log, ['a starts', 'b starts', 'b stops', 'a stops'])
    assert.equal(existsSync(join(a.context().folder, '..')), false)
  })

  test('with two simulators that set the same setting does not start', async () => {
    const log: string[] = []
    const a = fakeSimulator('a', log, { settings: { ONOMA_X: '1' } })
    const b = fakeSimulator('b', log, { settings: { ONOMA_X: '1' } })
    await assert.rejects(startWorld([a.simulator, b.simulator]), /"a" and "b" both set ONOMA_X/)
    assert.deepEqual(log, ['a starts', 'b starts', 'b stops', 'a stops'])
  })

  test('with two simulators of one name does not start', async () => {
    const log: string[] = []
    const twins = [fakeSimulator('a', log).simulator, fakeSimulator('a', log).simulator]
    await assert.rejects(startWorld(twins), /Two simulators are called "a"/)
    assert.deepEqual(log, [])
  })

  test('stops all other simulators when one fails to stop', async () => {
    const log: string[] = []
    const stuck = fakeSimulator('b', log, { stop: () => Promise.reject(new Error('b is stuck')) })
    const world = await startWorld([
      fakeSimulator('a', log).simulator,
      stuck.simulator,
      fakeSimulator('c', log).simulator,
    ])
    await assert.rejects(world.stop(), (error: AggregateError) => {
      assert.match(String(error.errors[0]), /b is stuck/)
      return true
    })
    assert.deepEqual(log.slice(3), ['c stops', 'a stops'])
    assert.equal(existsSync(world.folder), false)
  })

  test('sleeps in real time by default, and stops sleeping on abort', async () => {
    const a = fakeSimulator('a')
    const world = await startWorld([a.simulator])
    const { wait } = a.context()
    await wait(1, new AbortController().signal)
    const gone = new AbortController()
    const waiting = wait(20_000, gone.signal)
    gone.abort()
    await assert.rejects(waiting, { name: 'AbortError' })
    await world.stop()
  })
})
