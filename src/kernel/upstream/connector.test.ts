import assert from 'node:assert/strict'
import { EventEmitter, on, once } from 'node:events'
import { createSecureServer } from 'node:http2'
import { createServer as createTlsServer } from 'node:https'
import type { Server, Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import type { TLSSocket } from 'node:tls'
import { manualClock } from '../clock.ts'
import { createHostAddresses } from './host-addresses.ts'
import { CERTIFICATE, failing, KEY, openForTest, serve, serveRaw, upstreamFor } from './loopback.fixture.ts'

const HOST = 'upstream.test'
const trusting = { ca: CERTIFICATE, connections: 20, maxQueue: 100 }

/** A TLS server that closes each connection after its answer, and reports every handshake. */
async function serveHandshakes(t: TestContext, protocol: 'h1' | 'h2' = 'h1', keepsOpen = false) {
  const sockets = new Set<Socket>()
  const reused: boolean[] = []
  const events = new EventEmitter()
  const certificate = { key: KEY, cert: CERTIFICATE }
  const answer = (_request: object, response: { setHeader(name: string, value: string): void; end(): void }) => {
    if (!keepsOpen && protocol === 'h1') response.setHeader('connection', 'close')
    response.end()
  }
  const server: Server =
    protocol === 'h1' ? createTlsServer(certificate, answer) : createSecureServer(certificate, answer)
  server.on('secureConnection', (socket: TLSSocket) => {
    reused.push(socket.isSessionReused())
    events.emit('handshake')
  })
  const port = await openForTest(t, server, sockets)
  /** Resolves after this many handshakes. */
  const handshakes = async (count: number): Promise<void> => {
    if (reused.length >= count) return
    for await (const _ of on(events, 'handshake')) if (reused.length >= count) return
  }
  const url = new URL(`https://${HOST}:${port}/`)
  return { url, reused, handshakes, sockets }
}

test('a second connection to a host resumes the TLS session of the first', async (t) => {
  const { url, reused } = await serveHandshakes(t)
  const { request } = upstreamFor(t, trusting)
  for (let at = 0; at < 3; at++) await request({ url })
  assert.deepEqual(reused, [false, true, true])
})

test('a TLS session is not resumed after an hour, nor by another upstream', async (t) => {
  const { url, reused } = await serveHandshakes(t)
  const { request, clock } = upstreamFor(t, trusting)
  await request({ url })
  clock.advance(3_600_000)
  await request({ url })
  await upstreamFor(t, trusting).request({ url })
  assert.deepEqual(reused, [false, false, false])
})

test('a request uses a connection that was opened ahead', async (t) => {
  const { url, reused, handshakes } = await serveHandshakes(t, 'h1', true)
  const { request, prepare } = upstreamFor(t, trusting)
  prepare(url, 1)
  await handshakes(1)
  await request({ url })
  assert.equal(reused.length, 1)
})

test('connections over HTTP/1.1 are opened for all requests, up to the limit of the host', async (t) => {
  const { url, reused, handshakes } = await serveHandshakes(t, 'h1', true)
  const { request, prepare } = upstreamFor(t, { ...trusting, connections: 5 })
  prepare(url, 500)
  await handshakes(5)
  prepare(url, 500)
  await Promise.all(Array.from({ length: 20 }, () => request({ url })))
  assert.equal(reused.length, 5)
})

test('connections for requests that start together resume the TLS session of the first', async (t) => {
  // The session is waited for only for a moment, which could be too short on a busy machine.
  t.mock.timers.enable({ apis: ['setTimeout'] })
  const { url, reused } = await serveHandshakes(t, 'h1', true)
  const { request, prepare } = upstreamFor(t, trusting)
  prepare(url, 4)
  await Promise.all(Array.from({ length: 8 }, () => request({ url })))
  assert.deepEqual(reused, [false, ...Array.from({ length: 7 }, () => true)])
})

test('a request that follows an answer over HTTP/1.1 uses its connection', async (t) => {
  const { url, reused } = await serveHandshakes(t, 'h1', true)
  const { request } = upstreamFor(t, trusting)
  const oneAfterAnother = async () => {
    for (let at = 0; at < 8; at++) await request({ url })
  }
  await Promise.all([oneAfterAnother(), oneAfterAnother(), oneAfterAnother()])
  assert.equal(reused.length, 3)
})

test('over HTTP/1.1 there are as many concurrent requests as connections, over HTTP/2 as many as are allowed', async (t) => {
  const limits = { ...trusting, connections: 20, http1Connections: 10 }
  const [http1, http2] = [await serveHandshakes(t, 'h1', true), await serveHandshakes(t, 'h2')]
  const { request, prepare, maxConcurrent } = upstreamFor(t, limits)
  assert.equal(maxConcurrent(http1.url.host), 20, 'unknown')
  await Promise.all([request({ url: http1.url }), request({ url: http2.url })])
  assert.equal(maxConcurrent(http2.url.host), 20)
  assert.equal(maxConcurrent(http1.url.host), 5, 'half of them are opened when they are needed')
  prepare(http1.url, 8)
  assert.equal(maxConcurrent(http1.url.host), 8)
  prepare(http1.url, 500)
  assert.equal(maxConcurrent(http1.url.host), 10)
  await http1.handshakes(10)
})

test('one connection is opened to a server with HTTP/2, however many requests follow', async (t) => {
  const { url, reused, handshakes } = await serveHandshakes(t, 'h2')
  const { request, prepare } = upstreamFor(t, trusting)
  prepare(url, 50)
  await handshakes(1)
  prepare(url, 50)
  await Promise.all(Array.from({ length: 50 }, () => request({ url })))
  assert.equal(reused.length, 1)
})

test('a request takes over a connection that is still being opened, with its failure', async (t) => {
  const port = await serveRaw(t, (socket) => socket.destroy())
  const { request, prepare } = upstreamFor(t, trusting)
  const url = new URL(`https://${HOST}:${port}/`)
  prepare(url, 1)
  await assert.rejects(request({ url }), failing('unavailable'))
})

test('a connection opened ahead that the server has closed is not used', async (t) => {
  const { url, reused, handshakes, sockets } = await serveHandshakes(t, 'h1', true)
  const { request, prepare } = upstreamFor(t, trusting)
  prepare(url, 1)
  await handshakes(1)
  const [socket] = sockets
  socket!.end()
  await once(socket!, 'close')
  assert.equal((await request({ url })).status, 200)
  assert.equal(reused.length, 2)
})

test('closing the upstream closes connections opened ahead', async (t) => {
  const { url, handshakes, sockets } = await serveHandshakes(t, 'h1', true)
  const { prepare, close } = upstreamFor(t, trusting)
  prepare(url, 3)
  await handshakes(3)
  const closed = [...sockets].map((socket) => once(socket, 'close'))
  await close()
  await Promise.all(closed)
  prepare(url, 3)
  assert.equal(sockets.size, 0)
})

test('nothing is opened ahead to an address that is not allowed, or to a host that asked to be left alone', async (t) => {
  let connections = 0
  let lookups = 0
  const port = await serve(t, (_request, response) => {
    response.writeHead(429, { 'retry-after': '60', connection: 'close' }).end()
  })
  const inside = await serveRaw(t, () => void connections++)
  const { request, prepare } = upstreamFor(t, {
    lookup(hostname, _options, callback) {
      lookups++
      callback(null, [{ address: hostname === 'inside.test' ? '127.0.0.2' : '127.0.0.1', family: 4 }])
    },
  })
  prepare(new URL(`http://inside.test:${inside}/`), 1)
  prepare(new URL(`http://127.0.0.2:${inside}/`), 1)
  await assert.rejects(request({ url: `http://inside.test:${inside}/` }), failing('unavailable', /refused/))
  assert.equal(connections, 0)

  const url = new URL(`http://${HOST}:${port}/`)
  await assert.rejects(request({ url }), failing('rate_limited'))
  const lookupsBefore = lookups
  prepare(url, 5)
  assert.equal(lookups, lookupsBefore)
})

test('a resolved host that turns private is refused, and of a mix only the allowed address is used', async (t) => {
  const hits: string[] = []
  const port = await serve(t, ({ socket }, response) => {
    hits.push(socket.localAddress!)
    response.writeHead(200, { connection: 'close' }).end()
  })
  const clock = manualClock()
  let answer = ['127.0.0.1']
  const resolve = async () => ({ addresses: answer.map((address) => ({ address, family: 4 })), ttlMs: 60_000 })
  const { lookup } = createHostAddresses({ clock, resolvers: [resolve] })
  const { request } = upstreamFor(t, { lookup })
  const url = `http://rebind.test:${port}/`
  await request({ url })
  answer = ['127.0.0.2']
  await request({ url })
  clock.advance(60_000)
  await assert.rejects(request({ url }), failing('unavailable', /refused: rebind\.test:\d+ resolves to/))
  answer = ['127.0.0.2', '127.0.0.1', '127.0.0.3']
  clock.advance(60_000)
  await request({ url })
  assert.deepEqual(hits, ['127.0.0.1', '127.0.0.1', '127.0.0.1'])
})

test('requests over HTTP/1.1 are never pipelined', async (t) => {
  const answered: string[] = []
  const port = await serveRaw(t, (socket) => {
    let pending = 0
    socket.on('data', (bytes) => {
      pending += bytes.toString().split('GET /').length - 1
      setImmediate(() => {
        answered.push(String(pending))
        pending = 0
        socket.write('HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n')
      })
    })
  })
  const { request } = upstreamFor(t, { connections: 2, maxQueue: 100 })
  await Promise.all(Array.from({ length: 12 }, (_, at) => request({ url: `http://${HOST}:${port}/${at}` })))
  assert.deepEqual(
    answered,
    Array.from({ length: 12 }, () => '1'),
  )
})
