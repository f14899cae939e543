import assert from 'node:assert/strict'
import type { Stream } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, type ClientOptions, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import { callWith, SECRET, startWorld, syntheticRoutes, waiting, type World } from './world.ts'

/** The revisions agents speak today, each forced on the official client. */
const REVISIONS: Readonly<Record<string, ClientOptions>> = {
  '2026-07-28': { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  '2025-11-25': { supportedProtocolVersions: ['2025-11-25'] },
  '2025-06-18': { supportedProtocolVersions: ['2025-06-18'] },
}

const STDIO_SERVER = fileURLToPath(new URL('stdio-server.ts', import.meta.url))

async function connect(url: URL, options: ClientOptions): Promise<Client> {
  const client = new Client({ name: 'test', version: '1.0.0' }, options)
  await client.connect(new StreamableHTTPClientTransport(url))
  return client
}

/** The contract's error body inside a failed tool call. */
async function failureOf(client: Client, name: string, input: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: input })
  assert.equal(result.isError, true)
  // A client that checks structured content against the output schema would hide our sentence behind its own.
  assert.equal(result.structuredContent, undefined)
  return JSON.parse(textOf(result)) as { error: string; message: string }
}

function textOf({ content }: { content: { type: string; text?: string }[] }): string {
  assert.equal(content.length, 1)
  assert.equal(content[0]!.type, 'text')
  return content[0]!.text!
}

