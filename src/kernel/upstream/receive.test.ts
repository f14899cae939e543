import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { test, type TestContext } from 'node:test'
import { Agent } from 'undici'
import { receive } from './receive.ts'

const HEAD = 'HTTP/1.1 200 OK\r\n'
const NEVER = new AbortController().signal

/** Also after an error, which a reset is. */
const closed = async (socket: Socket): Promise<void> => {
  if (!socket.closed) await new Promise((resolve) => void socket.once('close', resolve))
}

/** A server that writes whatever a test wants once it was asked. */
async function serve(t: TestContext, answer: (socket: Socket) => void) {
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {}).once('data', () => answer(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  t.after(async () => {
    await agent.destroy()
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const { port } = server.address() as { port: number }
  const rules = { onHeaders: () => {}, onBytes: () => {}, signal: NEVER }
  return {
    sockets,
    ask: (changed: Partial<Parameters<typeof receive>[2]> = {}) =>
      receive(agent, { origin: `http://127.0.0.1:${port}`, path: '/', method: 'GET' }, { ...rules, ...changed }),
  }
}

test('a body is the same in however many chunks it arrives, and headers that are repeated are joined', async (t) => {
  const { ask } = await serve(t, (socket) => {
    socket.write(`HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n${HEAD}a: 1\r\nA: 2\r\ncontent-length: 6\r\n\r\n`)
    socket.write('abc', () => socket.write('def'))
  })
  const { status, headers, body } = await ask()
  assert.deepEqual([status, headers['a'], Buffer.from(body).toString()], [200, '1, 2', 'abcdef'])
})

test('a response without a body is empty', async (t) => {
  const { ask } = await serve(t, (socket) => socket.write('HTTP/1.1 204 No Content\r\n\r\n'))
  assert.equal((await ask()).body.length, 0)
})

test('headers that are refused end the connection, and the body is not read', async (t) => {
  const { ask, sockets } = await serve(t, (socket) => socket.write(`${HEAD}content-length: 6\r\n\r\nabc`))
  const refuse = () => {
    throw new RangeError('not these')
  }
  await assert.rejects(ask({ onHeaders: refuse }), RangeError)
  await closed(sockets[0]!)
})

test('an endless body is rejected at the maximum size', async (t) => {
  const { ask, sockets } = await serve(t, (socket) => {
    socket.write(`${HEAD}\r\n`)
    const more = () => socket.writable && socket.write(Buffer.alloc(1000), more)
    more()
  })
  let most = 0
  const onBytes = (size: number) => {
    most = size
    if (size > 10_000) throw new RangeError('too large')
  }
  await assert.rejects(ask({ onBytes }), RangeError)
  assert.ok(most < 200_000, `${most} bytes were read`)
  await closed(sockets[0]!)
})

test('a body that breaks off is an error', async (t) => {
  const { ask } = await serve(t, (socket) => socket.end(`${HEAD}content-length: 6\r\n\r\nabc`))
  await assert.rejects(ask(), { code: 'UND_ERR_SOCKET' })
})

for (const [when, text] of [
  ['before the response', ''],
  ['within the body', `${HEAD}content-length: 6\r\n\r\nabc`],
] as const) {
  test(`an abort ${when} rejects with its reason and ends the connection`, async (t) => {
    const controller = new AbortController()
    const { ask, sockets } = await serve(t, (socket) => {
      socket.write(text, () => controller.abort(new RangeError('enough')))
      if (text === '') controller.abort(new RangeError('enough'))
    })
    await assert.rejects(ask({ signal: controller.signal }), /enough/)
    await closed(sockets[0]!)
  })
}

test('a request whose signal is aborted already is not sent', async (t) => {
  const { ask, sockets } = await serve(t, () => assert.fail('it was sent'))
  await assert.rejects(ask({ signal: AbortSignal.abort(new RangeError('enough')) }), /enough/)
  for (const socket of sockets) assert.equal(socket.bytesRead, 0)
})
