import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from './clock.ts'
import { UpstreamError } from './errors.ts'
import { gather } from './gather.ts'

const options = () => ({ timeoutMs: 60_000, clock: manualClock() })

test('a source that fails does not affect the answers of the others', async () => {
  const refused = new UpstreamError('auth_error', 'b.example answered 403')
  const { answers, failures } = await gather(
    [
      { source: 'a', run: async () => 1 },
      { source: 'b', run: () => Promise.reject(refused) },
      { source: 'c', run: async () => 3 },
    ],
    options(),
  )
  assert.deepEqual(
    answers.map(({ source, value }) => [source, value]),
    [
      ['a', 1],
      ['c', 3],
    ],
  )
  assert.deepEqual(
    failures.map(({ source, error }) => [source, error]),
    [['b', refused]],
  )
})

test('answers are in the order of the tasks, not of arrival', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { answers } = await gather(
    [
      { source: 'slow', run: () => promise },
      { source: 'fast', run: async () => (resolve('late'), 'early') },
    ],
    options(),
  )
  assert.deepEqual(
    answers.map(({ value }) => value),
    ['late', 'early'],
  )
})

test('all sources are queried concurrently', async () => {
  let asked = 0
  const meet = Promise.withResolvers<void>()
  const ask = async () => {
    if (++asked === 3) meet.resolve()
    await meet.promise
  }
  const { answers } = await gather(
    ['a', 'b', 'c'].map((source) => ({ source, run: ask })),
    options(),
  )
  assert.equal(answers.length, 3)
})

test('a source that never answers fails as timeout, whether it listens to its signal or not', async () => {
  const { answers, failures } = await gather(
    [
      { source: 'deaf', run: () => new Promise<string>(() => {}) },
      { source: 'quick', run: async () => 'here' },
    ],
    { ...options(), timeoutMs: 5 },
  )
  assert.deepEqual(
    answers.map(({ value }) => value),
    ['here'],
  )
  assert.deepEqual(
    failures.map(({ source, error }) => [source, error.failure]),
    [['deaf', 'timeout']],
  )
})

test('an unexpected error in one source is a failure of that source, with its cause', async () => {
  const mistake = new TypeError('cannot read properties of undefined')
  const throws = () => {
    throw mistake
  }
  const { failures } = await gather([{ source: 'a', run: throws }], options())
  assert.equal(failures[0]!.error.failure, 'unavailable')
  assert.equal(failures[0]!.error.cause, mistake)
})

test('an answer of undefined is an answer', async () => {
  const { answers, failures } = await gather([{ source: 'a', run: async () => undefined }], options())
  assert.deepEqual([answers.length, failures.length], [1, 0])
})

test('each answer and failure has its elapsed time', async () => {
  const clock = manualClock()
  const { answers } = await gather([{ source: 'a', run: async () => clock.advance(120) }], {
    timeoutMs: 60_000,
    clock,
  })
  assert.equal(answers[0]!.elapsedMs, 120)
})

test('an abort of the caller rejects the whole and aborts every source', async () => {
  const caller = new AbortController()
  const heard: string[] = []
  const ask = (source: string) => (signal: AbortSignal) => {
    signal.addEventListener('abort', () => heard.push(source))
    return new Promise<never>(() => {})
  }
  const waiting = gather(
    ['a', 'b'].map((source) => ({ source, run: ask(source) })),
    { ...options(), signal: caller.signal },
  )
  caller.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  assert.deepEqual(heard, ['a', 'b'])
})
