import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import { type Reply, startDoor } from '../support/door.ts'
import { testRoutes } from '../support/routes.ts'

type Failure = { error: string; message: string } & Record<string, unknown>
const failure = (reply: Reply) => reply.body as Failure

describe('the door', () => {
  let door: Awaited<ReturnType<typeof startDoor>>
  before(async () => {
    door = await startDoor(testRoutes)
  })
  after(() => door.stop())

  const assertRejected = async (path: string, status: number, code: string, message: RegExp, init?: object) => {
    const reply = await door.get(path, init)
    assert.equal(reply.status, status, reply.text)
    assert.equal(failure(reply).error, code)
    assert.match(failure(reply).message, message)
    assert.equal(reply.headers.get('cache-control'), 'no-store')
    return reply
  }

  test('an answer has its request ID, duration, rate limit and CORS headers', async () => {
    const { status, headers, body } = await door.get('/v1/echo/hello?times=2', {
      headers: { origin: 'https://page.example' },
    })
    assert.equal(status, 200)
    assert.deepEqual(body, { said: ['hello', 'hello'] })
    assert.match(headers.get('x-request-id')!, /^[0-9a-f-]{36}$/)
    assert.match(headers.get('server-timing')!, /^app;dur=\d/)
    assert.equal(headers.get('ratelimit-policy'), '"default";q=60000;w=60')
    assert.match(headers.get('ratelimit')!, /^"default";r=\d+;t=60$/)
    assert.equal(headers.get('access-control-allow-origin'), '*')
    for (const name of ['ETag', 'RateLimit', 'Retry-After', 'PAYMENT-RESPONSE', 'WWW-Authenticate']) {
      assert.ok(headers.get('access-control-expose-headers')!.split(', ').includes(name), name)
    }
    assert.equal(headers.get('x-content-type-options'), 'nosniff')
    assert.equal(headers.get('content-type'), 'application/json; charset=utf-8')
  })

  test('a valid request ID of the client is kept, an invalid one replaced', async () => {
    const kept = await door.get('/free', { headers: { 'x-request-id': 'trace-0001.a' } })
    assert.equal(kept.headers.get('x-request-id'), 'trace-0001.a')
    const replaced = await door.get('/free', { headers: { 'x-request-id': 'a "b" {c}' } })
    assert.match(replaced.headers.get('x-request-id')!, /^[0-9a-f-]{36}$/)
  })

  test('an invalid parameter is rejected with the code of the contract and a message that says what is right', async () => {
    await assertRejected('/v1/echo/hello?tone=rude', 400, 'invalid_type', /tone must be one of kind, plain, not "rude"/)
    await assertRejected('/v1/echo/hello?times=0', 400, 'invalid_parameter', /times must be at least 1, not 0/)
    await assertRejected('/v1/echo/hello?times=1e3', 400, 'invalid_parameter', /times must be a number, not "1e3"/)
    await assertRejected('/v1/echo/hello?times=1.5', 400, 'invalid_parameter', /times must be a whole number, not 1.5/)
    await assertRejected('/v1/echo/hello?loud=maybe', 400, 'invalid_parameter', /loud must be a boolean, not "maybe"/)
    await assertRejected(
      `/v1/echo/${'x'.repeat(21)}`,
      400,
      'invalid_domain',
      /word must be at most 20 characters long, not 21/,
    )
  })

  test('a path without its last parameter is a missing parameter, not 404', async () => {
    await assertRejected('/v1/echo', 400, 'missing_domain', /word is required; for example word=hello/)
    await assertRejected('/v1/echo/', 400, 'missing_domain', /word is required/)
  })

  test('an empty parameter counts as missing', async () => {
    assert.deepEqual((await door.get('/v1/echo/hello?times=&tone=&loud')).body, { said: ['hello'] })
    assert.deepEqual((await door.get('/v1/echo/hello?&&')).body, { said: ['hello'] })
  })

  test('a repeated parameter is rejected, even with the same value', async () => {
    await assertRejected('/v1/echo/hello?times=1&times=1', 400, 'invalid_parameter', /times is given more than once/)
    await assertRejected('/v1/echo/hello?tone=kind&tone=plain', 400, 'invalid_type', /tone is given more than once/)
  })

  test('an unknown parameter is ignored and listed in X-Ignored-Parameters', async () => {
    const reply = await door.get('/v1/echo/hello?tmies=3&%0d%0aSet-Cookie:x=1&__proto__=1&constructor=1')
    assert.deepEqual(reply.body, { said: ['hello'] })
    assert.equal(reply.headers.get('x-ignored-parameters'), 'tmies, ?, __proto__, constructor')
    assert.equal(reply.headers.get('set-cookie'), null)
  })

  test('invalid UTF-8 and control characters are rejected', async () => {
    await assertRejected('/v1/echo/hello?tone=%ff%fe', 400, 'invalid_request', /percent-encoded UTF-8/)
    await assertRejected('/v1/echo/%zz', 400, 'invalid_request', /percent-encoded UTF-8/)
    await assertRejected('/v1/echo/a%00b', 400, 'invalid_domain', /control character/)
    await assertRejected('/v1/echo/a?tone=%00', 400, 'invalid_type', /control character/)
  })

  test('an unknown path is 404', async () => {
    for (const path of ['/', '/nothing', '/v1', '/v1//kept', '/V1/kept', '/v1/kept/..%2f..%2fetc/passwd']) {
      await assertRejected(path, 404, 'not_found', /nothing at this address/)
    }
    assert.equal((await door.get('/v1/kept/')).status, 200)
  })

  test('a wrong method is 405 and lists the allowed ones', async () => {
    for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
      const reply = await assertRejected('/v1/kept', 405, 'method_not_allowed', /use GET, HEAD, OPTIONS/, { method })
      assert.equal(reply.headers.get('allow'), 'GET, HEAD, OPTIONS')
    }
    const reply = await door.get('/v1/post')
    assert.deepEqual([reply.status, reply.headers.get('allow')], [405, 'POST, OPTIONS'])
  })

  test('HEAD has the headers of GET and no body', async () => {
    const get = await door.get('/v1/kept')
    const head = await door.get('/v1/kept', { method: 'HEAD' })
    assert.deepEqual([head.status, head.text], [200, ''])
    for (const name of ['etag', 'content-length', 'content-type', 'cache-control']) {
      assert.equal(head.headers.get(name), get.headers.get(name), name)
    }
  })

  test('a CORS preflight gets the allowed methods and headers', async () => {
    const reply = await door.get('/v1/post', {
      method: 'OPTIONS',
      headers: { origin: 'https://page.example', 'access-control-request-method': 'POST' },
    })
    assert.equal(reply.status, 204)
    assert.equal(reply.headers.get('access-control-allow-methods'), 'POST, OPTIONS')
    assert.match(reply.headers.get('access-control-allow-headers')!, /PAYMENT-SIGNATURE/)
    assert.equal(reply.headers.get('access-control-max-age'), '86400')
  })

  test('a cacheable answer has max-age and an ETag, and If-None-Match gets 304', async () => {
    const first = await door.get('/v1/kept')
    const etag = first.headers.get('etag')!
    assert.match(etag, /^W\/"[\w-]{22}"$/)
    assert.equal(first.headers.get('cache-control'), 'public, max-age=60')
    for (const tag of [etag, etag.slice(2), `"other", ${etag}`, '*']) {
      const again = await door.get('/v1/kept', { headers: { 'if-none-match': tag } })
      assert.deepEqual([again.status, again.text, again.headers.get('etag')], [304, '', etag])
    }
    assert.equal((await door.get('/v1/kept', { headers: { 'if-none-match': '"other"' } })).status, 200)
    assert.equal((await door.get('/v1/odd')).headers.get('etag'), null)
    assert.equal((await door.get('/v1/odd')).headers.get('cache-control'), 'no-store')
  })

  test('a large body is compressed if the client accepts it, a small one never', async () => {
    const { request } = await import('undici')
    const ask = async (accept: string, path = '/v1/kept') => {
      const answer = await request(door.url + path, { headers: { 'accept-encoding': accept } })
      return { encoding: answer.headers['content-encoding'], bytes: Buffer.from(await answer.body.arrayBuffer()) }
    }
    const plain = (await ask('identity')).bytes.toString()
    const br = await ask('gzip, deflate, br')
    assert.deepEqual([br.encoding, brotliDecompressSync(br.bytes).toString()], ['br', plain])
    const gz = await ask('gzip;q=1.0, br;q=0.5')
    assert.deepEqual([gz.encoding, gunzipSync(gz.bytes).toString()], ['gzip', plain])
    assert.ok(br.bytes.length < plain.length / 2)
    for (const accept of ['', 'identity', 'br;q=0', 'gzip;q=0, br;q=0, *;q=0', 'zstd']) {
      assert.equal((await ask(accept)).encoding, undefined, accept)
    }
    assert.equal((await ask('br', '/free')).encoding, undefined)
  })

  test('an error is also a problem document of RFC 9457 if the client accepts it', async () => {
    const reply = await door.get('/v1/echo/hello?tone=rude', { headers: { accept: 'application/problem+json' } })
    assert.equal(reply.headers.get('content-type'), 'application/problem+json')
    const body = failure(reply)
    assert.deepEqual(
      [body.error, body['type'], body['status'], body['detail']],
      ['invalid_type', 'https://names.example/docs/errors/invalid_type', 400, body.message],
    )
    assert.equal(body['instance'], `urn:onoma:request:${reply.headers.get('x-request-id')}`)
    assert.ok(body['title'])
  })

  test('an unexpected exception is 500 without details, which are in the log', async () => {
    door.lines.length = 0
    const reply = await assertRejected(
      '/v1/broken',
      500,
      'internal_error',
      /Something went wrong on our side; quote request/,
    )
    assert.doesNotMatch(reply.text, /hunter2|deep|stack|\.ts/)
    const line = door.lines.find(({ level }) => level === 'error')!
    assert.equal(line.facts['request'], reply.headers.get('x-request-id'))
    assert.match((line.facts['error'] as Error).message, /hunter2/)
  })

  test('an upstream failure has the code that the endpoint declares, and its Retry-After', async () => {
    const reply = await assertRejected('/v1/upstream', 500, 'check_failed', /Ethereum node did not answer/)
    assert.equal(reply.headers.get('retry-after'), '7')
    assert.doesNotMatch(reply.text, /registry\.example/)
  })

  test('an answer can set its status, and a paid endpoint is 503 without payments', async () => {
    assert.equal((await door.get('/v1/odd')).status, 501)
    await assertRejected('/v1/paid', 503, 'service_unavailable', /Payments/)
  })

  test('a deprecated path has Deprecation and Link headers', async () => {
    const { headers } = await door.get('/old')
    assert.equal(headers.get('deprecation'), '@1794700800')
    assert.equal(headers.get('link'), '</v1/new>; rel="successor-version"')
    assert.equal((await door.get('/free')).headers.get('deprecation'), null)
  })

  test('metrics have the name of the endpoint, and neither metrics nor logs contain client input', async () => {
    door.answered.length = 0
    await door.get('/v1/echo/secret-name')
    await door.get('/unknown-secret-path')
    assert.deepEqual(door.answered, [
      { endpoint: 'echo', door: 'http', status: 200 },
      { endpoint: 'none', door: 'http', status: 404 },
    ])
    assert.doesNotMatch(JSON.stringify(door.lines), /secret-name|secret-path/)
  })
})

