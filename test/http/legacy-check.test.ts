import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { taken, startAvailability, errorOf, type SeveralResults } from './availability.fixture.ts'

describe('GET /check, for old clients', () => {
  const from = (address: string) => ({ headers: { 'x-forwarded-for': address } })

  test('one runs and two wait per client; a further one is 503 with Retry-After, and other clients are served', async (t) => {
    const answers = Promise.withResolvers<void>()
    const door = await startAvailability(t, {}, { trustedProxies: ['127.0.0.1'], until: answers.promise })
    const asking = ['a', 'b', 'c'].map((name) => door.get(`/check?name=${name}`, from('198.51.100.7')))
    while (door.asked.length === 0) await new Promise(setImmediate)
    const refused = await door.get('/check?name=d', from('198.51.100.7'))
    assert.deepEqual(errorOf(refused), [503, 'service_unavailable'])
    assert.equal(refused.headers.get('retry-after'), '5')
    assert.ok(!door.lines.some((line) => JSON.stringify(line).includes('198.51.100.7')), 'the log names no client')
    const other = door.get('/check?name=e', from('203.0.113.9'))
    while (!door.asked.some((query) => query.startsWith('dns e.'))) await new Promise(setImmediate)
    assert.ok(!door.asked.some((query) => query.startsWith('dns b.')), 'the second of the first client waits')
    answers.resolve()
    assert.deepEqual(
      (await Promise.all([...asking, other])).map(({ status }) => status),
      [200, 200, 200, 200],
    )
    assert.equal((await door.get('/check?name=d', from('198.51.100.7'))).status, 200)
  })

  test('a turn that does not come within half of the deadline is 503 with Retry-After', async (t) => {
    const answers = Promise.withResolvers<void>()
    const late = Promise.withResolvers<void>()
    const maxWaits: number[] = []
    const sleep = (ms: number) => {
      maxWaits.push(ms)
      return late.promise
    }
    const door = await startAvailability(t, {}, { until: answers.promise, sleep })
    const first = door.get('/check?name=a')
    while (door.asked.length === 0) await new Promise(setImmediate)
    const waiting = ['b', 'c'].map((name) => door.get(`/check?name=${name}`))
    while (maxWaits.length < 3) await new Promise(setImmediate)
    late.resolve()
    for (const refused of await Promise.all(waiting)) {
      assert.deepEqual(errorOf(refused), [503, 'service_unavailable'])
      assert.equal(refused.headers.get('retry-after'), '5')
    }
    assert.deepEqual(maxWaits, [15_000, 15_000, 15_000])
    answers.resolve()
    assert.equal((await first).status, 200)
  })

  test('the deadline is for the whole request: TLDs not checked by then are unknown, and nobody is asked about them', async (t) => {
    const door = await startAvailability(
      t,
      { 'shop.com': taken },
      {
        onQuery: (source, domain) => {
          if (source === 'dns' && domain === 'shop.com') door.clock.advance(30_000)
        },
      },
    )
    const { status, body } = await door.get('/check?name=shop')
    const { results, totalMs } = body as SeveralResults
    assert.deepEqual([status, results.length, totalMs], [200, 511, 30_000])
    const asked = new Set(door.asked.map((query) => query.split(' ')[1]))
    assert.ok(asked.size < 100, `${asked.size} TLDs were asked about`)
    assert.ok(door.turns.count < 100, `${door.turns.count} turns of the event loop`)
    for (const result of results.filter(({ domain }) => !asked.has(domain)))
      assert.deepEqual([result.available, result.status], [false, ['unknown']])
    assert.deepEqual(results.find(({ domain }) => domain === 'shop.com')!.status, ['registered'])
  })

  test('its registry queries have low priority and the lane of its client', async (t) => {
    const door = await startAvailability(t, {}, { trustedProxies: ['127.0.0.1'] })
    await door.get('/check?name=a', from('198.51.100.7'))
    assert.equal(door.turns.count, 511, 'one TLD in each turn of the event loop')
    assert.ok(door.queries.every(({ lane, lowPriority }) => lane === '198.51.100.7' && lowPriority === true))
  })

  test('checks every TLD and is not rate-limited', async (t) => {
    const door = await startAvailability(t, { 'shop.com': taken }, { rateLimit: 1 })
    for (let at = 0; at < 2; at++) {
      const reply = await door.get('/check?name=shop')
      const { name, results, totalMs } = reply.body as SeveralResults
      assert.deepEqual([reply.status, name, results.length, totalMs], [200, 'shop', 511, 0])
      assert.deepEqual(Object.keys(results[0]!), [
        'domain',
        'tld',
        'available',
        'status',
        'premium',
        'source',
        'checkedAt',
        'responseMs',
      ])
    }
    assert.deepEqual(errorOf(await door.get('/check')), [400, 'missing_parameter'])
    assert.match((await door.get('/check?name=shop')).headers.get('link')!, /<\/v1\/check>/)
  })
})
