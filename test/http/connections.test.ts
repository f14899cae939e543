import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoint, route } from '../../src/kernel/endpoint.ts'
import { createConnections } from '../../src/surfaces/http/connections.ts'
import { type DoorOptions, startDoor } from '../support/door.ts'
import { echo, testRoutes } from '../support/routes.ts'
import { open, readAll, statusOf } from '../support/wire.ts'

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

async function start(context: TestContext, options: DoorOptions, routes = testRoutes) {
  const door = await startDoor(routes, options)
  context.after(() => door.stop())
  return door
}

/** Connects from an address of 127/8. */
async function openFrom(port: number, localAddress: string): Promise<Socket> {
  const socket = connect({ port, host: '127.0.0.1', localAddress })
  await once(socket, 'connect')
  return socket
}

async function statusOn(socket: Socket): Promise<number | undefined> {
  socket.on('error', () => {})
  socket.write(ask('/free'))
  const [data] = (await Promise.race([once(socket, 'data'), once(socket, 'close')])) as [Buffer | boolean]
  return Buffer.isBuffer(data) ? statusOf(data.toString()) : undefined
}

describe('the connections of one client', () => {
  test('beyond the limit they are closed, and other clients are served', async (context) => {
    const door = await start(context, { limits: { connectionsPerClient: 3 } })
    const held = await Promise.all([1, 2, 3].map(() => openFrom(door.port, '127.0.0.2')))
    assert.equal(await statusOn(held[2]!), 200)
    // The reset may arrive before the client knows that it is connected.
    const further = openFrom(door.port, '127.0.0.2').then(statusOn, () => undefined)
    assert.equal(await further, undefined)
    assert.deepEqual(door.refused, ['too_many_from_client'])
    const other = await openFrom(door.port, '127.0.0.3')
    assert.equal(await statusOn(other), 200)
    for (const socket of [...held, other]) socket.destroy()
  })

  test('a closed connection makes room for another', async (context) => {
    const door = await start(context, { limits: { connectionsPerClient: 1 } })
    for (let count = 0; count < 5; count++) {
      const socket = await open(door.port)
      socket.write('GET /free HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
      assert.equal(statusOf(await readAll(socket)), 200)
    }
  })

  test('a trusted proxy has no limit', async (context) => {
    const door = await start(context, { limits: { connectionsPerClient: 1 }, trustedProxies: ['127.0.0.9'] })
    const sockets = await Promise.all([1, 2, 3].map(() => openFrom(door.port, '127.0.0.9')))
    assert.deepEqual(await Promise.all(sockets.map(statusOn)), [200, 200, 200])
    for (const socket of sockets) socket.destroy()
  })

  test('IPv6 addresses of one /64 are one client, and closed connections leave nothing behind', () => {
    const connections = createConnections(
      { connectionsPerClient: 2, unreadMs: 1, keepAliveMs: 1, checkMs: 1, unreadBytes: 1e9 },
      () => false,
    )
    const from = (remoteAddress: string) => Object.assign(new EventEmitter(), { remoteAddress }) as unknown as Socket
    const [one, two] = [from('2001:db8:0:1::1'), from('2001:db8:0:1:ffff::2')]
    assert.deepEqual([one, two, from('2001:db8:0:1::3')].map(connections.add), [true, true, false])
    assert.ok(connections.add(from('2001:db8:0:2::1')))
    one.emit('close')
    two.emit('close')
    assert.deepEqual([connections.clients, connections.open.size], [1, 1])
  })
})

describe('an answer that is not read', () => {
  const large = endpoint({ ...echo, name: 'large', path: '/v1/large/{word}' })
  const routes = [route(large, () => ({ said: ['x'.repeat(16 * 1024 * 1024)] })), ...testRoutes]

  test('is cut after the limit, and frees the connection', async (context) => {
    const door = await start(context, { limits: { unreadMs: 100, checkMs: 20 } }, routes)
    const socket = await open(door.port)
    socket.on('error', () => {})
    socket.pause()
    socket.write(ask('/v1/large/a'))
    while (door.refused.length === 0) await sleep(20)
    assert.deepEqual(door.refused, ['unread_answer'])
    const text = await readAll(socket.resume())
    assert.ok(text.length > 0 && text.length < 16 * 1024 * 1024)
  })

  test('an idle connection, and one that waits for its answer, are not cut', async (context) => {
    const done = Promise.withResolvers<void>()
    const slow = endpoint({ ...echo, name: 'slow', path: '/v1/slow/{word}' })
    const late = route(slow, async ({ word }) => {
      await done.promise
      return { said: [word] }
    })
    const door = await start(context, { limits: { unreadMs: 1, checkMs: 1 } }, [late, ...testRoutes])
    const [idle, waiting] = [await open(door.port), await open(door.port)]
    assert.equal(await statusOn(idle), 200)
    waiting.write(ask('/v1/slow/a'))
    // Many checks later.
    for (let count = 0; count < 30; count++) await door.get('/free')
    done.resolve()
    assert.equal(statusOf(String((await once(waiting, 'data'))[0])), 200)
    assert.equal(await statusOn(idle), 200)
    assert.deepEqual(door.refused, [])
    for (const socket of [idle, waiting]) socket.destroy()
  })

  test('a client that reads slowly is not cut, however long it takes', () => {
    const connections = createConnections(
      { connectionsPerClient: 2, unreadMs: 30_000, keepAliveMs: 65_000, checkMs: 2_000, unreadBytes: 1e9 },
      () => false,
    )
    const handle = { writeQueueSize: 1_000_000 }
    let isCut = false
    const socket = Object.assign(new EventEmitter(), {
      remoteAddress: '192.0.2.1',
      _handle: handle,
      destroy: () => (isCut = true),
    }) as unknown as Socket
    connections.add(socket)
    const check = (times: number) => Array.from({ length: times }, () => connections.check())
    for (let read = 0; read < 100; read++) {
      handle.writeQueueSize -= 100
      assert.ok(check(15).every((cut) => cut === 0))
    }
    assert.deepEqual(check(1), [1])
    assert.ok(isCut)
  })
})

describe('an idle connection', () => {
  test('is closed after the keep-alive timeout; one that reads or waits for its answer is not', () => {
    const connections = createConnections(
      { connectionsPerClient: 9, unreadMs: 30_000, keepAliveMs: 10_000, checkMs: 2_000, unreadBytes: 1e9 },
      () => false,
    )
    const closed = new Set<string>()
    const add = (name: string, answer: object | null) => {
      const socket = Object.assign(new EventEmitter(), {
        remoteAddress: '192.0.2.1',
        bytesRead: 100,
        destroy: () => closed.add(name),
        _httpMessage: answer,
      })
      connections.add(socket as unknown as Socket)
      return socket
    }
    add('idle', null)
    add('waiting', {})
    const sending = add('sending', null)
    const answered = add('answered', {})
    for (let check = 0; check < 5; check++) {
      sending.bytesRead++
      assert.equal(connections.check(), 0)
    }
    assert.deepEqual([...closed], [])
    answered._httpMessage = null
    sending.bytesRead++
    connections.check()
    assert.deepEqual([...closed], ['idle'])
    for (let check = 0; check < 4; check++) {
      sending.bytesRead++
      connections.check()
    }
    assert.deepEqual([...closed], ['idle', 'answered'])
  })

  test('is closed by the listener, which announces its timeout', async (context) => {
    const door = await start(context, { limits: { keepAliveMs: 1_000, checkMs: 1 } })
    const socket = await open(door.port)
    socket.write(ask('/free'))
    assert.match(String((await once(socket, 'data'))[0]), /\r\nConnection: keep-alive\r\nKeep-Alive: timeout=1\r\n/)
    await once(socket, 'close')
    assert.deepEqual(door.refused, [])
  })
})

describe('pipelined requests', () => {
  test('up to 16 waiting requests are answered in order', async (context) => {
    const door = await start(context, {})
    const socket = await open(door.port)
    const words = Array.from({ length: 16 }, (_, at) => `w${at}`)
    socket.write(words.map((word) => ask(`/v1/echo/${word}`)).join(''))
    socket.write('GET /free HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n')
    const said = [...(await readAll(socket)).matchAll(/"said":\["(\w+)"\]/g)].map(([, word]) => word)
    assert.deepEqual(said, words)
  })

  test('of 10,000 at once only the first few are handled', async (context) => {
    const door = await start(context, {})
    const socket = await open(door.port)
    socket.on('error', () => {})
    socket.write(ask('/free').repeat(10_000))
    socket.resume()
    await new Promise((resolve) => socket.once('close', resolve))
    assert.ok(door.answered.length <= 17, `${door.answered.length} were handled`)
    assert.equal((await door.get('/free')).status, 200)
  })

  test('a few too many: the first are answered, then the connection ends', async (context) => {
    const door = await start(context, {})
    const socket = await open(door.port)
    socket.write(ask('/free').repeat(30))
    const text = await readAll(socket)
    assert.equal((text.match(/HTTP\/1\.1 200/g) ?? []).length, 17)
    assert.match(text, /\r\nConnection: close\r\n/)
  })
})
