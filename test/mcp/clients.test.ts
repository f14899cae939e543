import assert from 'node:assert/strict'
import type { Stream } from 'node:stream'
import { after, before, describe, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { Client, type ClientOptions, ProtocolError, StreamableHTTPClientTransport } from '@modelcontextprotocol/client'
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio'
import {
  createCall,
  SECRET,
  startMcpServer,
  syntheticRoutes,
  createObserver,
  type McpServer,
} from './mcp-server.fixture.ts'

/** The protocol revisions in use, each forced on the official client. */
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

/** Calls a tool that must fail; returns the error body. */
async function callFailing(client: Client, name: string, input: Record<string, unknown> = {}) {
  const result = await client.callTool({ name, arguments: input })
  assert.equal(result.isError, true)
  // A client that validates structured content against the output schema would replace our message with its own.
  assert.equal(result.structuredContent, undefined)
  return JSON.parse(textOf(result)) as { error: string; message: string }
}

function textOf({ content }: { content: { type: string; text?: string }[] }): string {
  assert.equal(content.length, 1)
  assert.equal(content[0]!.type, 'text')
  return content[0]!.text!
}

for (const [revision, options] of Object.entries(REVISIONS)) {
  describe(`a client with revision ${revision} over HTTP`, () => {
    let server: McpServer
    let client: Client
    before(async () => {
      server = await startMcpServer(syntheticRoutes())
      client = await connect(server.url, options)
    })
    after(async () => {
      await client.close()
      await server.close()
    })

    test('is answered in its revision', () => {
      assert.equal(client.getNegotiatedProtocolVersion(), revision)
      assert.deepEqual(client.getServerVersion(), { name: 'onoma', title: 'Onoma', version: '0.3.0' })
      assert.match(client.getInstructions() ?? '', /rate_limit_exceeded/)
    })

    test('lists a tool for every endpoint with `tool`, in the order of the routes', async () => {
      const { tools } = await client.listTools()
      assert.deepEqual(
        tools.map((tool) => tool.name),
        ['lookUp', 'chooseShape', 'prepare', 'breakDown', 'wait'],
      )
    })

    test('gets the result as text and as structured content', async () => {
      const result = await client.callTool({ name: 'lookUp', arguments: { name: 'example', depth: 3 } })
      const answer = { name: 'example', depth: 3, at: '2026-11-15T00:00:00Z' }
      assert.deepEqual(result.structuredContent, answer)
      assert.deepEqual(JSON.parse(textOf(result)), answer)
      assert.equal(result.isError, undefined)
    })

    test('gets either shape of a result that has two', async () => {
      // After listing the tools, the client validates results against their output schemas.
      await client.listTools()
      for (const [shape, answer] of [
        ['small', { small: true }],
        ['large', { large: [{ small: true }] }],
      ] as const) {
        const result = await client.callTool({ name: 'chooseShape', arguments: { shape } })
        assert.deepEqual(result.structuredContent, answer)
      }
    })

    test('gets the error code and message of the contract for invalid input', async () => {
      assert.deepEqual(await callFailing(client, 'lookUp'), {
        error: 'missing_domain',
        message: 'name is required; for example name=example.',
      })
      assert.deepEqual(await callFailing(client, 'lookUp', { name: 'example', depth: 10 }), {
        error: 'invalid_parameter',
        message: 'depth must be at most 9, not 10.',
      })
      assert.equal((await callFailing(client, 'lookUp', { name: 'a\u0000b' })).error, 'invalid_name')
      assert.equal((await callFailing(client, 'lookUp', { name: { deep: ['x'] } })).error, 'invalid_name')
    })

    test('gets `isError` if the HTTP status would be an error', async () => {
      assert.deepEqual(await callFailing(client, 'lookUp', { name: 'nobody' }), {
        name: 'nobody',
        depth: 1,
        at: '2026-11-15T00:00:00Z',
      })
    })

    test('gets no internals in an internal error, while the cause is reported', async () => {
      server.errors.length = 0
      const result = await client.callTool({ name: 'breakDown' })
      assert.deepEqual(JSON.parse(textOf(result)), {
        error: 'internal_error',
        message: 'Something went wrong on our side.',
      })
      assert.doesNotMatch(JSON.stringify(result), /hunter2|stack|fixture\.ts/)
      assert.equal(server.errors.length, 1)
      assert.match(String(server.errors[0]), new RegExp(SECRET))
    })

    test("gets the protocol's own error for an unknown tool", async () => {
      for (const name of ['legacyLookUp', 'health', 'toString', '__proto__', 'x'.repeat(10_000)]) {
        await assert.rejects(client.callTool({ name }), (error) => {
          assert.ok(error instanceof ProtocolError)
          assert.equal(error.code, -32602)
          assert.ok(error.message.length < 200)
          return true
        })
      }
    })

    test('gets its own result for each of 50 concurrent calls', async () => {
      const names = Array.from({ length: 50 }, (_, index) => `name${index}`)
      const results = await Promise.all(names.map((name) => client.callTool({ name: 'lookUp', arguments: { name } })))
      assert.deepEqual(
        results.map(({ structuredContent }) => (structuredContent as { name: string }).name),
        names,
      )
    })

    test('aborts the work of a call that it cancels', async () => {
      const observer = createObserver()
      const server = await startMcpServer(syntheticRoutes(observer))
      const client = await connect(server.url, options)
      const giveUp = new AbortController()
      const call = client.callTool({ name: 'wait' }, { signal: giveUp.signal })
      call.catch(() => {})
      const signal = await observer.started.promise
      assert.equal(signal.aborted, false)
      giveUp.abort()
      await assert.rejects(call)
      // A client of the 2025 revisions only sends a notification; closing the client closes the connection.
      await client.close()
      await observer.aborted.promise
      await nextTurn()
      assert.deepEqual(server.errors, [])
      await server.close()
    })

    test('gets an error when it exceeds the rate limit', async () => {
      const server = await startMcpServer(syntheticRoutes(), { call: createCall({ limit: 2 }) })
      const client = await connect(server.url, options)
      await client.listTools()
      for (let call = 1; call <= 2; call++) {
        const { isError } = await client.callTool({ name: 'lookUp', arguments: { name: 'example' } })
        assert.equal(isError, undefined)
      }
      assert.deepEqual(await callFailing(client, 'lookUp', { name: 'example' }), {
        error: 'rate_limit_exceeded',
        message: 'Too many requests; retry in 7 s.',
      })
      await client.close()
      await server.close()
    })
  })

  test(`a client with revision ${revision} over stdio lists, calls, gets errors and cancels`, async () => {
    const transport = new StdioClientTransport({ command: process.execPath, args: [STDIO_SERVER], stderr: 'pipe' })
    const printed = waitForLines(transport.stderr!)
    const client = new Client({ name: 'test', version: '1.0.0' }, options)
    await client.connect(transport)
    try {
      assert.equal(client.getNegotiatedProtocolVersion(), revision)
      assert.equal((await client.listTools()).tools.length, 5)
      const result = await client.callTool({ name: 'lookUp', arguments: { name: 'example' } })
      assert.deepEqual(result.structuredContent, { name: 'example', depth: 1, at: '2026-11-15T00:00:00Z' })
      assert.equal((await callFailing(client, 'lookUp')).error, 'missing_domain')
      assert.equal((await callFailing(client, 'breakDown')).error, 'internal_error')
      const giveUp = new AbortController()
      const call = client.callTool({ name: 'wait' }, { signal: giveUp.signal })
      call.catch(() => {})
      await printed('waiting')
      giveUp.abort()
      await assert.rejects(call)
      await printed('aborted')
    } finally {
      await client.close()
    }
    await printed('closed')
  })
}

/** Returns a function that resolves once a line was printed. */
function waitForLines(stream: Stream): (line: string) => Promise<void> {
  let text = ''
  const checks = new Set<() => void>()
  stream.on('data', (chunk: Buffer) => {
    text += chunk.toString()
    for (const check of checks) check()
  })
  return (line) =>
    new Promise((resolve) => {
      const check = () => {
        if (!text.split('\n').includes(line)) return
        checks.delete(check)
        resolve()
      }
      checks.add(check)
      check()
    })
}
