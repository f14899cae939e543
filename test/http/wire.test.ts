import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, describe, test } from 'node:test'
import fc from 'fast-check'
import { startDoor } from '../support/door.ts'
import { testRoutes } from '../support/routes.ts'
import { errorOf, exchangeBytes, open, readAll, statusOf } from '../support/wire.ts'

const lines = (...text: string[]) => `${text.join('\r\n')}\r\n\r\n`
const CLOSE = 'Connection: close'

describe('raw HTTP', () => {
  let door: Awaited<ReturnType<typeof startDoor>>
  before(async () => {
    door = await startDoor(testRoutes)
  })
  after(() => door.stop())
  const raw = (...text: string[]) => exchangeBytes(door.port, lines(...text))

  test('a path is not normalized: dot segments are 404', async () => {
    for (const path of [
      '/v1/../free',
      '/../../etc/passwd',
      '//free',
      '/free/../free',
      '/./free',
      '/%2e%2e/free',
      '*',
    ]) {
      assert.equal(statusOf(await raw(`GET ${path} HTTP/1.1`, 'Host: x', CLOSE)), 404, path)
    }
  })

  test('a request target in absolute form is accepted', async () => {
    assert.equal(statusOf(await raw('GET http://x/free HTTP/1.1', 'Host: x', CLOSE)), 200)
    assert.equal(statusOf(await raw('GET http://x?free HTTP/1.1', 'Host: x', CLOSE)), 404)
  })

  test('TRACE and CONNECT are 405', async () => {
    const trace = await raw('TRACE /v1/kept HTTP/1.1', 'Host: x', CLOSE)
    assert.deepEqual([statusOf(trace), errorOf(trace)], [405, 'method_not_allowed'])
    assert.match(trace, /\r\nAllow: GET, HEAD, OPTIONS\r\n/)
    const tunnel = await raw('CONNECT example.com:443 HTTP/1.1', 'Host: example.com:443')
    assert.deepEqual([statusOf(tunnel), errorOf(tunnel)], [405, 'method_not_allowed'])
    assert.match(tunnel, /\r\nAllow: /)
  })

  test('OPTIONS * is answered with 204', async () => {
    assert.equal(statusOf(await raw('OPTIONS * HTTP/1.1', 'Host: x', CLOSE)), 204)
  })

  test('an Upgrade to a protocol that is not supported is ignored: the request is served as HTTP/1.1', async () => {
    const rows = [
      ['Connection: Upgrade', 'Upgrade: websocket'],
      ['Connection: Upgrade, HTTP2-Settings', 'Upgrade: h2c', 'HTTP2-Settings: AAMAAABkAARAAAAAAAIAAAAA'],
      ['Connection: Upgrade', 'Upgrade: TLS/1.3, h2c'],
    ]
    for (const row of rows) {
      const socket = await open(door.port)
      socket.write(lines('GET /v1/echo/first HTTP/1.1', 'Host: x', ...row))
      const [first] = (await once(socket, 'data')) as [Buffer]
      assert.match(String(first), /^HTTP\/1\.1 200 .*\{"said":\["first"\]\}$/s, row.join())
      socket.write(lines('GET /v1/echo/second HTTP/1.1', 'Host: x', ...row, CLOSE))
      assert.match(await readAll(socket), /^HTTP\/1\.1 200 .*\{"said":\["second"\]\}$/s, row.join())
    }
    const post = [
      'POST /v1/post HTTP/1.1',
      'Host: x',
      'Connection: Upgrade, close',
      'Upgrade: h2c',
      'Content-Length: 12',
    ]
    const reply = await exchangeBytes(door.port, `${lines(...post)}{"name":"a"}`)
    assert.equal(statusOf(reply), 200, reply)
    assert.match(reply, /\{"name":"a"\}$/)
  })

  test('a POST without a body says so, and its connection serves further requests with and without one', async () => {
    const socket = await open(door.port)
    const answerTo = async (...bytes: string[]): Promise<string> => {
      socket.write(bytes.join(''))
      return String(((await once(socket, 'data')) as [Buffer])[0])
    }
    const bodiless = await answerTo(lines('POST /v1/post HTTP/1.1', 'Host: x'))
    assert.deepEqual([statusOf(bodiless), errorOf(bodiless)], [400, 'invalid_request'])
    assert.match(bodiless, /The body is empty; send a JSON object\./)
    const header = ['POST /v1/post HTTP/1.1', 'Host: x']
    assert.match(await answerTo(lines(...header, 'Content-Length: 12'), '{"name":"a"}'), /\{"name":"a"\}$/)
    const chunked = await answerTo(lines(...header, 'Transfer-Encoding: chunked'), 'c\r\n{"name":"b"}\r\n0\r\n\r\n')
    assert.match(chunked, /\{"name":"b"\}$/)
    socket.write(lines('GET /v1/echo/last HTTP/1.1', 'Host: x', CLOSE))
    assert.match(await readAll(socket), /\{"said":\["last"\]\}$/)
  })

  test('an Expect other than 100-continue is ignored', async () => {
    assert.equal(statusOf(await raw('GET /free HTTP/1.1', 'Host: x', 'Expect: something', CLOSE)), 200)
  })

  test('a request without exactly one valid Host is rejected, and the connection closed', async () => {
    const rows = [
      ['Host: a', 'Host: b'],
      ['Host: a', 'host: a'],
      ['Host: a b'],
      ['Host: a/b'],
      ['Host: user@a'],
      ['Host: a:port'],
      ['Host: [::1'],
    ]
    for (const row of rows) {
      for (const version of ['1.1', '1.0']) {
        const reply = await raw(`GET /free HTTP/${version}`, ...row)
        assert.deepEqual([statusOf(reply), errorOf(reply)], [400, 'invalid_request'], row.join())
        // Following bytes on the connection may belong to another host.
        assert.match(reply, /\r\nConnection: close\r\n/)
      }
    }
    const hostless = await raw('GET /free HTTP/1.1')
    assert.deepEqual([statusOf(hostless), errorOf(hostless)], [400, 'invalid_request'])
    assert.match(hostless, /\r\nConnection: close\r\n/)
    assert.equal(statusOf(await raw('GET /free HTTP/1.0')), 200)
    for (const host of ['', 'a.example', 'a.example:8080', '127.0.0.1:1', '[::1]:8080', 'xn--a_b-c.example']) {
      assert.equal(statusOf(await raw('GET /free HTTP/1.1', `Host: ${host}`, CLOSE)), 200, host)
    }
  })

  test('a query of 100 KB and too many or too large headers are 431', async () => {
    const rows = [
      [`GET /v1/echo/a?tone=${'x'.repeat(100_000)} HTTP/1.1`, 'Host: x'],
      ['GET /free HTTP/1.1', 'Host: x', `X-Large: ${'x'.repeat(20_000)}`],
      ['GET /free HTTP/1.1', 'Host: x', ...Array.from({ length: 5000 }, (_, at) => `X-${at}: ${at}`)],
    ]
    for (const row of rows) {
      const reply = await raw(...row)
      assert.deepEqual([statusOf(reply), errorOf(reply)], [431, 'invalid_request'])
    }
    assert.deepEqual([...new Set(door.refused)], ['headers_too_large'])
    assert.equal((await door.get('/free')).status, 200)
  })

  test('bytes that are not valid HTTP are answered with 400', async () => {
    const rows = [
      'hello\r\n\r\n',
      'GET /free HTTP/9.9\r\nHost: x\r\n\r\n',
      'GET /free HTTP/1.1\r\n\r\n',
      'GET /free HTTP/1.1\r\nHost: x\r\nBad Header: 1\r\n\r\n',
      'POST /v1/post HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcde',
      'POST /v1/post HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      'POST /v1/post HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n',
      '\u0016\u0003\u0001\u0002\u0000\u0001',
    ]
    for (const row of rows) {
      assert.equal(statusOf(await exchangeBytes(door.port, row)), 400, JSON.stringify(row))
    }
    assert.equal((await door.get('/free')).status, 200)
  })

  test('of a repeated header the first counts', async () => {
    const reply = await raw(
      'GET /free HTTP/1.1',
      'Host: a',
      'Accept: a',
      'Accept: b',
      'X-Request-Id: aaaaaaaa1',
      'X-Request-Id: bbbbbbbb2',
      CLOSE,
    )
    assert.equal(statusOf(reply), 200)
    assert.doesNotMatch(reply, /bbbbbbbb2/)
  })

  test('pipelined requests are answered in order', async () => {
    const reply = await exchangeBytes(
      door.port,
      lines('GET /v1/echo/one HTTP/1.1', 'Host: x') +
        lines('GET /v1/echo/two HTTP/1.1', 'Host: x') +
        lines('GET /v1/echo/three HTTP/1.1', 'Host: x', CLOSE),
    )
    assert.deepEqual(
      [...reply.matchAll(/\{"said":\["(\w+)"\]\}/g)].map(([, word]) => word),
      ['one', 'two', 'three'],
    )
  })

  test('a large body with Expect: 100-continue is rejected before it is sent', async () => {
    const post = (length: number) =>
      exchangeBytes(
        door.port,
        lines('POST /v1/post HTTP/1.1', 'Host: x', `Content-Length: ${length}`, 'Expect: 100-continue', CLOSE) +
          (length < 100 ? '{"name":"a"}'.padEnd(length) : ''),
      )
    assert.match(await post(12), /^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 200/)
    const large = await post(10_000_000)
    assert.deepEqual([statusOf(large), errorOf(large)], [400, 'invalid_request'])
  })

  test('a chunked body is rejected as soon as it exceeds the limit', async () => {
    const post = (size: number) => {
      const text = '{"name":"a"}'.padStart(size)
      const chunks = [text.slice(0, 10_000), text.slice(10_000)]
      const body = chunks.map((chunk) => `${chunk.length.toString(16)}\r\n${chunk}\r\n`).join('')
      const head = lines('POST /v1/post HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked', CLOSE)
      return exchangeBytes(door.port, `${head}${body}0\r\n\r\n`)
    }
    const whole = await post(16_384)
    assert.equal(statusOf(whole), 200, whole)
    const large = await post(16_385)
    assert.deepEqual([statusOf(large), errorOf(large)], [400, 'invalid_request'])
    assert.match(large, /larger than 16384 bytes/)
  })

  test('arbitrary bytes never crash the server', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 400 }), fc.boolean(), async (bytes, asPath) => {
        const socket = await open(door.port)
        const target = Buffer.from(bytes)
          .toString('latin1')
          .replaceAll(/[\r\n ]/g, '')
        socket.end(asPath ? lines(`GET /${target} HTTP/1.1`, 'Host: x', CLOSE) : Buffer.from(bytes))
        const reply = await readAll(socket)
        assert.ok(reply === '' || (statusOf(reply)! >= 200 && statusOf(reply)! < 500), reply)
      }),
      { numRuns: 150 },
    )
    assert.equal((await door.get('/free')).status, 200)
  })
})