describe('a request body', () => {
  let door: Awaited<ReturnType<typeof startDoor>>
  before(async () => {
    door = await startDoor(testRoutes)
  })
  after(() => door.stop())
  const send = (body: string | Buffer, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
    door.get('/v1/post', { method: 'POST', body, headers })

  test('is parsed if it is a JSON object', async () => {
    assert.deepEqual((await send('{"name":"a"}')).body, { name: 'a' })
    assert.deepEqual((await send('{"name":"a"}', { 'content-type': 'application/json; charset=utf-8' })).body, {
      name: 'a',
    })
    assert.deepEqual((await send('{"name":"a"}', {})).body, { name: 'a' })
  })

  test('that is not a JSON object is invalid_request', async () => {
    const nested = '['.repeat(10_000) + ']'.repeat(6_000)
    const bad = [
      '',
      '{',
      'null',
      '[]',
      '"a"',
      '{"name":"a"',
      nested,
      `{"name":${'['.repeat(8000)}${']'.repeat(8000)}}x`,
    ]
    for (const body of [...bad, Buffer.from([0x7b, 0xff, 0x7d])]) {
      const reply = await send(body)
      assert.deepEqual([reply.status, failure(reply).error], [400, 'invalid_request'], String(body).slice(0, 40))
    }
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data; boundary=x']) {
      const reply = await send('{"name":"a"}', { 'content-type': type })
      assert.deepEqual([reply.status, failure(reply).error], [400, 'invalid_request'], type)
    }
    assert.equal(failure(await send('{"name":"a"}', { 'content-encoding': 'gzip' })).error, 'invalid_request')
  })

  test('of the maximum depth is parsed', async () => {
    const reply = await send(`{"name":${'['.repeat(8000)}${']'.repeat(8000)}}`)
    assert.deepEqual([reply.status, failure(reply).error], [400, 'invalid_parameter'])
  })

  test('without a required field is a missing parameter', async () => {
    const reply = await send('{}')
    assert.deepEqual([reply.status, failure(reply).error], [400, 'missing_parameter'])
  })

  test('of ten megabytes is rejected early, with and without Content-Length', async () => {
    const large = Buffer.alloc(10 * 1024 * 1024, 0x20)
    const outcome = async (init: object) => {
      try {
        return (await door.get('/v1/post', { method: 'POST', ...init })).status
      } catch (error) {
        return (error as { code?: string }).code ?? String(error)
      }
    }
    // A client that does not read while it sends may see a reset connection instead of the answer.
    const withLength = await outcome({ body: large })
    assert.ok([400, 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(withLength), String(withLength))
    async function* drip() {
      for (let at = 0; at < large.length; at += 65_536) yield large.subarray(at, at + 65_536)
    }
    const streamed = await outcome({ body: drip() })
    assert.ok([400, 'ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(streamed), String(streamed))
    assert.equal((await door.get('/free')).status, 200)
  })

  test('on a GET is ignored', async () => {
    assert.equal((await door.get('/free', { body: 'x' })).status, 200)
  })
})
