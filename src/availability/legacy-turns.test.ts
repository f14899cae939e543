import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UpstreamError } from '../kernel/errors.ts'
import { createLegacyTurns } from './legacy-turns.ts'

const NEVER = new AbortController().signal
const MAX_WAIT_MS = 15_000

/** Checks that run until the test ends them, and the sleeps that end the waiting when the test says so. */
function createChecks(options?: Parameters<typeof createLegacyTurns>[0]) {
  const sleeping: { ms: number; wake: () => void; signal: AbortSignal }[] = []
  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      sleeping.push({ ms, wake: resolve, signal })
      signal.addEventListener('abort', () => reject(signal.reason))
    })
  const turns = createLegacyTurns({ sleep, ...options })
  const running: { client: string; end: () => void }[] = []
  const start = (client: string, signal = NEVER) => {
    const { promise, resolve } = Promise.withResolvers<string>()
    const outcome = turns.run(
      client,
      () => {
        running.push({ client, end: () => resolve(client) })
        return promise
      },
      { maxWaitMs: MAX_WAIT_MS, signal },
    )
    outcome.catch(() => {})
    return outcome
  }
  const clients = () => running.map(({ client }) => client)
  const settle = () => new Promise(setImmediate)
  return { start, running, clients, settle, sleeping }
}

const isFull = (error: unknown) =>
  error instanceof UpstreamError && error.retryAfterMs === 5000 && !error.message.includes('198.51.100.7')

test('each client has one running and two waiting, whatever the others do', async () => {
  const { start, running, clients, settle } = createChecks()
  const first = ['198.51.100.7', '198.51.100.7', '198.51.100.7'].map((client) => start(client))
  await assert.rejects(start('198.51.100.7'), isFull)
  const other = start('203.0.113.9')
  await settle()
  assert.deepEqual(clients(), ['198.51.100.7', '203.0.113.9'])
  for (const { end } of running) end()
  await settle()
  assert.deepEqual(clients().slice(2), ['198.51.100.7'])
  running[2]!.end()
  await settle()
  running[3]!.end()
  assert.deepEqual(await Promise.all([...first, other]), [...Array(3).fill('198.51.100.7'), '203.0.113.9'])
})

test('all clients together are bounded, and a client that leaves makes room', async () => {
  const { start, running, settle, clients } = createChecks({ maxConcurrent: 1, maxQueue: 1 })
  const leaving = new AbortController()
  void start('a')
  const waiting = start('b', leaving.signal)
  await assert.rejects(start('c'), isFull)
  leaving.abort(new Error('left'))
  await assert.rejects(waiting, /left/)
  const late = start('c')
  running[0]!.end()
  await settle()
  assert.deepEqual(clients(), ['a', 'c'])
  running[1]!.end()
  assert.equal(await late, 'c')
})

test('a /48 of IPv6 has ten places, however many addresses it has', async () => {
  const { start, running, settle } = createChecks()
  const client = (at: number) => `2001:db8:1:${at.toString(16)}::/64`
  const asking = Array.from({ length: 10 }, (_, at) => start(client(at)))
  await assert.rejects(start(client(10)), isFull)
  void start('2001:db8:2:0::/64')
  await settle()
  running[0]!.end()
  await asking[0]
  await settle()
  const late = start(client(10))
  for (let at = 1; at < 12; at++) {
    await settle()
    running[at]!.end()
  }
  assert.equal(await late, client(10))
})

test('a turn that does not come in time is refused, makes room, and one that came is not ended', async () => {
  const { start, running, clients, settle, sleeping } = createChecks()
  const [first, late, next] = ['198.51.100.7', '198.51.100.7', '198.51.100.7'].map((client) => start(client))
  await settle()
  assert.deepEqual(
    sleeping.map(({ ms }) => ms),
    [MAX_WAIT_MS, MAX_WAIT_MS, MAX_WAIT_MS],
  )
  assert.deepEqual(
    sleeping.map(({ signal }) => signal.aborted),
    [true, false, false],
    'nobody waits for the turn of the one that runs',
  )
  for (const { wake } of sleeping.slice(0, 2)) wake()
  await assert.rejects(late!, isFull)
  const further = start('198.51.100.7')
  for (let at = 0; at < 3; at++) {
    await settle()
    running[at]!.end()
  }
  assert.deepEqual(await Promise.all([first, next, further]), Array(3).fill('198.51.100.7'))
  assert.equal(clients().length, 3, 'the refused one never ran')
})
