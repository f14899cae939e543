import assert from 'node:assert/strict'
import { test } from 'node:test'
import { gzipSync } from 'node:zlib'
import { failing, serve, serveRaw, upstreamFor } from './loopback.fixture.ts'

test('a body may have exactly the bytes allowed, announced or not', async (t) => {
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

test('a chunked body without end is cut off at the cap, and its connection with it', async (t) => {
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

test('a body shorter than announced is unavailable', async (t) => {
  const port = await serveRaw(t, (socket) =>
    socket.once('data', () => socket.end('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nshort')),
  )
  await assert.rejects(upstreamFor(t).request({ url: `http://127.0.0.1:${port}/` }), failing('unavailable'))
})

test('what is sent beyond the announced length never becomes the answer to another question', async (t) => {
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

test('a packed body is unpacked, a bomb refused, an unknown packing refused', async (t) => {
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
  await assert.rejects(request({ url: `http://127.0.0.1:${port}/odd` }), failing('unavailable', /do not know/))
})

test('more headers than allowed are unavailable', async (t) => {
  const port = await serve(t, (_request, response) => void response.setHeader('x-large', 'x'.repeat(3000)).end())
  const { request } = upstreamFor(t, { maxHeaderBytes: 2000 })
  await assert.rejects(request({ url: `http://127.0.0.1:${port}/` }), failing('unavailable'))
})
