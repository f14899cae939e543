import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import * as z from 'zod'
import { type Context, endpoint, route, streamingRoute, type Route } from '../../src/kernel/endpoint.ts'
import { ApiError, UpstreamError } from '../../src/kernel/errors.ts'
import { priceOf } from '../../src/payments/prices.ts'
import type { Checkout } from '../../src/surfaces/http/paid.ts'
import { mcpMount } from '../../src/surfaces/mcp/mount.ts'
import { type DoorOptions, startDoor } from '../support/door.ts'
import { echo, testRoutes } from '../support/routes.ts'
import { open, readAll, statusOf } from '../support/wire.ts'

/** Clients that disconnect before the whole answer is sent: status 499 in the metrics and one debug line. */

const lines = (...text: string[]) => `${text.join('\r\n')}\r\n\r\n`
const silent = { debug() {}, info() {}, warn() {}, error() {} }

async function start(t: TestContext, routes: readonly Route[], options?: DoorOptions) {
  const door = await startDoor(routes, options)
  t.after(() => door.stop())
  /** Resolves when the door has counted a request. */
  const counted = async () => {
    while (door.answered.length === 0) await new Promise((resolve) => setImmediate(resolve))
    return door.answered
  }
  return { ...door, counted }
}

function assertOnlyDebugLines({ lines }: { lines: readonly { level: string; facts: object }[] }): void {
  assert.deepEqual(
    lines.filter(({ level }) => level !== 'debug'),
    [],
  )
  assert.ok(lines.some(({ facts }) => 'status' in facts && facts.status === 499))
  assert.doesNotMatch(JSON.stringify(lines), /stack|\.ts:/)
}

/** A route that starts, waits until the client has disconnected, and then calls `end`. */
function waitingRoute(end: (signal: AbortSignal) => { said: string[] }, price?: { usd: string }) {
  const begun = Promise.withResolvers<void>()
  const run = async (_input: unknown, { signal }: Context) => {
    begun.resolve()
    if (!signal.aborted) await once(signal, 'abort')
    return end(signal)
  }
  const waiting = endpoint({ ...echo, name: 'waiting', path: '/v1/waiting/{word}', ...(price && { price }) })
  return { begun: begun.promise, route: route(waiting, run) }
}

const ENDS: Readonly<Record<string, (signal: AbortSignal) => { said: string[] }>> = {
  'still returns an answer': () => ({ said: [] }),
  "throws the signal's reason": (signal) => {
    throw signal.reason
  },
  'throws another error': () => {
    throw new Error('a socket was closed', { cause: new Error('deep inside') })
  },
  'throws an UpstreamError': () => {
    throw new UpstreamError('unavailable', 'the question was broken off')
  },
  'throws an ApiError': () => {
    throw new ApiError('service_unavailable', 'No search engine could be asked; try again later.')
  },
}

for (const [name, end] of Object.entries(ENDS)) {
  test(`a client that disconnects is counted as 499, also if the handler ${name}`, async (t) => {
    const { route, begun } = waitingRoute(end)
    const door = await start(t, [route])
    const socket = await open(door.port)
    socket.write(lines('GET /v1/waiting/a HTTP/1.1', 'Host: x'))
    await begun
    socket.destroy()
    assert.deepEqual(await door.counted(), [{ endpoint: 'waiting', door: 'http', status: 499 }])
    assertOnlyDebugLines(door)
  })
}

test('an answer that was sent before the client disconnected keeps its status', async (t) => {
  const door = await start(t, testRoutes)
  const socket = await open(door.port)
  socket.write(lines('GET /v1/echo/a HTTP/1.1', 'Host: x'))
  await once(socket, 'data')
  socket.resetAndDestroy()
  assert.deepEqual(await door.counted(), [{ endpoint: 'echo', door: 'http', status: 200 }])
})

for (const accept of ['application/x-ndjson', 'text/event-stream']) {
  test(`a client that disconnects in the middle of ${accept} is counted as 499`, async (t) => {
    const numbers = endpoint({
      ...echo,
      name: 'numbers',
      path: '/v1/numbers',
      input: z.object({}),
      complaints: {},
      streams: true,
      example: { input: {}, output: { said: [] } },
    })
    async function* stream(_input: unknown, { signal }: Context) {
      yield 1
      await once(signal, 'abort')
      throw new Error('the rest was broken off')
    }
    const door = await start(t, [streamingRoute(numbers, () => ({ said: [] }), stream)])
    const socket = await open(door.port)
    socket.write(lines('GET /v1/numbers HTTP/1.1', 'Host: x', `Accept: ${accept}`))
    await once(socket, 'data')
    socket.destroy()
    assert.deepEqual(await door.counted(), [{ endpoint: 'numbers', door: 'http', status: 499 }])
    assertOnlyDebugLines(door)
  })
}

