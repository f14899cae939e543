import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import * as z from 'zod'
import { endpoint, route } from '../../src/kernel/endpoint.ts'
import { mcpMount } from '../../src/surfaces/mcp/mount.ts'
import { createCall, startMcpServer, syntheticRoutes, createObserver, type McpServer } from './mcp-server.fixture.ts'
import { startDoor } from '../support/door.ts'

type RequestOptions = { method?: string; headers?: Record<string, string>; body?: string | Buffer }
type Reply = { status: number; headers: IncomingHttpHeaders; text: string }

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

function send(url: URL, { method = 'POST', headers = {}, body = '' }: RequestOptions = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { ...JSON_HEADERS, ...headers }, agent: false })
    request.once('error', reject)
    request.once('response', (response) => {
      text(response).then((text) => resolve({ status: response.statusCode!, headers: response.headers, text }), reject)
    })
    request.end(body)
  })
}

/** A call of the 2025 revisions; no session is needed. */
const formatCall = (name: string, input: unknown = {}, id = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } })

const lookUp = formatCall('lookUp', { name: 'example' })

/** The messages of an event stream. */
const parseMessages = ({ text }: Reply): { id: number; result: { structuredContent: { name: string } } }[] =>
  text
    .split('\n')
    .filter((line) => line.startsWith('data: '))
    .map((line) => JSON.parse(line.slice('data: '.length)) as never)

function assertRefused(reply: Reply, status: number, code: number): void {
  assert.equal(reply.status, status, reply.text)
  assert.match(reply.headers['content-type'] ?? '', /^application\/json/)
  const body = JSON.parse(reply.text) as { jsonrpc: string; id: unknown; error: { code: number; message: string } }
  assert.equal(body.jsonrpc, '2.0')
  assert.equal(body.error.code, code)
  assert.ok(body.error.message.length > 10)
}

describe('the MCP endpoint', () => {
  let server: McpServer
  before(async () => (server = await startMcpServer(syntheticRoutes(), { origins: ['https://app.example'] })))
  after(async () => {
    assert.deepEqual(server.errors, [], 'a client error was reported as a server error')
    await server.close()
  })

  test('answers a call of the 2025 revisions with an event stream of one message', async () => {
    const reply = await send(server.url, { body: lookUp })
    assert.equal(reply.status, 200)
    assert.match(reply.headers['content-type'] ?? '', /^text\/event-stream/)
    const [message, ...others] = parseMessages(reply)
    assert.equal(message!.result.structuredContent.name, 'example')
    assert.deepEqual(others, [])
  })

  test('accepts only POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'TRACE', 'OPTIONS']) {
      const reply = await send(server.url, { method })
      assertRefused(reply, 405, -32000)
      assert.equal(reply.headers.allow, 'POST')
    }
    assert.equal((await send(server.url, { method: 'HEAD' })).status, 405)
  })

  test('rejects a body without a JSON content type, as an HTML form would send', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
      for (const body of [lookUp, 'name=example']) {
        assertRefused(await send(server.url, { headers: { 'Content-Type': type }, body }), 415, -32000)
      }
    }
    const reply = await send(server.url, {
      headers: { 'Content-Type': 'Application/JSON; charset=utf-8' },
      body: lookUp,
    })
    assert.equal(reply.status, 200)
  })

  test('rejects invalid JSON', async () => {
    const invalidUtf8 = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ])
    for (const body of ['', '{', 'hello', '{"a":1}}', '\u0000', invalidUtf8]) {
      assertRefused(await send(server.url, { body }), 400, -32700)
    }
  })

  test('rejects JSON that is not a message', async () => {
    for (const body of ['null', '1', '"text"', '{}', '[]', '[1]', '{"jsonrpc":"1.0","id":1,"method":"ping"}']) {
      const { status } = await send(server.url, { body })
      assert.equal(status, 400, body)
    }
  })

  test('accepts a body of 256 KiB and rejects one byte more, with and without Content-Length', async () => {
    const full = lookUp.padEnd(256 * 1024)
    assert.equal((await send(server.url, { body: full })).status, 200)
    const chunked = { 'Transfer-Encoding': 'chunked' }
    assert.equal((await send(server.url, { body: full, headers: chunked })).status, 200)
    for (const headers of [{}, chunked]) {
      const reply = await send(server.url, { body: `${full} `, headers })
      assertRefused(reply, 413, -32000)
      assert.equal(reply.headers.connection, 'close')
    }
  })

  test('rejects a body by its Content-Length before any of it arrives', async () => {
    const headers = { ...JSON_HEADERS, 'Content-Length': 10 * 1024 * 1024 }
    const request = httpRequest(server.url, { method: 'POST', headers, agent: false })
    request.on('error', () => {})
    request.flushHeaders()
    const { statusCode } = await new Promise<IncomingMessage>((resolve) => request.once('response', resolve))
    assert.equal(statusCode, 413)
    request.destroy()
  })

  test('answers a call whose arguments are nested ten thousand deep', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    const reply = await send(server.url, { body: formatCall('lookUp', { name: 'DEEP' }).replace('"DEEP"', deep) })
    assert.match(reply.text, /invalid_name/)
    assert.match(reply.text, /"isError":true/)
  })

  test('lists its tools on one page', async () => {
    const listOf = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })
    assert.doesNotMatch((await send(server.url, { body: listOf({}) })).text, /nextCursor/)
    assert.match((await send(server.url, { body: listOf({ cursor: 'x' }) })).text, /"code":-32602/)
  })

  test('rejects an unknown protocol revision', async () => {
    const reply = await send(server.url, { headers: { 'MCP-Protocol-Version': '1999-01-01' }, body: lookUp })
    assert.equal(reply.status, 400)
  })

  test('rejects foreign hosts and origins, against DNS rebinding', async () => {
    assertRefused(await send(server.url, { headers: { Host: 'evil.example' }, body: lookUp }), 403, -32000)
    assertRefused(await send(server.url, { headers: { Origin: 'https://evil.example' }, body: lookUp }), 403, -32000)
    for (const headers of [{ Host: 'names.example' }, { Origin: 'https://app.example' }]) {
      assert.equal((await send(server.url, { headers, body: lookUp })).status, 200)
    }
  })

  test('survives a client that disconnects in the middle of its body', async () => {
    const socket = connect(Number(server.url.port), '127.0.0.1')
    await new Promise<void>((resolve) => {
      socket.write(
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
        () => resolve(),
      )
    })
    socket.destroy()
    assert.equal((await send(server.url, { body: lookUp })).status, 200)
  })
})

