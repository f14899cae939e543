import assert from 'node:assert/strict'
import { request as httpRequest, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { after, before, describe, test } from 'node:test'
import { text } from 'node:stream/consumers'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { z } from 'zod'
import { endpoint, route } from '../../src/kernel/endpoint.ts'
import { mcpMount } from '../../src/surfaces/mcp/mount.ts'
import { callWith, startWorld, syntheticRoutes, waiting, type World } from './world.ts'
import { startDoor } from '../support/door.ts'

type Sent = { method?: string; headers?: Record<string, string>; body?: string | Buffer }
type Reply = { status: number; headers: IncomingHttpHeaders; text: string }

const JSON_HEADERS = { 'Content-Type': 'application/json', Accept: 'application/json, text/event-stream' }

function send(url: URL, { method = 'POST', headers = {}, body = '' }: Sent = {}): Promise<Reply> {
  return new Promise((resolve, reject) => {
    const request = httpRequest(url, { method, headers: { ...JSON_HEADERS, ...headers }, agent: false })
    request.once('error', reject)
    request.once('response', (response) => {
      text(response).then((text) => resolve({ status: response.statusCode!, headers: response.headers, text }), reject)
    })
    request.end(body)
  })
}

/** A call as a client of the 2025 revisions writes it, which needs no session here. */
const callOf = (name: string, input: unknown = {}, id = 1): string =>
  JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, arguments: input } })

const lookUp = callOf('lookUp', { name: 'example' })

/** The messages of a stream of events. */
const messagesOf = ({ text }: Reply): { id: number; result: { structuredContent: { name: string } } }[] =>
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

describe('the address of the tools', () => {
  let world: World
  before(async () => (world = await startWorld(syntheticRoutes(), { origins: ['https://app.example'] })))
  after(async () => {
    assert.deepEqual(world.errors, [], 'nothing a client does wrong is a failure of ours')
    await world.close()
  })

  test('answers a call of the 2025 revisions as a stream of one message', async () => {
    const reply = await send(world.url, { body: lookUp })
    assert.equal(reply.status, 200)
    assert.match(reply.headers['content-type'] ?? '', /^text\/event-stream/)
    const [message, ...others] = messagesOf(reply)
    assert.equal(message!.result.structuredContent.name, 'example')
    assert.deepEqual(others, [])
  })

  test('is only there for POST', async () => {
    for (const method of ['GET', 'DELETE', 'PUT', 'PATCH', 'TRACE', 'OPTIONS']) {
      const reply = await send(world.url, { method })
      assertRefused(reply, 405, -32000)
      assert.equal(reply.headers.allow, 'POST')
    }
    assert.equal((await send(world.url, { method: 'HEAD' })).status, 405)
  })

  test('refuses a body that is not said to be JSON, as a form of another page would send', async () => {
    for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'application/jsonp', '']) {
      for (const body of [lookUp, 'name=example']) {
        assertRefused(await send(world.url, { headers: { 'Content-Type': type }, body }), 415, -32000)
      }
    }
    const reply = await send(world.url, {
      headers: { 'Content-Type': 'Application/JSON; charset=utf-8' },
      body: lookUp,
    })
    assert.equal(reply.status, 200)
  })

  test('refuses what is not JSON', async () => {
    const invalidUtf8 = Buffer.concat([
      Buffer.from('{"jsonrpc":"2.0","id":"'),
      Buffer.from([0xc3, 0x28]),
      Buffer.from('"}'),
    ])
    for (const body of ['', '{', 'hello', '{"a":1}}', '\u0000', invalidUtf8]) {
      assertRefused(await send(world.url, { body }), 400, -32700)
    }
  })

  test('refuses JSON that is no message', async () => {
    for (const body of ['null', '1', '"text"', '{}', '[]', '[1]', '{"jsonrpc":"1.0","id":1,"method":"ping"}']) {
      const { status } = await send(world.url, { body })
      assert.equal(status, 400, body)
    }
  })

  test('takes a body of 256 KiB and refuses one byte more, whether or not its length is announced', async () => {
    const full = lookUp.padEnd(256 * 1024)
    assert.equal((await send(world.url, { body: full })).status, 200)
    const chunked = { 'Transfer-Encoding': 'chunked' }
    assert.equal((await send(world.url, { body: full, headers: chunked })).status, 200)
    for (const headers of [{}, chunked]) {
      const reply = await send(world.url, { body: `${full} `, headers })
      assertRefused(reply, 413, -32000)
      assert.equal(reply.headers.connection, 'close')
    }
  })

  test('refuses a body by its announced length before any of it is there', async () => {
    const headers = { ...JSON_HEADERS, 'Content-Length': 10 * 1024 * 1024 }
    const request = httpRequest(world.url, { method: 'POST', headers, agent: false })
    request.on('error', () => {})
    request.flushHeaders()
    const { statusCode } = await new Promise<IncomingMessage>((resolve) => request.once('response', resolve))
    assert.equal(statusCode, 413)
    request.destroy()
  })

  test('answers a call whose arguments are nested ten thousand deep', async () => {
    const deep = `${'['.repeat(10_000)}${']'.repeat(10_000)}`
    const reply = await send(world.url, { body: callOf('lookUp', { name: 'DEEP' }).replace('"DEEP"', deep) })
    assert.match(reply.text, /invalid_name/)
    assert.match(reply.text, /"isError":true/)
  })

  test('has its tools on one page', async () => {
    const listOf = (params: object) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params })
    assert.doesNotMatch((await send(world.url, { body: listOf({}) })).text, /nextCursor/)
    assert.match((await send(world.url, { body: listOf({ cursor: 'x' }) })).text, /"code":-32602/)
  })

  test('refuses a revision it does not speak', async () => {
    const reply = await send(world.url, { headers: { 'MCP-Protocol-Version': '1999-01-01' }, body: lookUp })
    assert.equal(reply.status, 400)
  })

  test('keeps the pages of others away from a service on the visitor’s machine', async () => {
    assertRefused(await send(world.url, { headers: { Host: 'evil.example' }, body: lookUp }), 403, -32000)
    assertRefused(await send(world.url, { headers: { Origin: 'https://evil.example' }, body: lookUp }), 403, -32000)
    for (const headers of [{ Host: 'names.example' }, { Origin: 'https://app.example' }]) {
      assert.equal((await send(world.url, { headers, body: lookUp })).status, 200)
    }
  })

  test('survives a client that breaks off in the middle of its body', async () => {
    const socket = connect(Number(world.url.port), '127.0.0.1')
    await new Promise<void>((resolve) => {
      socket.write(
        'POST /mcp HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: 99\r\n\r\n{',
        () => resolve(),
      )
    })
    socket.destroy()
    assert.equal((await send(world.url, { body: lookUp })).status, 200)
  })
})

