import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type AddressInfo } from 'node:net'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { UpstreamError } from '../errors.ts'
import { failing, serve, serveBytes, serveRaw, upstreamFor } from './loopback.fixture.ts'

test('a response has its status, headers, body and URL', async (t) => {
  const port = await serve(t, (request, response) => {
    response.setHeader('X-Twice', ['a', 'b'])
    response.setHeader('content-type', 'application/json')
    response.end(
      JSON.stringify({ url: request.url, agent: request.headers['user-agent'], accept: request.headers.accept }),
    )
  })
  const { request, observations } = upstreamFor(t)
  const url = `http://127.0.0.1:${port}/domain/a.example?x=1`
  const reply = await request({ url: `${url}#part`, headers: { Accept: 'application/rdap+json' } })
  assert.equal(reply.status, 200)
  assert.equal(reply.headers['x-twice'], 'a, b')
  assert.deepEqual(reply.json(), { url: '/domain/a.example?x=1', agent: 'onoma-test', accept: 'application/rdap+json' })
  assert.ok(reply.text().startsWith('{'))
  assert.equal(reply.body.length, Number(reply.headers['content-length']))
  assert.equal(reply.url, `${url}#part`)
  assert.deepEqual(observations, [{ upstream: 'shop', host: `127.0.0.1:${port}`, outcome: 200, elapsedMs: 0 }])
})

test('a body is sent unchanged, and a header of the caller replaces ours', async (t) => {
  const port = await serve(t, (request, response) => {
    response.setHeader('x-agent', request.headers['user-agent'] ?? '')
    request.pipe(response)
  })
  const { request } = upstreamFor(t)
  const headers = { 'User-Agent': 'other', 'content-type': 'text/plain' }
  const reply = await request({ url: `http://127.0.0.1:${port}/`, method: 'POST', headers, body: 'grüße' })
  assert.deepEqual([reply.text(), reply.headers['x-agent']], ['grüße', 'other'])
})

test('a body that is not JSON fails as unavailable when read as JSON', async (t) => {
  const port = await serve(t, (_request, response) => void response.end('<!doctype html>'))
  const reply = await upstreamFor(t).request({ url: `http://127.0.0.1:${port}/` })
  assert.throws(() => reply.json(), failing('unavailable', /did not send JSON/))
})

for (const [status, failure] of Object.entries({
  301: 'unavailable',
  400: 'unavailable',
  401: 'auth_error',
  403: 'auth_error',
  410: 'unavailable',
  429: 'rate_limited',
  500: 'unavailable',
  502: 'unavailable',
  503: 'unavailable',
  504: 'unavailable',
})) {
  test(`${status} fails as ${failure}, and is an answer if the caller accepts it`, async (t) => {
    const port = await serve(t, (_request, response) => void response.writeHead(Number(status)).end('why'))
    const { request, observations } = upstreamFor(t)
    const url = `http://127.0.0.1:${port}/`
    await assert.rejects(request({ url }), failing(failure, new RegExp(`^127\\.0\\.0\\.1:${port} answered ${status}$`)))
    const reply = await request({ url, accept: [Number(status)] })
    assert.deepEqual([reply.status, reply.text()], [Number(status), 'why'])
    assert.deepEqual(
      observations.map(({ outcome }) => outcome),
      [failure, Number(status)],
    )
  })
}

test('a failing status rejects at once, and its endless body is not read', async (t) => {
  const left = Promise.withResolvers<void>()
  const port = await serve(t, (_request, response) => {
    response.once('close', left.resolve)
    response.writeHead(500).write('and another thing …')
  })
  await assert.rejects(
    upstreamFor(t).request({ url: `http://127.0.0.1:${port}/` }),
    failing('unavailable', /answered 500/),
  )
  await left.promise
})

test('not found is an answer unless the caller says otherwise', async (t) => {
  const port = await serve(t, (_request, response) => void response.writeHead(404).end('no such name'))
  const { request } = upstreamFor(t)
  assert.equal((await request({ url: `http://127.0.0.1:${port}/` })).text(), 'no such name')
  await assert.rejects(request({ url: `http://127.0.0.1:${port}/`, accept: [200] }), failing('unavailable'))
})

test('HEAD, 204 and 304 have no body, whatever their headers describe', async (t) => {
  const port = await serve(t, (request, response) => {
    const status = Number(request.url?.slice(1))
    response
      .writeHead(status, { 'content-encoding': 'gzip', ...(status !== 204 && { 'content-length': 999_999 }) })
      .end()
  })
  const { request } = upstreamFor(t)
  for (const [method, status] of [
    ['HEAD', 200],
    ['GET', 204],
    ['GET', 304],
  ] as const) {
    const reply = await request({ url: `http://127.0.0.1:${port}/${status}`, method, accept: [status] })
    assert.deepEqual([reply.status, reply.body.length], [status, 0])
  }
})

test('a closed port is unavailable', async (t) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  await assert.rejects(upstreamFor(t).request({ url: `http://127.0.0.1:${port}/` }), {
    failure: 'unavailable',
    unreachable: true,
    broken: false,
  })
})

for (const [how, beforeReset] of [
  ['before the answer', ''],
  ['in the middle of the body', 'HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf'],
] as const) {
  test(`a connection that is cut ${how} is unavailable and broken`, async (t) => {
    const port = await serveRaw(t, (socket) =>
      socket.once('data', () => socket.write(beforeReset, () => setImmediate(() => socket.resetAndDestroy()))),
    )
    await assert.rejects(upstreamFor(t).request({ url: `http://127.0.0.1:${port}/` }), {
      failure: 'unavailable',
      broken: true,
    })
  })
}

