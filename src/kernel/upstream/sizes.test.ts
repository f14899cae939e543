import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { failing, serve, serveRaw, upstreamFor } from './loopback.fixture.ts'

test('a body may have exactly the maximum size, with a Content-Length or without', async (t) => {
  const port = await serve(t, (request, response) => {
    if (request.url === '/chunked') response.write('')
    response.end('x'.repeat(100))
  })
  const { request } = upstreamFor(t, { maxBytes: 100 })
  for (const path of ['announced', 'chunked']) {
    assert.equal((await request({ url: `http://127.0.0.1:${port}/${path}` })).body.length, 100)
    await assert.rejects(
      request({ url: `http://127.0.0.1:${port}/${path}`, maxBytes: 99 }),
      failing('unavailable', /larger than 99 bytes/),
    )
  }
})

test('an endless chunked body is ended at the maximum size, and its connection closed', async (t) => {
  const ended = Promise.withResolvers<void>()
  const port = await serve(t, (_request, response) => {
    response.on('close', ended.resolve)
    const send = () => void (response.destroyed || response.write('x'.repeat(1000), () => setImmediate(send)))
    send()
  })
  const { request } = upstreamFor(t, { maxBytes: 10_000 })
  await assert.rejects(request({ url: `http://127.0.0.1:${port}/` }), failing('unavailable', /larger than/))
  await ended.promise
})

test('a body shorter than its Content-Length is unavailable', async (t) => {
  const port = await serveRaw(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort')),
  )
  await assert.rejects(upstreamFor(t).request({ url: `http://127.0.0.1:${port}/` }), failing('unavailable'))
})

test('bytes beyond the Content-Length never become the answer to another request', async (t) => {
  const smuggled = 'HTTP/1.1 200 OK\r\ncontent-length: 8\r\n\r\nsmuggled'
  const port = await serveRaw(t, (socket) => {
    let asked = 0
    socket.on('data', () => {
      if (asked++ === 0) socket.write(`HTTP/1.1 200 OK\r\ncontent-length: 6\r\n\r\nhonest${smuggled}`)
    })
  })
  const { request } = upstreamFor(t, { connections: 1 })
  const url = `http://127.0.0.1:${port}/`
  for (let i = 0; i < 3; i++) assert.equal((await request({ url })).text(), 'honest')
})

test('a compressed body is decompressed; a bomb and an unknown encoding are rejected', async (t) => {
  const port = await serve(t, (request, response) => {
    const bodies: Record<string, [string, Uint8Array]> = {
      '/packed': ['gzip', gzipSync('{"packed":true}')],
      '/bomb': ['gzip', gzipSync(Buffer.alloc(200_000))],
      '/odd': ['rot13', Buffer.from('uryyb')],
    }
    const [encoding, body] = bodies[request.url ?? '']!
    response.setHeader('content-encoding', encoding)
    response.end(body)
  })
  const { request } = upstreamFor(t)
  assert.deepEqual((await request({ url: `http://127.0.0.1:${port}/packed` })).json(), { packed: true })
  await assert.rejects(request({ url: `http://127.0.0.1:${port}/bomb` }), failing('unavailable', /larger than/))
  await assert.rejects(
    request({ url: `http://127.0.0.1:${port}/odd` }),
    failing('unavailable', /unknown content encoding/),
  )
})

test('a response with too many headers is unavailable', async (t) => {
  const port = await serve(t, (_request, response) => void response.setHeader('x-large', 'x'.repeat(3000)).end())
  const { request } = upstreamFor(t, { maxHeaderBytes: 2000 })
  await assert.rejects(request({ url: `http://127.0.0.1:${port}/` }), failing('unavailable'))
})
