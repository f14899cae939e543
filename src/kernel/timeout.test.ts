import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import { unlessAborted, withTimeout } from './timeout.ts'
import { UpstreamError } from './errors.ts'

const never = () => new Promise<never>(() => {})
const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

test('a timeout ends work that does not listen to its signal', async () => {
  await assert.rejects(
    withTimeout({ who: 'the registry', timeoutMs: 1 }, never),
    (error) =>
      error instanceof UpstreamError &&
      error.failure === 'timeout' &&
      error.message === 'the registry did not answer within 1 ms',
  )
})

test('work that listens to its signal gets the timeout error as the reason', async () => {
  let heard: unknown
  const run = (signal: AbortSignal) => {
    signal.addEventListener('abort', () => (heard = signal.reason))
    return never()
  }
  await assert.rejects(withTimeout({ who: 'x', timeoutMs: 1 }, run))
  assert.ok(heard instanceof UpstreamError)
})

test('an abort of the caller rejects with its reason and aborts the work with it', async () => {
  const caller = new AbortController()
  let own: AbortSignal | undefined
  const waiting = withTimeout({ who: 'x', timeoutMs: 60_000, signal: caller.signal }, (signal) => {
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
  await assert.rejects(withTimeout({ who: 'x', timeoutMs: 60_000, signal: AbortSignal.abort() }, run))
  assert.equal(started.count, 0)
})

test('no timer and no listener is left after the work, however it ends', async () => {
  const before = timers()
  const caller = new AbortController()
  const options = { who: 'x', timeoutMs: 60_000, signal: caller.signal }
  assert.equal(await withTimeout(options, async () => 1), 1)
  await assert.rejects(
    withTimeout(options, async () => Promise.reject(new Error('failed'))),
    /failed/,
  )
  const throws = () => {
    throw new Error('thrown at once')
  }
  await assert.rejects(withTimeout(options, throws), /thrown at once/)
  assert.equal(timers(), before)
  assert.equal(getEventListeners(caller.signal, 'abort').length, 0)
})

test('a timeout longer than a timer supports does not fire at once', async (t) => {
  const set = t.mock.method(globalThis, 'setTimeout')
  await withTimeout({ who: 'x', timeoutMs: Number.MAX_SAFE_INTEGER }, async () => 'answered')
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

test('a promise that rejects after the abort is not an unhandled rejection', async () => {
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
