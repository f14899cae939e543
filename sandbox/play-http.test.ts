import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { after, before, beforeEach, suite, test } from 'node:test'
import { Agent, request } from 'undici'
import { systemClock } from '../src/kernel/clock.ts'
import { UpstreamError, type UpstreamFailure } from '../src/kernel/errors.ts'
import { createUpstream } from '../src/kernel/upstream/client.ts'
import { open, readAll } from '../test/support/wire.ts'
import { type HttpServer, type SimulatedRequest, serveHttp } from './http-server.ts'
import { OUTCOME_WORDS, outcomeOf } from './outcome.ts'
import { jsonAnswer } from './play-http.ts'

const ANSWER = { name: 'shop', words: Array.from({ length: 40 }, (_, at) => `word ${at}`) }
const TEXT = JSON.stringify(ANSWER)

async function until(condition: () => boolean, signal: AbortSignal): Promise<void> {
  while (!condition()) {
    signal.throwIfAborted()
    await new Promise(setImmediate)
  }
}

suite('an outcome played over HTTP', () => {
  /** The requests, and the waits that were asked for; no test waits for real. */
  let requests: SimulatedRequest[]
  let waits: number[]
  let server: HttpServer
  let agent: Agent

  before(async () => {
    agent = new Agent()
    server = await serveHttp(
      (received) => {
        requests.push(received)
        const script = received.url.pathname.slice(1)
        if (script === 'bug') throw new Error('a bug of ours')
        return {
          outcome: outcomeOf(script),
          answer: jsonAnswer(ANSWER, received.url.searchParams.has('missing') ? 404 : 200),
        }
      },
      { wait: async (ms) => void waits.push(ms) },
    )
  })
  beforeEach(() => {
    requests = []
    waits = []
  })
  after(async () => {
    await agent.destroy()
    await server.stop()
  })

  const get = async (script: string, signal?: AbortSignal) => {
    const reply = await request(`${server.url}/${script}`, { dispatcher: agent, ...(signal && { signal }) })
    return { ...reply, text: () => reply.body.text() }
  }

  test('ok: the answer, with its status, type and length', async () => {
    const { statusCode, headers, text } = await get('shop')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-type'], 'application/json')
    assert.equal(headers['content-length'], String(TEXT.length))
    assert.equal(await text(), TEXT)
    assert.deepEqual(waits, [])
  })

  test('slow: the whole answer after one wait', async () => {
    assert.equal(await (await get('slow1500')).text(), TEXT)
    assert.deepEqual(waits, [1500])
  })

  test('drip: the whole answer, 16 bytes at a time with a wait after each', async () => {
    assert.equal(await (await get('drip70')).text(), TEXT)
    assert.deepEqual(
      waits,
      Array.from({ length: Math.ceil(TEXT.length / 16) }, () => 70),
    )
  })

  test('hang: no answer until the client gives up', { timeout: 20_000 }, async ({ signal }) => {
    const client = new AbortController()
    const answer = get('hang', client.signal)
    await until(() => requests.length > 0, signal)
    client.abort()
    await assert.rejects(answer, { name: 'AbortError' })
  })

  test('throttled: 429 with Retry-After', async () => {
    const { statusCode, headers, text } = await get('throttled90')
    assert.equal(statusCode, 429)
    assert.equal(headers['retry-after'], '90')
    assert.notEqual(await text(), '')
  })

  test('denied: 403, or 401', async () => {
    for (const [script, status] of [
      ['denied', 403],
      ['denied401', 401],
    ] as const) {
      const { statusCode, text } = await get(script)
      assert.equal(statusCode, status)
      await text()
    }
  })

  test('broken: a server error with a web page', async () => {
    for (const [script, status] of [
      ['broken', 500],
      ['broken502', 502],
    ] as const) {
      const { statusCode, headers, text } = await get(script)
      assert.equal(statusCode, status)
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.match(await text(), /^<!doctype html>/)
    }
  })

  test('down: 503 without Retry-After', async () => {
    const { statusCode, headers, text } = await get('down')
    assert.equal(statusCode, 503)
    assert.equal(headers['retry-after'], undefined)
    await text()
  })

  test('foreign: a web page with the status of the answer, so that a 404 alone proves nothing', async () => {
    for (const [script, status] of [
      ['foreign', 200],
      ['foreign?missing', 404],
    ] as const) {
      const { statusCode, headers, text } = await get(script)
      assert.equal(statusCode, status)
      assert.match(String(headers['content-type']), /^text\/html/)
      assert.match(await text(), /^<!doctype html>/)
    }
  })

  test('half: a complete HTTP message with half the answer', async () => {
    const { statusCode, headers, text } = await get('half')
    assert.equal(statusCode, 200)
    const body = await text()
    assert.equal(body, TEXT.slice(0, Math.floor(TEXT.length / 2)))
    assert.equal(headers['content-length'], String(body.length))
  })

  test('cut: announces the whole answer and closes the connection in the middle', async () => {
    await assert.rejects(async () => (await get('cut')).text(), { code: 'UND_ERR_SOCKET' })
    const socket = await open(Number(new URL(server.url).port))
    const received = readAll(socket)
    socket.write('GET /cut HTTP/1.1\r\nHost: x\r\n\r\n')
    const [head, body] = (await received).split('\r\n\r\n')
    assert.match(head!, new RegExp(`^HTTP/1.1 200 OK\r\n[^]*content-length: ${TEXT.length}\r\n`))
    assert.equal(body, TEXT.slice(0, Math.floor(TEXT.length / 2)))
  })

  test('reset: the connection is reset before a byte is sent', async () => {
    await assert.rejects(get('reset'), { code: 'ECONNRESET' })
  })

  test('huge: continues while the client reads, and stops when it disconnects', async () => {
    const { statusCode, headers, body } = await get('huge')
    assert.equal(statusCode, 200)
    assert.equal(headers['content-length'], undefined)
    let received = 0
    for await (const chunk of body) {
      received += (chunk as Uint8Array).length
      if (received > 4 * 1024 * 1024) break
    }
    assert.ok(received > 4 * 1024 * 1024)
  })

  test('huge with a number: that many MiB, and never valid JSON', async () => {
    const body = await (await get('huge1')).text()
    assert.ok(body.length >= 1024 * 1024 && body.length < 1.1 * 1024 * 1024)
    assert.throws(() => JSON.parse(body), SyntaxError)
  })

  test('redirect: 302 to a private address', async () => {
    const { statusCode, headers, text } = await get('redirect')
    assert.equal(statusCode, 302)
    assert.equal(headers['location'], 'http://10.0.0.1/')
    await text()
  })

  test('a bug in a simulator is reported as such, not as an outcome', async () => {
    const { statusCode, text } = await get('bug')
    assert.equal(statusCode, 500)
    assert.match(await text(), /The simulator failed: Error: a bug of ours/)
  })

  test('a simulator receives method, query, headers and body', async () => {
    const options = { dispatcher: agent, method: 'POST', headers: { 'x-key': 'k' }, body: '{"id":1}' } as const
    const { body } = await request(`${server.url}/shop?a=b`, options)
    assert.equal(await body.text(), TEXT)
    const [received] = requests
    assert.equal(received?.method, 'POST')
    assert.equal(received.url.searchParams.get('a'), 'b')
    assert.equal(received.headers['x-key'], 'k')
    assert.equal(received.body, '{"id":1}')
  })

  test('a body over 1 MiB is rejected', async () => {
    const { statusCode, body } = await request(server.url, {
      dispatcher: agent,
      method: 'POST',
      body: 'x'.repeat(2 ** 20 + 1),
    })
    assert.equal(statusCode, 400)
    await body.text()
    assert.deepEqual(requests, [])
  })

  test('the upstream client reports each outcome as the right failure', async () => {
    const failures: Record<(typeof OUTCOME_WORDS)[number], UpstreamFailure | 'ok'> = {
      slow: 'ok',
      drip: 'ok',
      hang: 'timeout',
      throttled: 'rate_limited',
      denied: 'auth_error',
      broken: 'unavailable',
      down: 'unavailable',
      foreign: 'unavailable',
      half: 'unavailable',
      cut: 'unavailable',
      reset: 'unavailable',
      huge: 'unavailable',
      redirect: 'unavailable',
    }
    for (const word of OUTCOME_WORDS) {
      // A new client each time: a throttled one sends no further requests.
      const upstream = createUpstream({
        name: 'simulated',
        userAgent: 'test',
        clock: systemClock,
        timeoutMs: word === 'hang' ? 50 : 60_000,
        maxBytes: 64 * 1024,
        connections: 1,
        maxQueue: 1,
        allow: (address) => address === '127.0.0.1',
      })
      const reply = upstream.request({ url: `${server.url}/${word}`, redirects: 2 }).then((response) => {
        assert.deepEqual(response.json(), ANSWER)
        return 'ok'
      })
      const outcome = await reply.catch((error: unknown) => (error instanceof UpstreamError ? error.failure : error))
      assert.equal(outcome, failures[word], word)
      await upstream.close()
    }
  })
})

