import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Reply, startDoor } from '../support/door.ts'
import { testRoutes } from '../support/routes.ts'

const withDoor = async (
  options: Parameters<typeof startDoor>[1],
  check: (door: Awaited<ReturnType<typeof startDoor>>) => Promise<void>,
) => {
  const door = await startDoor(testRoutes, options)
  try {
    await check(door)
  } finally {
    await door.stop()
  }
}
const limitOf = (reply: Reply) => {
  const match = /^"default";r=(\d+);t=(\d+)$/.exec(reply.headers.get('ratelimit') ?? '')
  return match ? { remaining: Number(match[1]), seconds: Number(match[2]) } : undefined
}
const errorOf = (reply: Reply) => (reply.body as { error?: string }).error

test('all counted endpoints share one limit, and every answer has the remaining requests', async () => {
  await withDoor({ rateLimit: 4 }, async (door) => {
    const paths = ['/v1/echo/a', '/v1/kept', '/v1/echo/a?times=99', '/v1/limited']
    for (const [at, path] of paths.entries()) {
      const reply = await door.get(path)
      assert.notEqual(reply.status, 429)
      assert.deepEqual(limitOf(reply), { remaining: 3 - at, seconds: 60 })
    }
    const refused = await door.get('/v1/echo/a')
    assert.deepEqual([refused.status, errorOf(refused)], [429, 'rate_limit_exceeded'])
    assert.deepEqual(limitOf(refused), { remaining: 0, seconds: 60 })
    assert.equal(refused.headers.get('retry-after'), '60')
    assert.match(refused.text, /ask again in 60 s/)
    assert.equal(errorOf(await door.get('/v1/limited')), 'rate_limited')
    const preflight = await door.get('/v1/echo/a', { method: 'OPTIONS' })
    assert.equal(preflight.status, 204)
  })
})

test('a client that waits for Retry-After is served', async () => {
  await withDoor({ rateLimit: 2 }, async (door) => {
    await door.get('/v1/kept')
    door.clock.advance(20_500)
    await door.get('/v1/kept')
    const refused = await door.get('/v1/kept')
    assert.equal(refused.headers.get('retry-after'), '40')
    door.clock.advance(39_000)
    assert.equal((await door.get('/v1/kept')).status, 429)
    door.clock.advance(1_000)
    assert.equal((await door.get('/v1/kept')).status, 200)
    assert.equal((await door.get('/v1/kept')).status, 429)
  })
})

test('free endpoints and unknown paths are never counted or limited', async () => {
  await withDoor({ rateLimit: 1 }, async (door) => {
    for (let at = 0; at < 5; at++) {
      const reply = await door.get('/free')
      assert.deepEqual([reply.status, limitOf(reply)], [200, undefined])
      await door.get('/unknown')
    }
    assert.equal((await door.get('/v1/kept')).status, 200)
  })
})

test('a forged X-Forwarded-For does not reset the count', async () => {
  await withDoor({ rateLimit: 2 }, async (door) => {
    const statuses: number[] = []
    for (const claimed of ['1.1.1.1', '2.2.2.2', '3.3.3.3']) {
      statuses.push((await door.get('/v1/kept', { headers: { 'x-forwarded-for': claimed } })).status)
    }
    assert.deepEqual(statuses, [200, 200, 429])
  })
})

test('behind a trusted proxy each client has its own count, whatever it forges', async () => {
  await withDoor({ rateLimit: 1, trustedProxies: ['127.0.0.0/8'] }, async (door) => {
    const from = async (forwarded: string) =>
      (await door.get('/v1/kept', { headers: { 'x-forwarded-for': forwarded } })).status
    assert.equal(await from('203.0.113.1'), 200)
    assert.equal(await from('203.0.113.2'), 200)
    assert.equal(await from('9.9.9.9, 203.0.113.1'), 429)
    assert.equal(await from('2001:db8::1'), 200)
    assert.equal(await from('2001:db8::ffff'), 429)
    assert.equal(await from('2001:db8:0:1::1'), 200)
  })
})

test('an IPv4 client is the same client on a dual-stack listener', async () => {
  await withDoor({ rateLimit: 1, host: '::' }, async (door) => {
    assert.equal((await door.get('/v1/kept')).status, 200)
    assert.equal((await door.get('/v1/kept')).status, 429)
  })
})

test('without a limit nothing is rejected, and no answer has rate limit headers', async () => {
  await withDoor({ rateLimit: 'off' }, async (door) => {
    for (let at = 0; at < 200; at++) {
      const reply = await door.get('/v1/kept')
      assert.equal(reply.status, 200)
      for (const name of ['ratelimit', 'ratelimit-policy', 'retry-after']) assert.ok(!reply.headers.has(name), name)
    }
  })
})

test('a limit above 65,535 is reported and counted correctly', async () => {
  await withDoor({ rateLimit: 100_000_000 }, async (door) => {
    const reply = await door.get('/v1/kept')
    assert.equal(reply.headers.get('ratelimit-policy'), '"default";q=100000000;w=60')
    assert.deepEqual(limitOf(reply), { remaining: 99_999_999, seconds: 60 })
  })
})

test('a client that goes on asking above its limit is refused more slowly; others are not', async () => {
  const waits: number[] = []
  const options = {
    rateLimit: 1,
    trustedProxies: ['127.0.0.1'],
    refusalWait: async (ms: number) => void waits.push(ms),
  }
  await withDoor(options, async (door) => {
    const ask = (address: string) => door.get('/v1/kept', { headers: { 'x-forwarded-for': address } })
    for (let at = 0; at < 21; at++) await ask('192.0.2.1')
    assert.equal(waits.length, 0)
    const late = await ask('192.0.2.1')
    assert.deepEqual([late.status, waits.length], [429, 1])
    await ask('192.0.2.2')
    assert.equal((await ask('192.0.2.2')).status, 429)
    assert.equal(waits.length, 1)
  })
})
