import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { taken, startAvailability, errorOf, type SeveralResults } from './availability.fixture.ts'

describe('GET /check, for old clients', () => {
  test('answers 503 when too many requests run at once', async (t) => {
    const door = await startAvailability(t, {})
    const somebodyElse = Promise.withResolvers<void>()
    const underWay = door.legacyLimit.run(() => somebodyElse.promise)
    assert.deepEqual(errorOf(await door.get('/check?name=shop')), [503, 'service_unavailable'])
    somebodyElse.resolve()
    await underWay
    assert.equal((await door.get('/check?name=shop')).status, 200)
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