test('stop closes every connection, including those in the middle of an outcome', { timeout: 20_000 }, async (t) => {
  const waiting: AbortSignal[] = []
  const paths: string[] = []
  const server = await serveHttp(
    ({ url }) => {
      paths.push(url.pathname)
      return { outcome: outcomeOf(url.pathname.slice(1)), answer: jsonAnswer(ANSWER) }
    },
    {
      wait: (_ms, signal) => {
        waiting.push(signal)
        return new Promise((_, reject) => signal.addEventListener('abort', () => reject(new Error('gone'))))
      },
    },
  )
  const port = Number(new URL(server.url).port)
  const sockets = ['hang', 'slow', 'drip', 'huge'].map((script) => {
    const socket = connect(port, '127.0.0.1')
    socket.on('error', () => {}).pause()
    socket.write(`GET /${script} HTTP/1.1\r\nHost: x\r\n\r\n`)
    return socket
  })
  await until(() => paths.length === 4 && waiting.length === 2, t.signal)
  const closed = sockets.map((socket) => once(socket, 'close'))
  await server.stop()
  for (const socket of sockets) socket.resume()
  await Promise.all(closed)
  assert.deepEqual(
    waiting.map(({ aborted }) => aborted),
    [true, true],
  )
  const late = connect(port, '127.0.0.1')
  await assert.rejects(once(late, 'connect'), { code: 'ECONNREFUSED' })
})