test('a client that disconnects while a paid answer is computed is counted as 499', async (t) => {
  const { route, begun } = waitingRoute(ENDS["throws the signal's reason"]!, { usd: '0.02' })
  const paywall: Checkout['paywall'] = {
    serve: async ({ signal }, prepare) => {
      const work = await prepare()
      return { ...(await work(signal)), headers: [], isSettled: true }
    },
    isSigned: async () => true,
  }
  const checkout = { paywall, priceOf, publicUrl: 'https://shop.example', headers: [] }
  const door = await start(t, [route], { checkout })
  const socket = await open(door.port)
  socket.write(lines('GET /v1/waiting/a HTTP/1.1', 'Host: x', 'X-PAYMENT: e30='))
  await begun
  socket.destroy()
  assert.deepEqual(await door.counted(), [{ endpoint: 'waiting', door: 'http', status: 499 }])
  assertOnlyDebugLines(door)
})

const half = lines('POST /v1/post HTTP/1.1', 'Host: x', 'Content-Length: 100')
const chunked = lines('POST /v1/post HTTP/1.1', 'Host: x', 'Transfer-Encoding: chunked')
const CUTS: Readonly<Record<string, readonly [string, (socket: Socket) => void]>> = {
  'a reset': [`${half}{"name":`, (socket) => socket.resetAndDestroy()],
  'a close': [`${half}{"name":`, (socket) => socket.destroy()],
  'a reset between chunks': [`${chunked}5\r\n{"nam\r\n`, (socket) => socket.resetAndDestroy()],
}

for (const [name, [bytes, disconnect]] of Object.entries(CUTS)) {
  test(`a request body cut off by ${name} is counted as 499`, async (t) => {
    const door = await start(t, testRoutes)
    const socket = await open(door.port)
    socket.on('error', () => {})
    socket.write(bytes)
    // After the answer to a later request, the door has started to read the body.
    await door.get('/free')
    door.answered.length = 0
    disconnect(socket)
    assert.deepEqual(await door.counted(), [{ endpoint: 'post', door: 'http', status: 499 }])
    assert.deepEqual(door.refused, [])
    assertOnlyDebugLines(door)
  })
}

test('a request body that times out is answered and counted as 408', async (t) => {
  const door = await start(t, testRoutes, { limits: { headersMs: 100, requestMs: 100, checkMs: 20 } })
  const socket = await open(door.port)
  socket.write(`${half}{"name":`)
  assert.equal(statusOf(await readAll(socket)), 408)
  assert.deepEqual(await door.counted(), [{ endpoint: 'post', door: 'http', status: 408 }])
})

test('a connection reset between requests is neither counted as rejected nor logged', async (t) => {
  const door = await start(t, testRoutes)
  const socket = await open(door.port)
  socket.write(lines('GET /free HTTP/1.1', 'Host: x'))
  await once(socket, 'data')
  socket.resetAndDestroy()
  await door.get('/free')
  const idle = await open(door.port)
  idle.resetAndDestroy()
  await door.get('/free')
  assert.deepEqual(door.refused, [])
  assert.deepEqual(
    door.lines.filter(({ level }) => level !== 'debug'),
    [],
  )
})

test('a client that disconnects during an MCP tool call is counted as 499 for /mcp and for the tool', async (t) => {
  const { route, begun } = waitingRoute(ENDS['throws another error']!)
  const door = await start(t, [], {
    mounts: [mcpMount([route], { version: '1', publicUrl: 'http://127.0.0.1', host: '127.0.0.1', log: silent })],
  })
  const call = { name: 'waiting', arguments: { word: 'a' } }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: call })
  const socket = await open(door.port)
  const head = ['POST /mcp HTTP/1.1', 'Host: 127.0.0.1', 'Accept: application/json, text/event-stream']
  socket.write(lines(...head, 'Content-Type: application/json', `Content-Length: ${body.length}`) + body)
  await begun
  socket.destroy()
  while (door.answered.length < 2) await new Promise((resolve) => setImmediate(resolve))
  assert.deepEqual(
    door.answered.toSorted((a, b) => (a.door < b.door ? -1 : 1)),
    [
      { endpoint: 'mcp', door: 'http', status: 499 },
      { endpoint: 'waiting', door: 'mcp', status: 499 },
    ],
  )
  assertOnlyDebugLines(door)
})
