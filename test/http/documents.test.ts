import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { jsonDocument } from '../../src/surfaces/http/documents.ts'
import { pictureMount } from '../../src/surfaces/http/pictures.ts'
import { bodyOf, encode, render } from '../../src/surfaces/http/render.ts'
import { mcpMount } from '../../src/surfaces/mcp/mount.ts'
import { startDoor, type DoorOptions } from '../support/door.ts'
import { testRoutes } from '../support/routes.ts'

const LARGE = { words: Array.from({ length: 5_000 }, (_, at) => `wörd-${at}`) }
const log = { debug() {}, info() {}, warn() {}, error() {} }
const mounts = () => [
  jsonDocument('large', '/large.json', () => ({ ...LARGE })),
  pictureMount({ get: async () => null }),
  mcpMount(testRoutes, { version: '0.3.0', host: '127.0.0.1', publicUrl: 'http://127.0.0.1', log }),
]

async function start(context: TestContext, options: DoorOptions = {}) {
  const door = await startDoor(testRoutes, { mounts: mounts(), ...options })
  context.after(() => door.stop())
  const mcp = async (body: unknown) => {
    const reply = await door.get('/mcp', {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
      body: JSON.stringify(body),
    })
    const messages = reply.text.startsWith('event:')
      ? [...reply.text.matchAll(/^data: (.*)$/gm)].map(([, json]) => JSON.parse(json!) as Message)
      : [reply.body as Message]
    return { ...reply, messages }
  }
  return { ...door, mcp }
}

type Message = { id: unknown; result?: { tools?: { name: string }[] }; error?: { code: number; message: string } }

const list = (id: string | number, params?: object) => ({ jsonrpc: '2.0', id, method: 'tools/list', params })
const call = (id: number) => ({
  jsonrpc: '2.0',
  id,
  method: 'tools/call',
  params: { name: 'echo', arguments: { word: 'a' } },
})

describe('the rate limit of documents', () => {
  test('is shared by documents, screenshots and MCP lists, and apart from that of requests', async (context) => {
    const door = await start(context, { documentRateLimit: 3, rateLimit: 2 })
    assert.equal((await door.get('/large.json')).status, 200)
    assert.equal((await door.get(`/screenshots/${'0'.repeat(64)}.jpg`)).status, 404)
    assert.equal((await door.mcp(list(1))).status, 200)
    const refused = await door.get('/large.json')
    assert.equal(refused.status, 429)
    assert.equal((refused.body as { error: string }).error, 'rate_limit_exceeded')
    assert.equal(refused.headers.get('retry-after'), '60')
    const refusedList = await door.mcp(list(2))
    assert.deepEqual([refusedList.status, refusedList.headers.get('retry-after')], [429, '60'])
    assert.equal(refusedList.messages[0]!.error!.code, -32000)
    assert.equal((await door.get('/v1/limited')).status, 200)
    assert.match((await door.mcp(call(1))).text, /"said"/)
    assert.equal((await door.get('/v1/limited')).status, 429)
    assert.equal((await door.get('/free')).status, 200)
    door.clock.advance(61_000)
    assert.equal((await door.get('/large.json')).status, 200)
  })

  test('counts every message of a batch, calls in the limit of requests', async (context) => {
    const door = await start(context, { documentRateLimit: 4, rateLimit: 2 })
    const { messages } = await door.mcp([list(1), call(2), call(3), call(4), list(5)])
    assert.equal(messages.length, 5)
    assert.equal(messages.filter((message) => JSON.stringify(message).includes('rate_limit_exceeded')).length, 1)
    assert.equal((await door.mcp([list(1), list(2), list(3)])).status, 429)
    assert.equal((await door.mcp([list(1), list(2)])).status, 200)
  })

  test('a body that cannot be read counts too', async (context) => {
    const door = await start(context, { documentRateLimit: 2 })
    const broken = () =>
      door.get('/mcp', { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{' })
    assert.deepEqual([(await broken()).status, (await broken()).status, (await broken()).status], [400, 400, 429])
  })
})

describe('MCP batches and lists', () => {
  test('a batch of more than 16 messages is refused', async (context) => {
    const door = await start(context)
    const batch = (count: number) => Array.from({ length: count }, (_, at) => list(at))
    assert.equal((await door.mcp(batch(16))).messages.length, 16)
    const { status, messages } = await door.mcp(batch(17))
    assert.deepEqual([status, messages[0]!.error!.code], [400, -32600])
    assert.match(messages[0]!.error!.message, /at most 16 messages; this one has 17/)
  })

  test('a prepared list is the same as the first, whatever the id', async (context) => {
    const door = await start(context)
    const first = await door.mcp(list(1))
    for (const id of ['a "quoted" id', 7, 'id-of-the-request:8d1f6c0e']) {
      const next = await door.mcp(list(id))
      assert.equal(next.messages[0]!.id, id)
      assert.deepEqual(next.messages[0]!.result, first.messages[0]!.result)
      assert.equal(next.headers.get('content-type'), first.headers.get('content-type'))
    }
    const batch = await door.mcp([list('x'), list('y')])
    assert.deepEqual(
      batch.messages.map(({ id, result }) => [id, result!.tools!.length]),
      ['x', 'y'].map((id) => [id, first.messages[0]!.result!.tools!.length]),
    )
  })

  test('a list with a cursor, and one of an unknown revision, are still answered with an error', async (context) => {
    const door = await start(context)
    await door.mcp(list(1))
    assert.equal((await door.mcp(list(2, { cursor: 'x' }))).messages[0]!.error!.code, -32602)
    const unknown = await door.get('/mcp', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        'mcp-protocol-version': '1999-01-01',
      },
      body: JSON.stringify(list(3)),
    })
    assert.equal(unknown.status, 400)
  })
})

describe('the bytes of a document', () => {
  test('are made once for every encoding, and shared by all answers', async () => {
    const rendered = render(Object.freeze({ ...LARGE }))
    assert.ok(Buffer.isBuffer(bodyOf(rendered)))
    assert.equal(bodyOf(rendered), bodyOf(rendered))
    assert.equal(await encode(rendered, 'br'), await encode(rendered, 'br'))
    assert.equal(typeof bodyOf(render({ ...LARGE })), 'string', 'a body that is sent once is not copied')
  })

  test('are the document, and a client with a current ETag gets 304', async (context) => {
    const door = await start(context)
    const plain = await door.get('/large.json')
    assert.deepEqual(plain.body, LARGE)
    assert.equal(plain.headers.get('content-length'), String(Buffer.byteLength(JSON.stringify(LARGE))))
    const packed = await fetch(`${door.url}/large.json`, { headers: { 'accept-encoding': 'br' } })
    assert.deepEqual(await packed.json(), LARGE)
    assert.equal(packed.headers.get('content-encoding'), 'br')
    const again = await door.get('/large.json', { headers: { 'if-none-match': plain.headers.get('etag')! } })
    assert.deepEqual([again.status, again.text], [304, ''])
  })
})
