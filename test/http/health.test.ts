import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { health } from '../../src/health/contract.ts'
import { healthRoutes } from '../../src/health/routes.ts'
import { startDoor } from '../support/door.ts'

describe('health', () => {
  let door: Awaited<ReturnType<typeof startDoor>>
  let cached = 7
  before(async () => {
    const routes = healthRoutes({ version: '9.8.7', tlds: ['com', 'net'], cacheSize: () => cached })
    door = await startDoor(routes, { rateLimit: 1 })
  })
  after(() => door.stop())

  test('has status, version, number of TLDs and cache size', async () => {
    const { status, body, headers } = await door.get('/health')
    assert.equal(status, 200)
    assert.deepEqual(body, { status: 'ok', version: '9.8.7', tlds: 2, cacheStats: { size: 7 } })
    assert.equal(headers.has('deprecation'), false)
  })
  test('has the current cache size', async () => {
    cached = 8
    const { body } = await door.get('/health')
    assert.deepEqual((body as { cacheStats: unknown }).cacheStats, { size: 8 })
    cached = 7
  })
  test('the legacy format lists the TLDs and is marked as deprecated', async () => {
    for (const value of ['true', '1', '%20true%20']) {
      const { status, body, headers } = await door.get(`/health?legacy=${value}`)
      assert.equal(status, 200)
      assert.deepEqual(body, { status: 'ok', version: '9.8.7', tlds: ['com', 'net'], cacheStats: { size: 7 } })
      assert.ok(headers.has('deprecation'))
      assert.match(headers.get('link') ?? '', /<\/health>; rel="successor-version"/)
    }
  })
  test('legacy=false, legacy=0 and an empty value give the current format', async () => {
    for (const query of ['legacy=false', 'legacy=0', 'legacy=', 'legacy']) {
      assert.equal(((await door.get(`/health?${query}`)).body as { tlds: unknown }).tlds, 2, query)
    }
  })
  test('any other value of legacy is rejected', async () => {
    for (const query of ['legacy=maybe', 'legacy=TRUE', 'legacy=true&legacy=true']) {
      const { status, body } = await door.get(`/health?${query}`)
      assert.deepEqual([status, (body as { error: string }).error], [400, 'invalid_parameter'], query)
      assert.match((body as { message: string }).message, /^legacy /)
    }
  })
  test('is never rate-limited', async () => {
    for (let asked = 0; asked < 5; asked++) assert.equal((await door.get('/health')).status, 200)
  })
  test('the example of the contract matches its schema', () => {
    assert.deepEqual(health.output.parse(health.example.output), health.example.output)
  })
})
