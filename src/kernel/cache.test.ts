import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { test } from 'node:test'
import fc from 'fast-check'
import { createCache, type Loaded } from './cache.ts'
import { manualClock } from './clock.ts'
import { UpstreamError } from './errors.ts'

function fresh<V = string>(limits: { max?: number; maxConcurrentLoads?: number } = {}) {
  const clock = manualClock()
  return { clock, cache: createCache<V>({ name: 'answers', max: 100, clock, ...limits }) }
}
const settle = () => new Promise(setImmediate)
const brings =
  <V>(value: V, ttlMs = 1000) =>
  async (): Promise<Loaded<V>> => ({ value, ttlMs })
const mustNotLoad = (): never => assert.fail('nothing should be loaded')

/** A load that ends when told to, and remembers how often it began and whether it was given up. */
function slowLoad() {
  const outcome = Promise.withResolvers<Loaded<string>>()
  const seen = { begun: 0, signal: undefined as AbortSignal | undefined }
  const load = (signal: AbortSignal) => {
    seen.begun++
    seen.signal = signal
    return outcome.promise
  }
  return { load, seen, ...outcome }
}

test('a value is loaded once and then comes from the cache, with its age', async () => {
  const { cache, clock } = fresh()
  const storedAt = clock.now()
  const first = await cache.getOrLoad('k', brings('v'))
  assert.deepEqual(first, { value: 'v', cached: false, storedAt, expiresInMs: 1000 })
  clock.advance(400)
  const second = await cache.getOrLoad('k', mustNotLoad)
  assert.deepEqual(second, { value: 'v', cached: true, storedAt, expiresInMs: 600 })
  assert.deepEqual(cache.get('k'), second)
})

test('each value has its own lifetime and is gone when it has passed', async () => {
  const { cache, clock } = fresh()
  await cache.getOrLoad('short', brings('s', 100))
  await cache.getOrLoad('long', brings('l', 200))
  clock.advance(99)
  assert.equal(cache.get('short')?.expiresInMs, 1)
  clock.advance(1)
  assert.equal(cache.get('short'), undefined)
  assert.equal(cache.get('long')?.value, 'l')
  assert.equal(cache.size, 1)
})

test('a correction of the wall clock does not lengthen or shorten a life', async () => {
  const clock = { ...manualClock() }
  const cache = createCache<string>({ name: 'answers', max: 10, clock })
  await cache.getOrLoad('k', brings('v'))
  clock.now = () => 0
  assert.equal(cache.get('k')?.expiresInMs, 1000)
  clock.now = () => Number.MAX_SAFE_INTEGER
  assert.equal(cache.get('k')?.expiresInMs, 1000)
})

test('null and undefined are values like others', async () => {
  const { cache } = fresh<null | undefined>()
  await cache.getOrLoad('null', brings(null))
  await cache.getOrLoad('undefined', brings(undefined))
  assert.equal((await cache.getOrLoad('null', mustNotLoad)).value, null)
  assert.equal((await cache.getOrLoad('undefined', mustNotLoad)).value, undefined)
})

for (const ttlMs of [0, -1, Number.NaN]) {
  test(`a lifetime of ${ttlMs} is an answer that is not kept`, async () => {
    const { cache } = fresh()
    const { value, expiresInMs } = await cache.getOrLoad('k', brings('v', ttlMs))
    assert.deepEqual([value, expiresInMs, cache.size], ['v', 0, 0])
  })
}

test('the least recently used value leaves first when the cache is full', async () => {
  const { cache } = fresh({ max: 2 })
  await cache.getOrLoad('a', brings('a'))
  await cache.getOrLoad('b', brings('b'))
  cache.get('a')
  await cache.getOrLoad('c', brings('c'))
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.get(key)?.value),
    ['a', undefined, 'c'],
  )
  assert.equal(cache.size, 2)
})

test('however many ask at once, one load is made for all', async () => {
  const { cache } = fresh()
  const { load, seen, resolve } = slowLoad()
  const asking = Array.from({ length: 50 }, () => cache.getOrLoad('k', load))
  await settle()
  resolve({ value: 'v', ttlMs: 1000 })
  const answers = await Promise.all(asking)
  assert.equal(seen.begun, 1)
  assert.ok(answers.every(({ value, cached }) => value === 'v' && !cached))
})

