import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { unlessAborted, withDeadline } from './deadline.ts'
import { UpstreamError } from './errors.ts'

const never = () => new Promise<never>(() => {})
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test('a deadline holds for work that does not listen to its signal', async () => {
  await assert.rejects(
    withDeadline({ who: 'the registry', ms: 1 }, never),
    (error) =>
      error instanceof UpstreamError &&
      error.failure === 'timeout' &&
      error.message === 'the registry did not answer within 1 ms',
  )
})

test('work that listens hears that its time is up', async () => {
  let heard: unknown
  const run = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => (heard = signal.reason))
    return never()
  }
  await assert.rejects(withDeadline({ who: 'x', ms: 1 }, run))
  assert.ok(heard instanceof UpstreamError)
})

test('the caller gets back the reason of their own signal, and the work hears it', async () => {
  const caller = new AbortController()
  let own: AbortSignal | undefined
  const waiting = withDeadline({ who: 'x', ms: 60_000, signal: caller.signal }, (signal) => {
    own = signal
    return never()
  })
  const reason = new Error('the client has gone')
  caller.abort(reason)
  await assert.rejects(waiting, reason)
  assert.equal(own?.reason, reason)
})

test('nothing is started if the signal has already aborted', async () => {
  const started = { count: 0 }
  const run = async () => void started.count++
  await assert.rejects(withDeadline({ who: 'x', ms: 60_000, signal: AbortSignal.abort() }, run))
  assert.equal(started.count, 0)
})

test('neither a timer nor a listener outlives the work, however it ends', async () => {
  const before = timers()
  const caller = new AbortController()
  const deadline = { who: 'x', ms: 60_000, signal: caller.signal }
  assert.equal(await withDeadline(deadline, async () => 1), 1)
  await assert.rejects(
    withDeadline(deadline, async () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  const throws = () => {
    throw new Error('thrown at once')
  }
  await assert.rejects(withDeadline(deadline, throws), /thrown at once/)
  assert.equal(timers(), before)
  assert.equal(getEventListeners(caller.signal, 'abort').length, 0)
})

test('a deadline beyond what a timer can hold does not fire at once', async (t) => {
  const set = t.mock.method(globalThis, 'setTimeout')
  await withDeadline({ who: 'x', ms: Number.MAX_SAFE_INTEGER }, async () => 'answered')
  assert.equal(set.mock.calls[0]?.arguments[1], 2 ** 31 - 1)
})

test('a signal that has already aborted rejects at once', async () => {
  await assert.rejects(unlessAborted(never(), AbortSignal.abort(new Error('gone'))), /gone/)
})

test('a promise that settles leaves no listener behind', async () => {
  const { signal } = new AbortController()
  assert.equal(await unlessAborted(Promise.resolve(1), signal), 1)
  await assert.rejects(unlessAborted(Promise.reject(new Error('failed')), signal), /failed/)
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

test('a promise that is left behind may still fail without harm', async () => {
  const { promise, reject } = Promise.withResolvers<never>()
  const caller = new AbortController()
  const waiting = unlessAborted(promise, caller.signal)
  caller.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  // An unhandled rejection would fail the run.
  reject(new Error('too late'))
  await new Promise(setImmediate)
  assert.equal(getEventListeners(caller.signal, 'abort').length, 0)
})
