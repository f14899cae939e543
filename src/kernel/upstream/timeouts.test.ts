import assert from 'node:assert/strict'
import { getEventListeners, once } from 'node:events'
import { connect } from 'node:net'
import { test, type TestContext } from 'node:test'
import { CERTIFICATE, failing, serve, serveRaw, upstreamFor } from './loopback.fixture.ts'

const timers = () => process.getActiveResourcesInfo().filter((kind) => kind === 'Timeout').length

/** Sends the opening, then one more chunk for ever or nothing. Reports the opening, and when the client leaves. */
const hanging =
  (opening: string, more?: string) =>
  (t: TestContext, reached = () => {}, left = () => {}): Promise<number> =>
    serveRaw(t, (socket) => {
      socket.once('close', left)
      const goOn = () => void (socket.destroyed || (more && socket.write(more, () => setImmediate(goOn))))
      socket.once('data', () =>
        socket.write(opening, () => {
          reached()
          goOn()
        }),
      )
    })

const HANGS = {
  'sends nothing': hanging(''),
  'sends half its headers': hanging('HTTP/1.1 200 OK\r\nx-half: '),
  'sends interim answers for ever': hanging('', 'HTTP/1.1 103 Early Hints\r\n\r\n'),
  'sends half its body': hanging('HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nhalf'),
  'drips its body byte by byte': hanging('HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n', '1\r\nx\r\n'),
}

for (const [kind, start] of Object.entries(HANGS)) {
  test(`the timeout ends a request to a server that ${kind}`, async (t) => {
    const port = await start(t)
    const before = timers()
    const { request, observations } = upstreamFor(t, { maxBytes: 1e9 })
    await assert.rejects(
      request({ url: `http://127.0.0.1:${port}/`, timeoutMs: 40 }),
      failing('timeout', /within 40 ms/),
    )
    assert.equal(observations[0]?.outcome, 'timeout')
    assert.ok(timers() <= before)
  })

  test(`an abort ends a request to a server that ${kind}, with the caller's reason, and the server sees it`, async (t) => {
    const reached = Promise.withResolvers<void>()
    const left = Promise.withResolvers<void>()
    const port = await start(t, reached.resolve, left.resolve)
    const { request, observations } = upstreamFor(t, { maxBytes: 1e9 })
    const caller = new AbortController()
    const asking = request({ url: `http://127.0.0.1:${port}/`, signal: caller.signal })
    const reason = new Error('the client has gone')
    void reached.promise.then(() => setImmediate(() => caller.abort(reason)))
    await assert.rejects(asking, reason)
    assert.equal(observations[0]?.outcome, 'aborted')
    assert.equal(getEventListeners(caller.signal, 'abort').length, 0)
    await left.promise
  })
}

test('the timeout includes the DNS lookup', async (t) => {
  const { request } = upstreamFor(t, { lookup: () => {} })
  await assert.rejects(request({ url: 'http://slow-dns.example/', timeoutMs: 20 }), failing('timeout'))
})

// Otherwise the connection would close only after undici's connect timeout of ten seconds.
test('the timeout includes the TLS handshake, and closing ends the connection', { timeout: 5000 }, async (t) => {
  const ended = Promise.withResolvers<void>()
  const port = await serveRaw(t, (socket) => void socket.resume().on('close', ended.resolve))
  const { request, close } = upstreamFor(t, { ca: CERTIFICATE })
  await assert.rejects(request({ url: `https://upstream.test:${port}/`, timeoutMs: 30 }), failing('timeout'))
  await close()
  await ended.promise
})

test('the timeout includes the time in the queue', async (t) => {
  let connections = 0
  const connected = Promise.withResolvers<void>()
  const port = await serveRaw(t, (socket) => {
    connections++
    socket.resume()
    connected.resolve()
  })
  const { request } = upstreamFor(t, { connections: 1 })
  const url = `http://127.0.0.1:${port}/`
  const first = new AbortController()
  const holding = request({ url, signal: first.signal })
  await connected.promise
  await assert.rejects(request({ url, timeoutMs: 20 }), failing('timeout'))
  first.abort()
  await assert.rejects(holding)
  assert.equal(connections, 1)
})

test('the timeout is for all redirects together', async (t) => {
  const port = await serve(t, (_request, response) => void response.writeHead(302, { location: '/' }).end())
  const { request } = upstreamFor(t)
  await assert.rejects(request({ url: `http://127.0.0.1:${port}/`, redirects: 1e9, timeoutMs: 40 }), failing('timeout'))
})

test('connections that hang while being opened count for the connection limit', async (t) => {
  let opened = 0
  const arrivals = [1, 2, 3].map(() => Promise.withResolvers<void>())
  const port = await serveRaw(t, (socket) => {
    socket.resume()
    arrivals[opened++]?.resolve()
  })
  const { request } = upstreamFor(t, { ca: CERTIFICATE, connections: 2 })
  const callers = Array.from({ length: 6 }, () => new AbortController())
  const asking = (from: number, to: number) =>
    callers.slice(from, to).map(({ signal }) => request({ url: `https://upstream.test:${port}/`, signal }))
  const first = asking(0, 2)
  await arrivals[1]!.promise
  for (const caller of callers.slice(0, 2)) caller.abort()
  await Promise.allSettled(first)
  const later = asking(2, 6)
  // Connections arrive in the order they are opened: any opened by the later requests would come before this one.
  const marker = connect(port, '127.0.0.1')
  await arrivals[2]!.promise
  assert.equal(opened, 3)
  for (const caller of callers) caller.abort()
  await Promise.allSettled(later)
  marker.destroy()
  await once(marker, 'close')
})

test('no timer and no listener is left after an answer', async (t) => {
  const port = await serve(t, (_request, response) => void response.end('ok'))
  const { request } = upstreamFor(t)
  const caller = new AbortController()
  const before = timers()
  await request({ url: `http://127.0.0.1:${port}/`, signal: caller.signal })
  assert.equal(getEventListeners(caller.signal, 'abort').length, 0)
  assert.ok(timers() <= before)
})
