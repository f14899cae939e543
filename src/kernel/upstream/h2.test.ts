import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  createSecureServer,
  type Http2ServerRequest,
  type Http2ServerResponse,
  type ServerHttp2Session,
} from 'node:http2'
import type { AddressInfo, Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { CERTIFICATE, failing, KEY, serveTls, upstreamFor } from './loopback.fixture.ts'

type Listener = (request: Http2ServerRequest, response: Http2ServerResponse) => void

/** A server for HTTP/2, with a fallback to HTTP/1.1. */
async function serveH2(t: TestContext, listener: Listener) {
  const sessions = new Set<ServerHttp2Session>()
  let opened = 0
  const server = createSecureServer({ key: KEY, cert: CERTIFICATE, allowHTTP1: true }, listener)
  const sockets = new Set<Socket>()
  server.on('connection', (socket: Socket) => sockets.add(socket.once('close', () => sockets.delete(socket))))
  server.on('session', (session) => {
    opened++
    sessions.add(session.on('error', () => {}))
    session.once('close', () => sessions.delete(session))
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    for (const socket of sockets) socket.destroy()
    server.close()
    await once(server, 'close')
  })
  const { port } = server.address() as AddressInfo
  return { url: `https://upstream.test:${port}/`, sessions, opened: () => opened }
}

const trusting = { ca: CERTIFICATE, connections: 50, maxQueue: 500 }

test('all requests to an HTTP/2 server use one connection', async (t) => {
  const { url, opened } = await serveH2(t, (request, response) => {
    setImmediate(() => response.end(`${request.httpVersion} ${request.url}`))
  })
  const { request } = upstreamFor(t, trusting)
  const answers = await Promise.all(Array.from({ length: 120 }, (_, at) => request({ url: `${url}${at}` })))
  answers.forEach((answer, at) => assert.equal(answer.text(), `2.0 /${at}`))
  assert.equal(opened(), 1)
})

test('requests to an HTTP/1.1 server use up to the maximum number of connections', async (t) => {
  const ports = new Set<number | undefined>()
  const held: (() => void)[] = []
  const port = await serveTls(t, (request, response) => {
    ports.add(request.socket.remotePort)
    held.push(() => response.end())
    if (held.length === 4) held.splice(0).forEach((answer) => answer())
  })
  const { request } = upstreamFor(t, { ca: CERTIFICATE, connections: 4 })
  await Promise.all(Array.from({ length: 8 }, () => request({ url: `https://upstream.test:${port}/` })))
  assert.equal(ports.size, 4)
})

test('the concurrency limit holds over HTTP/2', async (t) => {
  let underWay = 0
  let most = 0
  const { url } = await serveH2(t, (_request, response) => {
    most = Math.max(most, ++underWay)
    setImmediate(() => {
      underWay--
      response.end()
    })
  })
  const { request } = upstreamFor(t, { ca: CERTIFICATE, connections: 3, maxQueue: 100 })
  await Promise.all(Array.from({ length: 30 }, () => request({ url })))
  assert.ok(most <= 3, `${most} at once`)
})

test('over HTTP/2 an endless body is ended, and other streams of the connection are not', async (t) => {
  const { url, opened } = await serveH2(t, (request, response) => {
    if (request.url === '/fine') return void setImmediate(() => response.end('fine'))
    const send = () => void (response.stream.destroyed || response.write('x'.repeat(5000), () => setImmediate(send)))
    send()
  })
  const { request } = upstreamFor(t, { ...trusting, maxBytes: 20_000 })
  const endless = assert.rejects(request({ url }), failing('unavailable', /larger than 20000/))
  assert.equal((await request({ url: `${url}fine` })).text(), 'fine')
  await endless
  assert.equal((await request({ url: `${url}fine` })).text(), 'fine')
  assert.equal(opened(), 1)
})

test('over HTTP/2 a silent response times out, and the connection stays open', async (t) => {
  const { url, opened } = await serveH2(
    t,
    (request, response) => void (request.url === '/fine' && response.end('fine')),
  )
  const { request } = upstreamFor(t, trusting)
  assert.equal((await request({ url: `${url}fine` })).text(), 'fine')
  await assert.rejects(request({ url, timeoutMs: 1 }), failing('timeout'))
  assert.equal((await request({ url: `${url}fine` })).text(), 'fine')
  assert.equal(opened(), 1)
})

test('over HTTP/2 an abort rejects with its own reason', async (t) => {
  const { url } = await serveH2(t, () => {})
  const { request } = upstreamFor(t, trusting)
  const controller = new AbortController()
  const asking = request({ url, signal: controller.signal })
  setImmediate(() => controller.abort(new Error('changed my mind')))
  await assert.rejects(asking, { message: 'changed my mind' })
})

test('a reset stream is unavailable, and so are all requests of a connection that ends', async (t) => {
  const { url, sessions } = await serveH2(t, (request, response) => {
    if (request.url === '/reset') response.stream.close(2)
    else if (request.url === '/cut') response.write('half', () => response.stream.close(2))
    else if (request.url === '/end') sessions.forEach((session) => session.destroy())
    else if (request.url === '/fine') response.end('fine')
  })
  const { request } = upstreamFor(t, trusting)
  await assert.rejects(request({ url: `${url}reset` }), { failure: 'unavailable', broken: true })
  await assert.rejects(request({ url: `${url}cut` }), { failure: 'unavailable', broken: true })
  assert.equal((await request({ url: `${url}fine` })).text(), 'fine')
  const lost = Array.from({ length: 5 }, () => assert.rejects(request({ url: `${url}hang` }), failing('unavailable')))
  await assert.rejects(request({ url: `${url}end` }), failing('unavailable'))
  await Promise.all(lost)
  assert.equal((await request({ url: `${url}fine` })).text(), 'fine')
})

test('over HTTP/2 Retry-After, redirects and compressed bodies work as over HTTP/1.1', async (t) => {
  const { url } = await serveH2(t, (request, response) => {
    if (request.url === '/often') response.writeHead(429, { 'retry-after': '7' }).end()
    else if (request.url === '/there') response.end('there')
    else response.writeHead(302, { location: '/there' }).end()
  })
  const { request } = upstreamFor(t, trusting)
  assert.equal((await request({ url, redirects: 1 })).text(), 'there')
  await assert.rejects(request({ url: `${url}often` }), { failure: 'rate_limited', retryAfterMs: 7000 })
})