for (const [revision, options] of Object.entries(REVISIONS)) {
  describe(`an agent that speaks ${revision} over HTTP`, () => {
    let world: World
    let client: Client
    before(async () => {
      world = await startWorld(syntheticRoutes())
      client = await connect(world.url, options)
    })
    after(async () => {
      await client.close()
      await world.close()
    })

    test('is answered in its own revision', () => {
      assert.equal(client.getNegotiatedProtocolVersion(), revision)
      assert.deepEqual(client.getServerVersion(), { name: 'onoma', title: 'Onoma', version: '0.3.0' })
      assert.match(client.getInstructions() ?? '', /rate_limit_exceeded/)
    })

    test('finds a tool for every endpoint but those for old clients and monitors, in the order of the routes', async () => {
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map((tool) => tool.name),
        ['lookUp', 'chooseShape', 'prepare', 'breakDown', 'wait'],
      )
    })

    test('gets the answer as text and as structured content', async () => {
      const result = await client.callTool({ name: 'lookUp', arguments: { name: 'example', depth: 3 } })
      const answer = { name: 'example', depth: 3, at: '2026-11-15T00:00:00Z' }
      assert.deepEqual(result.structuredContent, answer)
      assert.deepEqual(JSON.parse(textOf(result)), answer)
      assert.equal(result.isError, undefined)
    })

    test('gets either shape of an answer that has two', async () => {
      // The client knows the output schemas by now and refuses what does not fit.
      await client.listTools()
      for (const [shape, answer] of [
        ['small', { small: true }],
        ['large', { large: [{ small: true }] }],
      ] as const) {
        const result = await client.callTool({ name: 'chooseShape', arguments: { shape } })
        assert.deepEqual(result.structuredContent, answer)
      }
    })

    test('is told by the code and sentence of the contract what is wrong with its input', async () => {
      assert.deepEqual(await failureOf(client, 'lookUp'), {
        error: 'missing_domain',
        message: 'name is required; for example name=example.',
      })
      assert.deepEqual(await failureOf(client, 'lookUp', { name: 'example', depth: 10 }), {
        error: 'invalid_parameter',
        message: 'depth must be at most 9, not 10.',
      })
      assert.equal((await failureOf(client, 'lookUp', { name: 'a\u0000b' })).error, 'invalid_name')
      assert.equal((await failureOf(client, 'lookUp', { name: { deep: ['x'] } })).error, 'invalid_name')
    })

    test('sees that an answer is a failure where HTTP would say so by its status', async () => {
      assert.deepEqual(await failureOf(client, 'lookUp', { name: 'nobody' }), {
        name: 'nobody',
        depth: 1,
        at: '2026-11-15T00:00:00Z',
      })
    })

    test('learns nothing about our insides when we break down, while the cause is reported', async () => {
      world.errors.length = 0
      const result = await client.callTool({ name: 'breakDown' })
      assert.deepEqual(JSON.parse(textOf(result)), {
        error: 'internal_error',
        message: 'Something went wrong on our side.',
      })
      assert.doesNotMatch(JSON.stringify(result), /hunter2|stack|world\.ts/)
      assert.equal(world.errors.length, 1)
      assert.match(String(world.errors[0]), new RegExp(SECRET))
    })

    test("gets the protocol's own error for a tool there is not", async () => {
      for (const name of ['legacyLookUp', 'health', 'toString', '__proto__', 'x'.repeat(10_000)]) {
        await assert.rejects(client.callTool({ name }), (error) => {
          assert.ok(error instanceof ProtocolError)
          assert.equal(error.code, -32602)
          assert.ok(error.message.length < 200)
          return true
        })
      }
    })

    test('gets its own answer to each of 50 calls at once', async () => {
      const names = Array.from({ length: 50 }, (_, index) => `name${index}`)
      const results = await Promise.all(names.map((name) => client.callTool({ name: 'lookUp', arguments: { name } })))
      assert.deepEqual(
        results.map(({ structuredContent }) => (structuredContent as { name: string }).name),
        names,
      )
    })

    test('ends the work of a call it gives up', async () => {
      const watched = waiting()
      const world = await startWorld(syntheticRoutes(watched))
      const client = await connect(world.url, options)
      const giveUp = new AbortController()
      const call = client.callTool({ name: 'wait' }, { signal: giveUp.signal })
      call.catch(() => {})
      const signal = await watched.started.promise
      assert.equal(signal.aborted, false)
      giveUp.abort()
      await assert.rejects(call)
      // A client of the 2025 revisions only says so and leaves the connection open; leaving closes it.
      await client.close()
      await watched.aborted.promise
      await nextTurn()
      assert.deepEqual(world.errors, [])
      await world.close()
    })

    test('is told when it asks too much', async () => {
      const world = await startWorld(syntheticRoutes(), { call: callWith({ limit: 2 }) })
      const client = await connect(world.url, options)
      await client.listTools()
      for (let call = 1; call <= 2; call++) {
        const { isError } = await client.callTool({ name: 'lookUp', arguments: { name: 'example' } })
        assert.equal(isError, undefined)
      }
      assert.deepEqual(await failureOf(client, 'lookUp', { name: 'example' }), {
        error: 'rate_limit_exceeded',
        message: 'Too many; ask again in 7 s.',
      })
      await client.close()
      await world.close()
    })
  })

  test(`an agent that speaks ${revision} over stdio lists, calls, is refused and cancels`, async () => {
    const transport = new StdioClientTransport({ command: process.execPath, args: [STDIO_SERVER], stderr: 'pipe' })
    const said = listenTo(transport.stderr!)
    const client = new Client({ name: 'test', version: '1.0.0' }, options)
    await client.connect(transport)
    try {
      assert.equal(client.getNegotiatedProtocolVersion(), revision)
      assert.equal((await client.listTools()).tools.length, 5)
      const result = await client.callTool({ name: 'lookUp', arguments: { name: 'example' } })
      assert.deepEqual(result.structuredContent, { name: 'example', depth: 1, at: '2026-11-15T00:00:00Z' })
      assert.equal((await failureOf(client, 'lookUp')).error, 'missing_domain')
      assert.equal((await failureOf(client, 'breakDown')).error, 'internal_error')
      const giveUp = new AbortController()
      const call = client.callTool({ name: 'wait' }, { signal: giveUp.signal })
      call.catch(() => {})
      await said('waiting')
      giveUp.abort()
      await assert.rejects(call)
      await said('aborted')
    } finally {
      await client.close()
    }
    await said('closed')
  })
}

/** Resolves once a stream has said a line. */
function listenTo(stream: Stream): (line: string) => Promise<void> {
  let text = ''
  const waiting = new Set<() => void>()
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    for (const look of waiting) look()
  })
  return (line) =>
    new Promise((resolve) => {
      const look = () => {
        if (!text.split('\n').includes(line)) return
        waiting.delete(look)
        resolve()
      }
      waiting.add(look)
      look()
    })
}