test('two endpoints with one name are rejected at start-up', async () => {
  await assert.rejects(startMcpServer([...syntheticRoutes(), ...syntheticRoutes()]), /Two endpoints are named lookUp/)
})

test('every call in a batch counts against the rate limit', async () => {
  const server = await startMcpServer(syntheticRoutes(), { call: createCall({ limit: 2 }) })
  const batch = [1, 2, 3].map((id) => formatCall('lookUp', { name: 'example' }, id)).join(',')
  const reply = await send(server.url, { body: `[${batch}]` })
  assert.equal(reply.text.match(/rate_limit_exceeded/g)?.length, 1)
  assert.equal(parseMessages(reply).length, 3)
  await server.close()
})

test('a large result arrives complete', async () => {
  const large = endpoint({
    name: 'large',
    capability: { name: 'synthetic', description: 'For tests.' },
    method: 'GET',
    path: '/v1/large',
    summary: 'Answer at length',
    description: 'Made up.',
    input: z.object({}),
    output: z.object({ name: z.string() }),
    errors: [],
    rate: 'counted',
    tool: true,
    example: { input: {}, output: { name: '' } },
  })
  const name = 'n'.repeat(4 * 1024 * 1024)
  const server = await startMcpServer([route(large, () => ({ name }))])
  const reply = await send(server.url, { body: formatCall('large') })
  assert.equal(parseMessages(reply)[0]!.result.structuredContent.name, name)
  await server.close()
})

test('a disconnect during a call aborts its work, in either revision', async () => {
  const modern = JSON.stringify({
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: {
      name: 'wait',
      arguments: {},
      _meta: {
        'io.modelcontextprotocol/protocolVersion': '2026-07-28',
        'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1.0.0' },
        'io.modelcontextprotocol/clientCapabilities': {},
      },
    },
  })
  const modernHeaders = { 'MCP-Protocol-Version': '2026-07-28', 'Mcp-Method': 'tools/call', 'Mcp-Name': 'wait' }
  for (const [body, headers] of [
    [modern, modernHeaders],
    [formatCall('wait'), {}],
  ] as const) {
    const observer = createObserver()
    const server = await startMcpServer(syntheticRoutes(observer))
    const request = httpRequest(server.url, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, agent: false })
    request.on('error', () => {})
    request.end(body)
    const signal = await observer.started.promise
    assert.equal(signal.aborted, false)
    request.destroy()
    await observer.aborted.promise
    await nextTurn()
    assert.deepEqual(server.errors, [], 'a disconnect was reported as a server error')
    await server.close()
  }
})

test('behind the door, every call counts against the rate limit of its client, and listing does not', async () => {
  const routes = syntheticRoutes()
  const lines: string[] = []
  const record = (_: unknown, sentence: string) => void lines.push(sentence)
  const log = { debug: record, info: record, warn: record, error: record }
  const mount = mcpMount(routes, { version: '0.3.0', host: '127.0.0.1', publicUrl: 'http://127.0.0.1', log })
  const door = await startDoor(routes, { mounts: [mount], rateLimit: 2 })
  const url = new URL('/mcp', door.url)
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  for (let count = 0; count < 5; count++) assert.match((await send(url, { body: list })).text, /"lookUp"/)
  for (let count = 0; count < 2; count++) assert.match((await send(url, { body: lookUp })).text, /structuredContent/)
  const refused = await send(url, { body: lookUp })
  assert.equal(refused.status, 200)
  assert.match(refused.text, /rate_limit_exceeded/)
  assert.match(refused.headers['x-request-id'] as string, /^[\w-]{36}$/)
  const get = await send(url, { method: 'GET' })
  assert.equal(get.status, 405)
  assert.match(get.headers.allow ?? '', /POST/)
  await door.stop()
})
