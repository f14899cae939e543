import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { UpstreamError } from '../errors.ts'
import { failing, serve, upstreamFor } from './loopback.fixture.ts'

test('a host gets at most the allowed number of concurrent requests, and all requests are served', async (t) => {
  const held: (() => void)[] = []
  let most = 0
  const port = await serve(t, (_request, response) => {
    held.push(() => response.end('ok'))
    most = Math.max(most, held.length)
    // All wait for the third; one too many would arrive meanwhile and be counted.
    if (held.length === 3) setImmediate(() => setImmediate(() => held.splice(0).forEach((answer) => answer())))
  })
  const { request } = upstreamFor(t, { connections: 3, maxQueue: 100, timeoutMs: 10_000 })
  const replies = await Promise.all(Array.from({ length: 30 }, () => request({ url: `http://127.0.0.1:${port}/` })))
  assert.ok(replies.every(({ status }) => status === 200))
  assert.equal(most, 3)
})

test('when the queue of a host is full, further requests fail at once; other hosts are not affected', async (t) => {
  const held = Promise.withResolvers<void>()
  const busy = await serve(t, (_request, response) => void held.promise.then(() => response.end('late')))
  const free = await serve(t, (_request, response) => void response.end('free'))
  const { request } = upstreamFor(t, { connections: 1, maxQueue: 1 })
  const waiting = [request({ url: `http://127.0.0.1:${busy}/` }), request({ url: `http://127.0.0.1:${busy}/` })]
  await assert.rejects(request({ url: `http://127.0.0.1:${busy}/` }), failing('unavailable', /too many requests/))
  assert.equal((await request({ url: `http://127.0.0.1:${free}/` })).text(), 'free')
  held.resolve()
  await Promise.all(waiting)
})

test('an aborted request frees its place in the queue', async (t) => {
  const held = Promise.withResolvers<void>()
  const port = await serve(t, (_request, response) => void held.promise.then(() => response.end('late')))
  const { request } = upstreamFor(t, { connections: 1, maxQueue: 1 })
  const url = `http://127.0.0.1:${port}/`
  const first = request({ url })
  const impatient = new AbortController()
  const leaving = request({ url, signal: impatient.signal })
  impatient.abort(new Error('gone'))
  await assert.rejects(leaving, /gone/)
  const second = request({ url })
  held.resolve()
  assert.deepEqual([(await first).text(), (await second).text()], ['late', 'late'])
})

test('connections are reused', async (t) => {
  const ports = new Set<number | undefined>()
  const port = await serve(t, (request, response) => void (ports.add(request.socket.remotePort), response.end('ok')))
  const { request } = upstreamFor(t, { connections: 1 })
  for (let i = 0; i < 5; i++) await request({ url: `http://127.0.0.1:${port}/` })
  assert.equal(ports.size, 1)
})

for (const [status, first] of [
  [429, 'rate_limited'],
  [503, 'unavailable'],
] as const) {
  test(`a ${status} with Retry-After stops requests to its host until the time has passed`, async (t) => {
    let hits = 0
    let answer: number = status
    const port = await serve(t, (_request, response) => {
      hits++
      response.writeHead(answer, { 'retry-after': '30' }).end('ok')
    })
    const other = await serve(t, (_request, response) => void response.end('other'))
    const { request, clock, observations } = upstreamFor(t)
    const url = `http://127.0.0.1:${port}/`
    const refused = (failure: string, retryAfterMs: number) => (error: UpstreamError) =>
      error.failure === failure && error.retryAfterMs === retryAfterMs
    await assert.rejects(request({ url }), refused(first, 30_000))
    clock.advance(10_000)
    await assert.rejects(request({ url }), refused('rate_limited', 20_000))
    assert.equal(hits, 1)
    assert.equal((await request({ url: `http://127.0.0.1:${other}/` })).text(), 'other')
    clock.advance(20_000)
    answer = 200
    assert.equal((await request({ url })).text(), 'ok')
    assert.deepEqual(
      observations.map(({ outcome }) => outcome),
      [first, 'rate_limited', 200, 200],
    )
  })
}

test('a 429 without Retry-After does not stop requests to its host', async (t) => {
  let hits = 0
  const port = await serve(
    t,
    (_request, response) => void (hits++, response.writeHead(429, { 'retry-after': 'later' }).end()),
  )
  const { request } = upstreamFor(t)
  for (let i = 0; i < 2; i++) {
    await assert.rejects(
      request({ url: `http://127.0.0.1:${port}/` }),
      (error: UpstreamError) => error.retryAfterMs === undefined,
    )
  }
  assert.equal(hits, 2)
})

test('a queued request is rejected, not sent, when the host sends Retry-After', async (t) => {
  let hits = 0
  const port = await serve(
    t,
    (_request, response) => void (hits++, response.writeHead(429, { 'retry-after': '30' }).end()),
  )
  const { request } = upstreamFor(t, { connections: 1 })
  const asking = Array.from({ length: 5 }, () => request({ url: `http://127.0.0.1:${port}/` }))
  for (const outcome of await Promise.allSettled(asking)) {
    assert.equal(outcome.status === 'rejected' && outcome.reason.failure, 'rate_limited')
  }
  assert.equal(hits, 1)
})
