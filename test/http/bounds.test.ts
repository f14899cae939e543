import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import type { Socket } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import * as z from 'zod'
import { createCache } from '../../src/kernel/cache.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { createConcurrencyLimit } from '../../src/kernel/concurrency-limit.ts'
import { endpoint, route } from '../../src/kernel/endpoint.ts'
import { estimateBytes } from '../../src/kernel/estimate-bytes.ts'
import { createMemoryRateLimiter } from '../../src/kernel/rate-limit.ts'
import { createConnections } from '../../src/surfaces/http/connections.ts'
import { type DoorOptions, startDoor } from '../support/door.ts'
import { echo, testRoutes } from '../support/routes.ts'
import { open, readAll } from '../support/wire.ts'

const MEGABYTE = 1024 * 1024

function assertOverloaded({ status, headers, body }: { status: number; headers: Headers; body: unknown }): void {
  assert.deepEqual([status, (body as { error: string }).error], [503, 'service_unavailable'])
  assert.equal(headers.get('retry-after'), '1')
}

async function start(context: TestContext, routes: Parameters<typeof startDoor>[0], options: DoorOptions = {}) {
  const door = await startDoor([...testRoutes, ...routes], options)
  context.after(() => door.stop())
  return door
}

describe('above a bound a request gets 503 with Retry-After', () => {
  test('requests served at once; health is still answered', async (context) => {
    const done = Promise.withResolvers<void>()
    const slow = endpoint({ ...echo, name: 'slow', path: '/v1/slow/{word}' })
    const waits = route(slow, async ({ word }) => {
      await done.promise
      return { said: [word] }
    })
    const door = await start(context, [waits], { maxRequests: 2 })
    const served = [door.get('/v1/slow/a'), door.get('/v1/slow/b')]
    while (!(await door.get('/v1/echo/c').then(({ status }) => status === 503))) await door.get('/free')
    assertOverloaded(await door.get('/v1/echo/c'))
    assert.equal((await door.get('/free')).status, 200)
    done.resolve()
    assert.deepEqual(
      (await Promise.all(served)).map(({ status }) => status),
      [200, 200],
    )
    assert.equal((await door.get('/v1/echo/c')).status, 200)
  })

  test('bodies of all requests together, and they are freed when the clients leave', async (context) => {
    const large = endpoint({
      ...echo,
      name: 'large',
      method: 'POST',
      path: '/v1/large',
      maxBodyBytes: MEGABYTE,
      input: z.object({ name: z.string().meta({ description: 'A name.' }) }),
      complaints: {},
      example: { input: { name: 'a' }, output: { said: ['a'] } },
    })
    const door = await start(context, [route(large, ({ name }) => ({ said: [name] }))])
    const head = `POST /v1/large HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${MEGABYTE}\r\n\r\n`
    // Each sends all but the last byte of its body.
    const almost = Buffer.concat([Buffer.from(head), Buffer.alloc(MEGABYTE - 1, 'x')])
    const sockets = await Promise.all(Array.from({ length: 70 }, () => open(door.port)))
    const answers = sockets.map(async (socket) => {
      const [data] = (await once(socket, 'data')) as [Buffer]
      return data.toString()
    })
    for (const socket of sockets) socket.on('error', () => {}).write(almost)
    const refused = await Promise.any(answers)
    assert.match(refused, /^HTTP\/1\.1 503[\s\S]*\r\nRetry-After: 1\r\n/)
    for (const answer of answers) answer.catch(() => {})
    const closed = sockets.map((socket) => readAll(socket).catch(() => {}))
    for (const socket of sockets) socket.destroy()
    await Promise.all(closed)
    const body = JSON.stringify({ name: 'a' })
    const headers = { 'content-type': 'application/json' }
    let reply = await door.get('/v1/large', { method: 'POST', headers, body })
    // The service hears of the closed connections a moment later.
    while (reply.status === 503) reply = await door.get('/v1/large', { method: 'POST', headers, body })
    assert.equal(reply.status, 200)
  })

  test('a full queue and too many concurrent lookups, whatever the endpoint fails as', async (context) => {
    const limit = createConcurrencyLimit({ name: 'tests', maxConcurrent: 1, maxQueue: 0 })
    const cache = createCache<string>({ name: 'tests', max: 10, maxConcurrentLoads: 1, clock: manualClock() })
    const never = () => new Promise<never>(() => {})
    void limit.run(never)
    void cache.getOrLoad('first', never)
    const failsAs = { code: 'check_failed', status: 500 } as const
    const queued = endpoint({ ...echo, name: 'queued', path: '/v1/queued/{word}', failsAs })
    const loaded = endpoint({ ...echo, name: 'loaded', path: '/v1/loaded/{word}', failsAs })
    const door = await start(context, [
      route(queued, () => limit.run(async () => ({ said: [] }))),
      route(loaded, async () => ({ said: [(await cache.getOrLoad('second', never)).value] })),
    ])
    assertOverloaded(await door.get('/v1/queued/a'))
    assertOverloaded(await door.get('/v1/loaded/a'))
  })
})

