import assert from 'node:assert/strict'
import { Agent, createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { protocolHeaders, send } from './exchange.ts'

test('only headers of the protocol reach a tool, never a cookie or a credential', () => {
  const headers = {
    accept: 'application/json',
    'content-type': 'application/json',
    'mcp-protocol-version': '2026-07-28',
    'mcp-name': 'lookUp',
    host: 'localhost',
    cookie: 'a=1',
    authorization: 'Bearer x',
    'x-forwarded-for': '192.0.2.1',
    'x-mcp-trick': 'y',
  }
  const passed = protocolHeaders({ headers } as unknown as IncomingMessage)
  assert.deepEqual(Object.keys(Object.fromEntries(passed)), [
    'accept',
    'content-type',
    'mcp-protocol-version',
    'mcp-name',
  ])
})

/** Serves one response written by `answer`; returns what a client sees once the headers have arrived. */
async function ask(answer: (response: ServerResponse) => void) {
  const server = createServer((_, response) => answer(response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const request = get({
    port: (server.address() as AddressInfo).port,
    host: '127.0.0.1',
    agent: new Agent({ keepAlive: true }),
  })
  request.on('error', () => {})
  const seen = await new Promise<IncomingMessage>((resolve) => request.once('response', resolve))
  return {
    seen,
    leave: () => request.destroy(),
    close: () => new Promise((resolve) => server.close(resolve)),
  }
}

const EVENTS = { headers: { 'Content-Type': 'text/event-stream', Connection: 'keep-alive' } }

test('the headers of a stream are sent before its first event', async () => {
  const begun = Promise.withResolvers<void>()
  const stream = new ReadableStream({
    async start(controller) {
      await begun.promise
      controller.enqueue(new TextEncoder().encode('data: 1\n\n'))
      controller.close()
    },
  })
  const { seen, close } = await ask((response) => void send(new Response(stream, EVENTS), response))
  begun.resolve()
  assert.equal(await text(seen), 'data: 1\n\n')
  seen.destroy()
  await close()
})

test('a draining server closes the connection, whatever the headers of the SDK say', async () => {
  const { seen, close } = await ask((response) => {
    response.shouldKeepAlive = false
    void send(new Response('data: 1\n\n', EVENTS), response)
  })
  assert.equal(seen.headers.connection, 'close')
  seen.resume()
  await close()
})

test('a stream has backpressure, and ends when the client disconnects', async () => {
  const chunk = new Uint8Array(64 * 1024)
  const left = Promise.withResolvers<void>()
  const sent = Promise.withResolvers<void>()
  let pulled = 0
  // The client gets the headers and stops reading.
  const { leave, close } = await ask((response) => {
    const endless = new ReadableStream({
      pull(controller) {
        pulled += 1
        // Without backpressure the test must fail instead of using all memory.
        if (pulled > 2_000) controller.close()
        else controller.enqueue(chunk)
      },
      cancel: () => left.resolve(),
    })
    send(new Response(endless, EVENTS), response).then(
      () => sent.reject(new Error('the stream ran dry')),
      () => sent.resolve(),
    )
  })
  for (let before = -1; before !== pulled;) {
    before = pulled
    for (let turn = 0; turn < 100; turn++) await nextTurn()
  }
  assert.ok(pulled < 1_000, `${pulled} chunks were taken for a client that reads none`)
  leave()
  await left.promise
  await sent.promise
  await close()
})
