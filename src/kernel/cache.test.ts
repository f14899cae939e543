import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { createTestCache, loads, mustNotLoad, settle, slowLoad } from './cache.fixture.ts'
import { createCache } from './cache.ts'
import { manualClock } from './clock.ts'

test('a value is loaded once and then comes from the cache, with its age', async () => {
  const { cache, clock } = createTestCache()
  const storedAt = clock.now()
  const first = await cache.getOrLoad('k', loads('v'))
  assert.deepEqual(first, { value: 'v', cached: false, storedAt, expiresInMs: 1000 })
  clock.advance(400)
  const second = await cache.getOrLoad('k', mustNotLoad)
  assert.deepEqual(second, { value: 'v', cached: true, storedAt, expiresInMs: 600 })
  assert.deepEqual(cache.get('k'), second)
})

test('each value has its own TTL and is gone after it', async () => {
  const { cache, clock } = createTestCache()
  await cache.getOrLoad('short', loads('s', 100))
  await cache.getOrLoad('long', loads('l', 200))
  clock.advance(99)
  assert.equal(cache.get('short')?.expiresInMs, 1)
  clock.advance(1)
  assert.equal(cache.get('short'), undefined)
  assert.equal(cache.get('long')?.value, 'l')
  assert.equal(cache.size, 1)
})

test('a correction of the wall clock does not change a TTL', async () => {
  const clock = { ...manualClock() }
  const cache = createCache<string>({ name: 'answers', max: 10, clock })
  await cache.getOrLoad('k', loads('v'))
  clock.now = () => 0
  assert.equal(cache.get('k')?.expiresInMs, 1000)
  clock.now = () => Number.MAX_SAFE_INTEGER
  assert.equal(cache.get('k')?.expiresInMs, 1000)
})

test('null and undefined can be cached', async () => {
  const { cache } = createTestCache<null | undefined>()
  await cache.getOrLoad('null', loads(null))
  await cache.getOrLoad('undefined', loads(undefined))
  assert.equal((await cache.getOrLoad('null', mustNotLoad)).value, null)
  assert.equal((await cache.getOrLoad('undefined', mustNotLoad)).value, undefined)
})

for (const ttlMs of [0, -1, Number.NaN]) {
  test(`a value with a TTL of ${ttlMs} is not stored`, async () => {
    const { cache } = createTestCache()
    const { value, expiresInMs } = await cache.getOrLoad('k', loads('v', ttlMs))
    assert.deepEqual([value, expiresInMs, cache.size], ['v', 0, 0])
  })
}

test('the least recently used value is evicted when the cache is full', async () => {
  const { cache } = createTestCache({ max: 2 })
  await cache.getOrLoad('a', loads('a'))
  await cache.getOrLoad('b', loads('b'))
  cache.get('a')
  await cache.getOrLoad('c', loads('c'))
  assert.deepEqual(
    ['a', 'b', 'c'].map((key) => cache.get(key)?.value),
    ['a', undefined, 'c'],
  )
  assert.equal(cache.size, 2)
})

test('a refresh ignores the stored value and replaces it', async () => {
  const { cache } = createTestCache()
  await cache.getOrLoad('k', loads('old'))
  const { value, cached } = await cache.getOrLoad('k', loads('new'), { refresh: true })
  assert.deepEqual([value, cached], ['new', false])
  assert.equal(cache.get('k')?.value, 'new')
})

test('during a refresh other calls get the stored value, and further refreshes join it', async () => {
  const { cache } = createTestCache()
  await cache.getOrLoad('k', loads('old'))
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

test('a failed refresh keeps the stored value', async () => {
  const { cache } = createTestCache()
  await cache.getOrLoad('k', loads('old'))
  await assert.rejects(cache.getOrLoad('k', () => Promise.reject(new Error('failed')), { refresh: true }))
  assert.equal(cache.get('k')?.value, 'old')
})

test('a refreshed value with a TTL of 0 removes the stored one', async () => {
  const { cache } = createTestCache()
  await cache.getOrLoad('k', loads('old'))
  await cache.getOrLoad('k', loads('new', 0), { refresh: true })
  assert.equal(cache.get('k'), undefined)
})

for (const forget of ['delete', 'clear'] as const) {
  test(`${forget} also discards the result of a load under way`, async () => {
    const { cache } = createTestCache()
    await cache.getOrLoad('k', loads('stored'))
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

test('for any sequence of calls, a value is never older than its TTL, and the cache never larger than its maximum', async () => {
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