test('two endpoints of one name are noticed at the start', async () => {
  await assert.rejects(startWorld([...syntheticRoutes(), ...syntheticRoutes()]), /Two endpoints are named lookUp/)
})

test('every call in a batch of an old client counts', async () => {
  const world = await startWorld(syntheticRoutes(), { call: callWith({ limit: 2 }) })
  const batch = [1, 2, 3].map((id) => callOf('lookUp', { name: 'example' }, id)).join(',')
  const reply = await send(world.url, { body: `[${batch}]` })
  assert.equal(reply.text.match(/rate_limit_exceeded/g)?.length, 1)
  assert.equal(messagesOf(reply).length, 3)
  await world.close()
})

test('a large answer arrives whole', async () => {
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
  const world = await startWorld([route(large, () => ({ name }))])
  const reply = await send(world.url, { body: callOf('large') })
  assert.equal(messagesOf(reply)[0]!.result.structuredContent.name, name)
  await world.close()
})

test('a client that leaves in the middle of a call ends the work for it, in either revision', async () => {
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
    [callOf('wait'), {}],
  ] as const) {
    const watched = waiting()
    const world = await startWorld(syntheticRoutes(watched))
    const request = httpRequest(world.url, { method: 'POST', headers: { ...JSON_HEADERS, ...headers }, agent: false })
    request.on('error', () => {})
    request.end(body)
    const signal = await watched.started.promise
    assert.equal(signal.aborted, false)
    request.destroy()
    await watched.aborted.promise
    await nextTurn()
    assert.deepEqual(world.errors, [], 'a client that leaves is no failure of ours')
    await world.close()
  }
})

test('behind the door every call counts against the limit of its client, and the list does not', async () => {
  const routes = syntheticRoutes()
  const lines: string[] = []
  const say = (_: unknown, sentence: string) => void lines.push(sentence)
  const log = { debug: say, info: say, warn: say, error: say }
  const mount = mcpMount(routes, { version: '0.3.0', host: '127.0.0.1', publicUrl: 'http://127.0.0.1', log })
  const door = await startDoor(routes, { mounts: [mount], rateLimit: 2 })
  const url = new URL('/mcp', door.url)
  const list = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  for (let asked = 0; asked < 5; asked++) assert.match((await send(url, { body: list })).text, /"lookUp"/)
  for (let asked = 0; asked < 2; asked++) assert.match((await send(url, { body: lookUp })).text, /structuredContent/)
  const refused = await send(url, { body: lookUp })
  assert.equal(refused.status, 200)
  assert.match(refused.text, /rate_limit_exceeded/)
  assert.match(refused.headers['x-request-id'] as string, /^[\w-]{36}$/)
  const get = await send(url, { method: 'GET' })
  assert.equal(get.status, 405)
  assert.match(get.headers.allow ?? '', /POST/)
  await door.stop()
})