test('a server that does not speak HTTP is unavailable', async (t) => {
  const port = await serveBytes(t, 'SSH-2.0-OpenSSH_9.9\r\n')
  await assert.rejects(upstreamFor(t).request({ url: `http://127.0.0.1:${port}/` }), failing('unavailable'))
})

test('a name that does not exist is unavailable', async (t) => {
  const { request } = upstreamFor(t, {
    lookup: (hostname, _options, callback) =>
      callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${hostname}`), { code: 'ENOTFOUND' }), []),
  })
  await assert.rejects(
    request({ url: 'http://nowhere.example/' }),
    failing('unavailable', /^nowhere\.example could not be asked$/),
  )
})

test('no more redirects are followed than the request allows', async (t) => {
  const port = await serve(t, (request, response) => {
    const left = Number(request.url?.slice(1))
    if (left === 0) response.end('arrived')
    else response.writeHead(302, { location: `/${left - 1}` }).end('moved')
  })
  const { request } = upstreamFor(t)
  const url = `http://127.0.0.1:${port}/3`
  await assert.rejects(request({ url }), failing('unavailable', /answered 302/))
  await assert.rejects(request({ url, redirects: 0 }), failing('unavailable', /answered 302/))
  await assert.rejects(request({ url, redirects: 2 }), failing('unavailable', /redirects too often/))
  const reply = await request({ url, redirects: 3 })
  assert.deepEqual([reply.text(), reply.url], ['arrived', `http://127.0.0.1:${port}/0`])
})

test('a key for one host is not sent to the host it redirects to', async (t) => {
  const seen: unknown[] = []
  const second = await serve(t, (request, response) => {
    seen.push(request.headers['x-api-key'])
    response.end('second')
  })
  const first = await serve(t, (request, response) => {
    seen.push(request.headers['x-api-key'])
    response.writeHead(302, { location: `http://127.0.0.1:${second}/` }).end()
  })
  const { request } = upstreamFor(t)
  await request({ url: `http://127.0.0.1:${first}/`, headers: { 'X-Api-Key': 'key' }, redirects: 1 })
  assert.deepEqual(seen, ['key', undefined])
})

test('no failure and no observation repeats the query, the headers or what the server sent', async (t) => {
  const location = 'http://u:sesame@elsewhere.example/?token=sesame'
  const port = await serve(t, (request, response) => {
    const kind = request.url?.slice(1).split('?')[0] ?? ''
    if (kind === 'reset') request.socket.resetAndDestroy()
    else if (kind === 'redirect') response.writeHead(302, { location }).end()
    else if (kind === 'huge') response.end('sesame'.repeat(100_000))
    else if (kind === 'odd') response.writeHead(200, { 'content-encoding': 'sesame' }).end('sesame')
    else if (kind !== 'hang')
      response.writeHead(Number(kind), { 'x-echo': 'sesame', 'retry-after': 'sesame' }).end('sesame')
  })
  const raw = await serveBytes(t, 'HTTP/1.1 200 OK\r\nx-echo: sesame\r\nbad header: sesame\r\n\r\nsesame')
  const { request, observations } = upstreamFor(t)
  const urls = ['401', '403', '429', '500', 'reset', 'redirect', 'huge', 'odd', 'hang'].map(
    (kind) => `http://127.0.0.1:${port}/${kind}`,
  )
  const headers = { authorization: 'Bearer sesame' }
  const more = [
    `http://127.0.0.1:${raw}/`,
    'http://127.0.0.2/',
    'http://u:sesame@a.example/',
    'ftp://sesame/',
    'sesame',
    'http://[sesame]/',
  ]
  for (const url of [...urls, ...more]) {
    const error = await request({
      url: `${url}?key=sesame`,
      headers,
      redirects: 1,
      timeoutMs: url.endsWith('hang') ? 20 : 60_000,
    }).then(
      () => assert.fail(`${url} should fail`),
      (error: unknown) => error,
    )
    assert.ok(error instanceof UpstreamError, url)
    assert.doesNotMatch(inspect(error, { depth: 20, showHidden: true }), /sesame/, url)
  }
  const invalid = await request({ url: urls[0]!, headers: { authorization: 'Bearer sesame\r\nx: y' } }).catch(
    (error: unknown) => error,
  )
  assert.doesNotMatch(inspect(invalid, { depth: 20, showHidden: true }), /sesame/)
  assert.equal(observations.length, urls.length + more.length + 1)
  assert.doesNotMatch(inspect(observations, { depth: 20, showHidden: true }), /sesame/)
})

test('closing finishes requests under way and queued, rejects new ones, and closes all connections', async (t) => {
  const held = Promise.withResolvers<void>()
  const ended = Promise.withResolvers<void>()
  const port = await serve(t, (request, response) => {
    request.socket.once('close', ended.resolve)
    void held.promise.then(() => response.end('finished'))
  })
  const { request, close } = upstreamFor(t, { connections: 1 })
  const url = `http://127.0.0.1:${port}/`
  const asking = [request({ url }), request({ url })]
  await new Promise(setImmediate)
  const closing = close()
  await assert.rejects(request({ url }), failing('unavailable', /shop is closed/))
  held.resolve()
  for (const reply of await Promise.all(asking)) assert.equal(reply.text(), 'finished')
  await closing
  await ended.promise
})