describe('stores stay within their bounds', () => {
  test('a cache is bounded by the size of its values, not only by their number', () => {
    const cache = createCache<string>({ name: 'tests', max: 10_000, maxBytes: MEGABYTE, clock: manualClock() })
    for (let at = 0; at < 1_000; at++) cache.set(`name-${at}`, { value: 'x'.repeat(10_000), ttlMs: 60_000 })
    assert.ok(cache.size > 80 && cache.size <= 105, `${cache.size} values of 10 KB in 1 MB`)
    assert.ok(cache.get('name-999'))
    cache.set('huge', { value: 'x'.repeat(2 * MEGABYTE), ttlMs: 60_000 })
    assert.equal(cache.get('huge'), undefined)
    assert.ok(cache.get('name-999'), 'a value that is too large evicts no other')
  })

  test('the estimate grows with texts, lists, bytes and depth, and ends for a cycle', () => {
    const cycle: Record<string, unknown> = {}
    cycle['self'] = cycle
    assert.ok(estimateBytes(cycle) > MEGABYTE)
    for (const large of [
      'x'.repeat(1_000),
      Buffer.alloc(1_000),
      Array(125).fill(0),
      new Map([['a', 'x'.repeat(1_000)]]),
    ]) {
      assert.ok(estimateBytes({ a: [{ b: large }] }) >= 1_000)
      assert.ok(estimateBytes({ a: [{ b: large }] }) < 4_000)
    }
  })

  test('the rate limiter forgets clients beyond its number of slots', () => {
    const limiter = createMemoryRateLimiter({ quota: 60, clock: manualClock(), maxClients: 500 })
    for (let at = 0; at < 5_000; at++) void limiter.take(`client-${at}`)
    assert.equal(limiter.size, 500)
  })

  test('unread answers beyond their total are cut before their time, those being read are not', () => {
    const limits = {
      connectionsPerClient: 100,
      unreadMs: 30_000,
      keepAliveMs: 65_000,
      checkMs: 2_000,
      unreadBytes: 10 * MEGABYTE,
    }
    const connections = createConnections(limits, () => false)
    const cut = new Set<number>()
    const sockets = Array.from({ length: 20 }, (_, at) => {
      const handle = { writeQueueSize: MEGABYTE }
      const remoteAddress = `192.0.2.${at}`
      const socket = Object.assign(new EventEmitter(), { remoteAddress, _handle: handle, destroy: () => cut.add(at) })
      connections.add(socket as unknown as Socket)
      return socket
    })
    assert.equal(connections.check(), 0)
    sockets[19]!._handle.writeQueueSize -= 1
    assert.equal(connections.check(), 9)
    assert.ok(!cut.has(19))
  })
})
