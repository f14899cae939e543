import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from '../kernel/clock.ts'
import { createReadiness, type Part, type PartState } from './readiness.ts'

const OK: PartState = { status: 'ok' }
const FAILED: PartState = { status: 'failed', reason: 'It is broken.', advice: 'Look at /secret/path.' }

const part = (name: string, check: Part['check'], more: Partial<Part> = {}): Part => ({
  name,
  isRequired: true,
  check,
  ...more,
})

test('ready if no required part fails; a failed optional part is degraded, and advice is not public', async () => {
  const optional = part('nodes', () => FAILED, { isRequired: false })
  const off = part('auctions', () => ({ status: 'off', reason: 'No feed.' }))
  const report = await createReadiness([part('disk', () => OK), off, optional], manualClock())()
  assert.deepEqual(report, {
    status: 'ready',
    parts: {
      disk: OK,
      auctions: { status: 'off', reason: 'No feed.' },
      nodes: { status: 'degraded', reason: 'It is broken.' },
    },
  })
  const broken = await createReadiness([part('disk', () => FAILED)], manualClock())()
  assert.deepEqual(broken, { status: 'not_ready', parts: { disk: { status: 'failed', reason: 'It is broken.' } } })
})

test('a part is checked again after some seconds, however often it is asked', async () => {
  const clock = manualClock()
  let checks = 0
  let state: PartState = FAILED
  const readiness = createReadiness([part('disk', () => (checks++, state))], clock)
  for (let at = 0; at < 10; at++) assert.equal((await readiness()).status, 'not_ready')
  assert.equal(checks, 1)
  state = OK
  clock.advance(5_000)
  assert.equal((await readiness()).status, 'ready')
  assert.equal(checks, 2)
})

test('a slow part is not waited for: it is unknown at first, and then what was found the last time', async () => {
  const clock = manualClock()
  const { promise, resolve } = Promise.withResolvers<PartState>()
  const readiness = createReadiness([part('nodes', () => promise, { isSlow: true, isRequired: false })], clock)
  assert.deepEqual((await readiness()).parts['nodes'], { status: 'unknown' })
  resolve(FAILED)
  await new Promise(setImmediate)
  assert.deepEqual((await readiness()).parts['nodes'], { status: 'degraded', reason: 'It is broken.' })
})

test('a check that is late does not make a working part fail, unless it stays late', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const clock = manualClock()
  let state: PartState | Promise<never> = OK
  const readiness = createReadiness([part('disk', () => state)], clock)
  assert.equal((await readiness()).status, 'ready')
  state = new Promise<never>(() => {})
  const askLate = () => {
    const asked = readiness()
    t.mock.timers.tick(800)
    return asked
  }
  clock.advance(5_000)
  assert.equal((await askLate()).status, 'ready')
  clock.advance(14_000)
  assert.equal((await askLate()).status, 'ready')
  clock.advance(1_000)
  const { status, parts } = await askLate()
  assert.deepEqual([status, parts['disk']!.status], ['not_ready', 'failed'])
  state = OK
  clock.advance(1_000)
  assert.equal((await readiness()).status, 'ready')
})

test('a first check that is late leaves the part unknown: a busy machine is no reason to refuse requests', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const readiness = createReadiness([part('disk', () => new Promise<never>(() => {}))], manualClock())
  const asked = readiness()
  t.mock.timers.tick(800)
  assert.deepEqual(await asked, { status: 'ready', parts: { disk: { status: 'unknown' } } })
})

test('a check that throws is a failed part', async () => {
  const report = await createReadiness([part('disk', () => Promise.reject(new Error('no such disk')))], manualClock())()
  assert.deepEqual(report.parts['disk'], { status: 'failed', reason: 'The check failed: no such disk.' })
})
