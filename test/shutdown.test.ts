import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { endpoint, route } from '../src/kernel/endpoint.ts'
import { startDoor } from './support/door.ts'
import { echo, testRoutes } from './support/routes.ts'
import { open, readAll, statusOf } from './support/wire.ts'

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

describe('a door that stops', () => {
  test('finishes what is in flight, tells connections to close, and takes no new ones', async () => {
    const begun = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    const slow = endpoint({ ...echo, name: 'slow', path: '/v1/slow/{word}' })
    const door = await startDoor([
      ...testRoutes,
      route(slow, async ({ word }) => {
        begun.resolve()
        await held.promise
        return { said: [word] }
      }),
    ])
    const busy = await open(door.port)
    const idle = await open(door.port)
    const answer = readAll(busy)
    busy.write(ask('/v1/slow/finished'))
    await begun.promise
    const stopped = door.stopListener({ lingerMs: 0, graceMs: 60_000 })
    await assert.rejects(open(door.port), { code: 'ECONNREFUSED' })
    assert.equal(await readAll(idle), '')
    held.resolve()
    assert.match(await answer, /^HTTP\/1\.1 200[\s\S]*\r\nConnection: close\r\n[\s\S]*finished/)
    await stopped
    await door.stop()
  })

  test('answers what reaches an idle connection while it lingers', async () => {
    const door = await startDoor(testRoutes)
    const idle = await open(door.port)
    idle.write(ask('/free'))
    await once(idle, 'data')
    const stopped = door.stopListener({ lingerMs: 200, graceMs: 60_000 })
    const answer = readAll(idle)
    idle.write(ask('/free'))
    assert.match(await answer, /^HTTP\/1\.1 200[\s\S]*\r\nConnection: close\r\n/)
    await stopped
    await door.stop()
  })

  test('cuts what does not finish in its grace', async () => {
    const begun = Promise.withResolvers<void>()
    const never = endpoint({ ...echo, name: 'never', path: '/v1/never/{word}' })
    const door = await startDoor([
      route(never, () => {
        begun.resolve()
        return new Promise<{ said: string[] }>(() => {})
      }),
    ])
    const socket = await open(door.port)
    const answer = readAll(socket)
    socket.write(ask('/v1/never/a'))
    await begun.promise
    await door.stopListener({ lingerMs: 0, graceMs: 10 })
    assert.equal(await answer, '')
    await door.stop()
  })
})

describe('the process on SIGTERM', () => {
  test('drops no request, however many are under way, and leaves with 0', async () => {
    const { child, port } = await startProcess()
    try {
      const clients = Array.from({ length: 16 }, () => keepAsking(port))
      await Promise.all(clients.map(({ warm }) => warm))
      child.kill('SIGTERM')
      const outcomes = await Promise.all(clients.map(({ done }) => done))
      const [code, signal] = await leaving(child)
      assert.deepEqual([code, signal], [0, null])
      assert.deepEqual(
        outcomes.filter(({ dropped }) => dropped > 0),
        [],
      )
      assert.ok(outcomes.every(({ answered }) => answered > 0))
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('that is repeated while it waits for a slow client leaves at once', async () => {
    const { child, port } = await startProcess()
    try {
      const slow = await open(port)
      slow.on('error', () => {})
      slow.write('GET /health HTTP/1.1\r\n')
      child.kill('SIGTERM')
      const again = setInterval(() => child.kill('SIGTERM'), 100)
      const [code] = await leaving(child)
      clearInterval(again)
      assert.equal(code, 1)
      slow.destroy()
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('that comes twice at once, from a parent and from its group, still drops nothing', async () => {
    const { child, port } = await startProcess()
    try {
      const client = keepAsking(port)
      await client.warm
      // Enough of them that some arrive while the first is being handled.
      for (let count = 0; count < 5000; count++) child.kill(count % 2 === 0 ? 'SIGTERM' : 'SIGINT')
      assert.equal((await client.done).dropped, 0)
      assert.deepEqual(await leaving(child), [0, null])
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('a port that is taken is a sentence, not a stack', async () => {
    const { child, port } = await startProcess()
    try {
      const second = spawnService({ PORT: String(port) })
      let said = ''
      second.stderr!.on('data', (chunk: Buffer) => (said += chunk.toString()))
      const [code] = await leaving(second)
      assert.equal(code, 1)
      assert.match(said, new RegExp(`Cannot listen on 127.0.0.1:${port}: another program listens there`))
      assert.doesNotMatch(said, /at .*\.ts/)
    } finally {
      child.kill('SIGKILL')
    }
  })
})

/** Asks on one connection after another until the service takes no more; counts requests sent and never answered. */
function keepAsking(port: number) {
  const warm = Promise.withResolvers<void>()
  const work = async () => {
    let answered = 0
    let dropped = 0
    for (;;) {
      let socket: Socket
      try {
        socket = await open(port)
      } catch {
        return { answered, dropped }
      }
      // A connection that was never answered may have been in the queue of a listener that closed: only the kernel saw it.
      let answeredHere = 0
      let heard = Promise.withResolvers<string>()
      socket.on('error', () => {})
      socket.on('data', (chunk: Buffer) => heard.resolve(chunk.toString()))
      socket.on('close', () => heard.resolve(''))
      for (;;) {
        socket.write(ask('/health'))
        const text = await heard.promise
        if (text === '') {
          if (answeredHere > 0) dropped++
          break
        }
        assert.equal(statusOf(text), 200)
        answered++
        answeredHere++
        if (answered === 20) warm.resolve()
        if (/\r\nConnection: close\r\n/.test(text)) break
        heard = Promise.withResolvers<string>()
      }
      socket.destroy()
    }
  }
  return { warm: warm.promise, done: work() }
}

function spawnService(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [new URL('../bin/onoma.js', import.meta.url).pathname, 'serve'], {
    env: { PATH: process.env['PATH'] ?? '', ENS_PORT: '0', ONOMA_METRICS: 'off', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function startProcess(): Promise<{ child: ChildProcess; port: number }> {
  const child = spawnService({ PORT: '0' })
  for await (const line of createInterface({ input: child.stdout! })) {
    const { url } = JSON.parse(line) as { url?: string }
    if (url !== undefined) return { child, port: Number(new URL(url).port) }
  }
  throw new Error('The service ended before it was ready.')
}

const leaving = async (child: ChildProcess): Promise<[number | null, string | null]> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return [child.exitCode, child.signalCode]
}