test('different keys do not wait for each other', async () => {
  const { cache } = fresh()
  const { load, resolve } = slowLoad()
  const slow = cache.getOrLoad('slow', load)
  assert.equal((await cache.getOrLoad('quick', brings('q'))).value, 'q')
  resolve({ value: 's', ttlMs: 1 })
  await slow
})

test('a failing load fails for all callers, and is not stored', async () => {
  const { cache } = fresh()
  const { load, reject, seen } = slowLoad()
  const asking = [cache.getOrLoad('k', load), cache.getOrLoad('k', load)]
  await settle()
  reject(new Error('failed'))
  for (const each of asking) await assert.rejects(each, /failed/)
  assert.equal(seen.begun, 1)
  assert.equal((await cache.getOrLoad('k', brings('v'))).value, 'v')
})

test('a load that throws at once is a failing load', async () => {
  const { cache } = fresh({ maxConcurrentLoads: 1 })
  const throws = () => {
    throw new Error('thrown at once')
  }
  await assert.rejects(cache.getOrLoad('k', throws), /thrown at once/)
  assert.equal((await cache.getOrLoad('k', brings('v'))).value, 'v')
})

test('who leaves does not take the answer from those who stay', async () => {
  const { cache } = fresh()
  const { load, seen, resolve } = slowLoad()
  const caller = new AbortController()
  const leaving = cache.getOrLoad('k', load, { signal: caller.signal })
  const staying = cache.getOrLoad('k', load)
  await settle()
  caller.abort(new Error('gone'))
  await assert.rejects(leaving, /gone/)
  assert.equal(seen.signal?.aborted, false)
  resolve({ value: 'v', ttlMs: 1000 })
  assert.equal((await staying).value, 'v')
  assert.equal(seen.begun, 1)
})

test('the load is aborted when the last caller has left, and the next caller starts a new one', async () => {
  const { cache } = fresh()
  const first = slowLoad()
  const callers = [new AbortController(), new AbortController()]
  const leaving = callers.map(({ signal }) => cache.getOrLoad('k', first.load, { signal }))
  await settle()
  callers[0]!.abort()
  await assert.rejects(leaving[0]!)
  assert.equal(first.seen.signal?.aborted, false)
  callers[1]!.abort()
  await assert.rejects(leaving[1]!)
  assert.equal(first.seen.signal?.aborted, true)
  const next = cache.getOrLoad('k', brings('new'))
  // The abandoned load may still end, in either way, without harm: it neither answers nor overwrites.
  first.resolve({ value: 'old', ttlMs: 1000 })
  assert.equal((await next).value, 'new')
  await settle()
  assert.equal(cache.get('k')?.value, 'new')
})

test('an abandoned load that fails later has no effect', async () => {
  const { cache } = fresh()
  const { load, reject } = slowLoad()
  const caller = new AbortController()
  const leaving = cache.getOrLoad('k', load, { signal: caller.signal })
  await settle()
  caller.abort()
  await assert.rejects(leaving)
  // An unhandled rejection would fail the run.
  reject(new Error('too late'))
  await settle()
})

test('a load that has ended is not told to stop', async () => {
  const { cache } = fresh()
  const { load, seen, resolve } = slowLoad()
  const caller = new AbortController()
  const asking = cache.getOrLoad('k', load, { signal: caller.signal })
  await settle()
  resolve({ value: 'v', ttlMs: 1000 })
  await asking
  caller.abort()
  assert.equal(seen.signal?.aborted, false)
  assert.equal(getEventListeners(caller.signal, 'abort').length, 0)
})

test('a caller whose signal has already aborted starts no load', async () => {
  const { cache } = fresh()
  await assert.rejects(cache.getOrLoad('k', mustNotLoad, { signal: AbortSignal.abort() }))
})

test('a refresh passes by the stored value and replaces it', async () => {
  const { cache } = fresh()
  await cache.getOrLoad('k', brings('old'))
  const { value, cached } = await cache.getOrLoad('k', brings('new'), { refresh: true })
  assert.deepEqual([value, cached], ['new', false])
  assert.equal(cache.get('k')?.value, 'new')
})

test('while a refresh is under way others still get the stored value, and further refreshes join it', async () => {
  const { cache } = fresh()
  await cache.getOrLoad('k', brings('old'))
  const { load, seen, resolve } = slowLoad()
  const refreshing = [cache.getOrLoad('k', load, { refresh: true }), cache.getOrLoad('k', load, { refresh: true })]
  await settle()
  assert.equal((await cache.getOrLoad('k', mustNotLoad)).value, 'old')
  resolve({ value: 'new', ttlMs: 1000 })
  assert.deepEqual(
    (await Promise.all(refreshing)).map(({ value }) => value),
    ['new', 'new'],
  )
  assert.equal(seen.begun, 1)
})