describe('slow clients', () => {
  test('slow headers, slow bodies and silent connections are closed while others are served', async () => {
    const door = await startDoor(testRoutes, { limits: { headersMs: 2_000, requestMs: 4_000, checkMs: 50 } })
    try {
      const drip = await open(door.port)
      drip.write('GET /free HTTP/1.1\r\nHost: x\r\nX-Slow: ')
      const silent = await open(door.port)
      const half = await open(door.port)
      half.write('POST /v1/post HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\n{')
      assert.equal((await door.get('/free')).status, 200)
      const [dripped, , posted] = await Promise.all([readAll(drip), readAll(silent), readAll(half)])
      assert.equal(statusOf(dripped), 408)
      assert.ok([400, 408].includes(statusOf(posted)!), posted)
    } finally {
      await door.stop()
    }
  })

  test('5,000 idle connections do not block other clients', async () => {
    const door = await startDoor(testRoutes, { limits: { connectionsPerClient: 6_000 } })
    const sockets: Awaited<ReturnType<typeof open>>[] = []
    try {
      while (sockets.length < 5_000) {
        sockets.push(...(await Promise.all(Array.from({ length: 250 }, () => open(door.port)))))
      }
      const replies = await Promise.all(Array.from({ length: 20 }, () => door.get('/v1/echo/hello')))
      assert.ok(replies.every(({ status }) => status === 200))
    } finally {
      for (const socket of sockets) socket.destroy()
      await door.stop()
    }
  })

  test('connections above the limit are closed and counted', async () => {
    const door = await startDoor(testRoutes, { limits: { connections: 3 } })
    try {
      const held = await Promise.all([open(door.port), open(door.port), open(door.port)])
      const further = await open(door.port)
      assert.equal(await readAll(further), '')
      assert.deepEqual(door.refused, ['too_many_connections'])
      for (const socket of held) socket.destroy()
    } finally {
      await door.stop()
    }
  })
})

describe('a client that disconnects', () => {
  test('aborts the signal of the handler', async () => {
    const { endpoint, route } = await import('../../src/kernel/endpoint.ts')
    const { echo } = await import('../support/routes.ts')
    const gone = Promise.withResolvers<void>()
    const begun = Promise.withResolvers<void>()
    const waiting = endpoint({ ...echo, name: 'waiting', path: '/v1/waiting/{word}' })
    const door = await startDoor([
      route(waiting, async (_input, { signal }) => {
        begun.resolve()
        await once(signal, 'abort')
        gone.resolve()
        return { said: [] }
      }),
    ])
    try {
      const socket = await open(door.port)
      socket.write(lines('GET /v1/waiting/a HTTP/1.1', 'Host: x'))
      await begun.promise
      socket.destroy()
      await gone.promise
    } finally {
      await door.stop()
    }
  })
})
