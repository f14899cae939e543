import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test, type TestContext } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import type { Exchange } from './exchange.ts'
import { type Head, startHead, writeHead } from './head.ts'

const MOUNT: Exchange['resource'] = {
  kind: 'mount',
  name: 'page',
  mount: { name: 'page', methods: ['GET'], path: '/', rate: 'free', handle() {} },
}

/** The bytes of an answer whose head `write` writes. */
async function answerOf(context: TestContext, write: (exchange: Exchange) => void, request = 'GET'): Promise<string> {
  const server = createServer((request, response) => {
    const state = { draining: false, active: 1, bodyBytes: 0 }
    const shared = { clock: manualClock(), state, started: 0, id: 'request-1', bodyBytes: 0 }
    const rate = 'RateLimit: "default";r=1;t=60\r\n'
    write({ ...shared, request, response, rate, paymentHeaders: undefined, ignored: ['a\r\nb'], resource: undefined })
    response.end(request.method === 'HEAD' ? undefined : 'body')
  })
  context.after(() => server.close())
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1')
  socket.write(`${request} / HTTP/1.1\r\nHost: x\r\nOrigin: https://a.example\r\nConnection: close\r\n\r\n`)
  return text(socket)
}

const sorted = (answer: string): string[] =>
  answer
    .split('\r\n')
    .filter((line) => !line.startsWith('Date: '))
    .toSorted()

const withLength = (exchange: Exchange): Head => {
  const head = startHead(exchange)
  head.checked.push('Content-Length', '4')
  return head
}

test('a head has the same lines, whether Node checks all of them or only those from outside', async (context) => {
  for (const method of ['GET', 'HEAD']) {
    for (const status of [200, 404, 299]) {
      const quick = await answerOf(context, (exchange) => writeHead(exchange, status, withLength(exchange)), method)
      const checked = await answerOf(
        context,
        (exchange) => writeHead({ ...exchange, resource: MOUNT }, status, withLength(exchange)),
        method,
      )
      assert.deepEqual(sorted(quick), sorted(checked))
      assert.match(quick, /^HTTP\/1\.1 \d+ .*\r\nX-Request-Id: request-1\r\n.*\r\nX-Ignored-Parameters: \?\r\n/s)
      assert.match(quick, /\r\nAccess-Control-Expose-Headers: .*\r\nConnection: close\r\n/s)
      assert.equal(quick.endsWith('\r\n\r\nbody'), method === 'GET')
    }
  }
})

test('an answer without a body and headers that a mount has set are left to Node', async (context) => {
  const unchanged = await answerOf(context, (exchange) => writeHead(exchange, 304, startHead(exchange)))
  assert.match(unchanged, /^HTTP\/1\.1 304 Not Modified\r\n.*\r\n\r\n$/s)
  const mounted = await answerOf(context, (exchange) => {
    exchange.response.setHeader('X-Own', 'kept')
    writeHead({ ...exchange, resource: MOUNT }, 200, withLength(exchange))
  })
  assert.match(mounted, /\r\nX-Own: kept\r\n/)
})

test('a value from outside cannot add a line', async (context) => {
  await answerOf(context, (exchange) => {
    const head = withLength(exchange)
    head.checked.push('Retry-After', '1\r\nSet-Cookie: a=b')
    assert.throws(() => writeHead(exchange, 429, head), { code: 'ERR_INVALID_CHAR' })
  })
})