test('a failed refresh leaves the stored value as it is', async () => {
  const { cache } = fresh()
  await cache.getOrLoad('k', brings('old'))
  await assert.rejects(cache.getOrLoad('k', () => Promise.reject(new Error('failed')), { refresh: true }))
  assert.equal(cache.get('k')?.value, 'old')
})

test('a refreshed answer that must not be kept takes the old one away', async () => {
  const { cache } = fresh()
  await cache.getOrLoad('k', brings('old'))
  await cache.getOrLoad('k', brings('new', 0), { refresh: true })
  assert.equal(cache.get('k'), undefined)
})

for (const forget of ['delete', 'clear'] as const) {
  test(`${forget} also keeps out what was being loaded at the time`, async () => {
    const { cache } = fresh()
    await cache.getOrLoad('k', brings('stored'))
    const { load, resolve } = slowLoad()
    const asking = cache.getOrLoad('k', load, { refresh: true })
    await settle()
    cache[forget]('k')
    assert.equal(cache.get('k'), undefined)
    resolve({ value: 'old', ttlMs: 1000 })
    assert.equal((await asking).value, 'old')
    assert.equal(cache.get('k'), undefined)
  })
}

test('more loads at once than allowed are refused, hits and joiners are not', async () => {
  const { cache } = fresh({ maxConcurrentLoads: 2 })
  await cache.getOrLoad('stored', brings('v'))
  const [a, b] = [slowLoad(), slowLoad()]
  const asking = [cache.getOrLoad('a', a.load), cache.getOrLoad('b', b.load), cache.getOrLoad('a', mustNotLoad)]
  await assert.rejects(
    cache.getOrLoad('c', mustNotLoad),
    (error) => error instanceof UpstreamError && error.failure === 'unavailable',
  )
  assert.equal((await cache.getOrLoad('stored', mustNotLoad)).value, 'v')
  a.resolve({ value: 'a', ttlMs: 1 })
  b.reject(new Error('failed'))
  await Promise.allSettled(asking)
  assert.equal((await cache.getOrLoad('c', brings('c'))).value, 'c')
})

test('a load that ignores being given up still counts against the bound', async () => {
  const { cache } = fresh({ maxConcurrentLoads: 1 })
  const deaf = slowLoad()
  const caller = new AbortController()
  const leaving = cache.getOrLoad('a', deaf.load, { signal: caller.signal })
  caller.abort()
  await assert.rejects(leaving)
  await assert.rejects(cache.getOrLoad('b', mustNotLoad), UpstreamError)
  deaf.resolve({ value: 'late', ttlMs: 1 })
  await settle()
  assert.equal((await cache.getOrLoad('b', brings('b'))).value, 'b')
})

test('whatever is asked in whatever order, an answer is never older than its lifetime nor the cache larger than its bound', async () => {
  const step = fc.record({
    key: fc.constantFrom('a', 'b', 'c', 'd'),
    ttlMs: fc.constantFrom(0, 10, 100),
    pass: fc.constantFrom(0, 0, 5, 20),
    refresh: fc.boolean(),
    fails: fc.boolean(),
    leaves: fc.boolean(),
  })
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 40 }), async (steps) => {
      const clock = manualClock()
      const cache = createCache<{ goodUntil: number }>({ name: 'answers', max: 3, clock })
      const all = steps.map(async ({ key, ttlMs, pass, refresh, fails, leaves }) => {
        const caller = new AbortController()
        clock.advance(pass)
        const asked = clock.monotonic()
        const load = async () => {
          await Promise.resolve()
          if (fails) throw new Error('failed')
          return { value: { goodUntil: clock.monotonic() + ttlMs }, ttlMs }
        }
        if (leaves) queueMicrotask(() => caller.abort())
        const { value, cached } = await cache.getOrLoad(key, load, { refresh, signal: caller.signal })
        if (cached) assert.ok(value.goodUntil > asked && !refresh)
        assert.ok(cache.size <= 3)
      })
      for (const outcome of await Promise.allSettled(all)) {
        if (outcome.status === 'rejected') assert.ok(!(outcome.reason instanceof assert.AssertionError))
      }
    }),
  )
})
