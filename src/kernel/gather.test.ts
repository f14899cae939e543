import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manualClock } from './clock.ts'
import { UpstreamError } from './errors.ts'
import { gather } from './gather.ts'

const options = () => ({ deadlineMs: 60_000, clock: manualClock() })

test('one source that fails does not spoil the answer of the others', async () => {
  const refused = new UpstreamError('auth_error', 'b.example answered 403')
  const { answers, failures } = await gather(
    [
      { source: 'a', ask: async () => 1 },
      { source: 'b', ask: () => Promise.reject(refused) },
      { source: 'c', ask: async () => 3 },
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

test('answers stand in the order of the tasks, not of arrival', async () => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const { answers } = await gather(
    [
      { source: 'slow', ask: () => promise },
      { source: 'fast', ask: async () => (resolve('late'), 'early') },
    ],
    options(),
  )
  assert.deepEqual(
    answers.map(({ value }) => value),
    ['late', 'early'],
  )
})

test('all are asked at once', async () => {
  let asked = 0
  const meet = Promise.withResolvers<void>()
  const ask = async () => {
    if (++asked === 3) meet.resolve()
    await meet.promise
  }
  const { answers } = await gather(
    ['a', 'b', 'c'].map((source) => ({ source, ask })),
    options(),
  )
  assert.equal(answers.length, 3)
})

test('a source that never answers fails as timeout, whether it listens or not', async () => {
  const { answers, failures } = await gather(
    [
      { source: 'deaf', ask: () => new Promise<string>(() => {}) },
      { source: 'quick', ask: async () => 'here' },
    ],
    { ...options(), deadlineMs: 5 },
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

test('a mistake of ours in one source is a failure of that source, with its cause', async () => {
  const mistake = new TypeError('cannot read properties of undefined')
  const throws = () => {
    throw mistake
  }
  const { failures } = await gather([{ source: 'a', ask: throws }], options())
  assert.equal(failures[0]!.error.failure, 'unavailable')
  assert.equal(failures[0]!.error.cause, mistake)
})

test('an answer of undefined is an answer', async () => {
  const { answers, failures } = await gather([{ source: 'a', ask: async () => undefined }], options())
  assert.deepEqual([answers.length, failures.length], [1, 0])
})

test('each answer and failure says how long it took', async () => {
  const clock = manualClock()
  const { answers } = await gather([{ source: 'a', ask: async () => clock.advance(120) }], {
    deadlineMs: 60_000,
    clock,
  })
  assert.equal(answers[0]!.elapsedMs, 120)
})

test('when the caller leaves, the whole is given up and every source hears it', async () => {
  const caller = new AbortController()
  const heard: string[] = []
  const ask = (source: string) => (signal: AbortSignal) => {
    signal.addEventListener('abort', () => heard.push(source))
    return new Promise<never>(() => {})
  }
  const waiting = gather(
    ['a', 'b'].map((source) => ({ source, ask: ask(source) })),
    { ...options(), signal: caller.signal },
  )
  caller.abort(new Error('gone'))
  await assert.rejects(waiting, /gone/)
  assert.deepEqual(heard, ['a', 'b'])
})
