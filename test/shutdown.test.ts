import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { describe, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { setTimeout as sleep } from 'node:timers/promises'
import { endpoint, route } from '../src/kernel/endpoint.ts'
import { startDoor } from './support/door.ts'
import { echo, testRoutes } from './support/routes.ts'
import { ALONE } from './support/simulated-payments.ts'
import { sendUntilRefused } from './support/stop-under-load.ts'
import { open, readAll } from './support/wire.ts'

const ask = (path: string) => `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`

describe('an HTTP server that stops', () => {
  test('finishes requests in flight, sends Connection: close, and accepts no new connections', async () => {
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

  test('answers requests on idle connections during the linger time', async () => {
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

  test('a connection that was still silent when the listening socket closed is answered', async () => {
    const door = await startDoor(testRoutes)
    const silent = await open(door.port)
    const stopped = door.stopListener({ lingerMs: 1, graceMs: 60_000 })
    await untilRefused(door.port)
    const answer = readAll(silent)
    silent.write(ask('/free'))
    assert.match(await answer, /^HTTP\/1\.1 200[\s\S]*\r\nConnection: close\r\n/)
    await stopped
    await door.stop()
  })

  test('cuts requests that do not finish within the grace period', async () => {
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

/** Blocks a thread of the pool: nobody writes to the named pipe it opens. */
const HUNG_THREAD = new URL('support/hung-thread.ts', import.meta.url).href

describe('the process on SIGTERM', () => {
  test('answers every request of 20 clients that go on connecting, and exits with 0', async () => {
    const { child, port } = await startProcess()
    try {
      const clients = Array.from({ length: 20 }, () => sendUntilRefused(port))
      await Promise.all(clients.map(({ warm }) => warm))
      child.kill('SIGTERM')
      const outcomes = await Promise.all(clients.map(({ done }) => done))
      const [code, signal] = await exitOf(child)
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

  test('exits at once on a second signal, even while a client is slow', async () => {
    const { child, port } = await startProcess()
    try {
      const slow = await open(port)
      slow.on('error', () => {})
      slow.write('GET /health HTTP/1.1\r\n')
      child.kill('SIGTERM')
      const again = setInterval(() => child.kill('SIGTERM'), 100)
      assert.deepEqual(await exitOf(child), [null, 'SIGTERM'])
      clearInterval(again)
      slow.destroy()
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('turns /ready to 503 at once, on both ports, and still answers new connections', async () => {
    const { child, port, metricsPort } = await startProcess({ ONOMA_DRAIN_SECONDS: '600', ONOMA_METRICS: '0' })
    try {
      const ready = async (port: number) => (await fetch(`http://127.0.0.1:${port}/ready`)).status
      assert.deepEqual(await Promise.all([port, metricsPort!].map(ready)), [200, 200])
      child.kill('SIGTERM')
      while ((await ready(port)) === 200) await sleep(10)
      assert.equal(await ready(metricsPort!), 503)
      for (const path of ['/health', '/v1/tlds']) {
        const answer = await fetch(`http://127.0.0.1:${port}${path}`)
        assert.deepEqual([answer.status, answer.headers.get('connection')], [200, 'close'])
      }
      assert.equal((await fetch(`http://127.0.0.1:${metricsPort}/health`)).status, 200)
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('ends even if a thread hangs in the system, as in a lookup whose resolver never answers', async () => {
    const { child } = await startProcess({ ONOMA_DRAIN_SECONDS: '0', NODE_OPTIONS: `--import=${HUNG_THREAD}` })
    try {
      child.kill('SIGTERM')
      assert.deepEqual(await exitOf(child), [null, 'SIGTERM'])
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('drops no request if the signal arrives twice at once, from a parent and from its process group', async () => {
    const { child, port } = await startProcess()
    try {
      const client = sendUntilRefused(port)
      await client.warm
      // Enough signals that some arrive while the first is being handled.
      for (let count = 0; count < 5000; count++) child.kill(count % 2 === 0 ? 'SIGTERM' : 'SIGINT')
      assert.equal((await client.done).dropped, 0)
      assert.deepEqual(await exitOf(child), [0, null])
    } finally {
      child.kill('SIGKILL')
    }
  })

  test('stops as told when npm is stopped, even if the shell between them does not pass the signal on', async () => {
    const bin = fileURLToPath(new URL('../bin/onoma.js', import.meta.url))
    // The second command keeps every shell from replacing itself by the first one.
    const shell = spawn('sh', ['-c', `"${process.execPath}" "${bin}" serve; exit $?`], {
      env: { PATH: process.env['PATH'] ?? '', ...ALONE, ONOMA_DRAIN_SECONDS: '0', npm_lifecycle_event: 'start' },
      stdio: ['ignore', 'pipe', 'ignore'],
    })
    const lines: string[] = []
    for await (const line of createInterface({ input: shell.stdout })) {
      const { message } = JSON.parse(line) as { message: string }
      lines.push(message)
      if (/is ready/.test(message)) shell.kill('SIGTERM')
    }
    // The output ends when the service has ended, which is long after the shell.
    assert.equal(shell.signalCode, 'SIGTERM')
    assert.equal(lines.at(-1), 'Stopped.')
  })

  test('a port in use is reported as a sentence, without a stack trace', async () => {
    const { child, port } = await startProcess()
    try {
      const second = spawnService({ PORT: String(port) })
      let stderr = ''
      second.stderr!.on('data', (chunk: Buffer) => (stderr += chunk.toString()))
      const [code] = await exitOf(second)
      assert.equal(code, 1)
      assert.match(stderr, new RegExp(`Cannot listen on 127.0.0.1:${port}: another program listens there`))
      assert.doesNotMatch(stderr, /at .*\.ts/)
    } finally {
      child.kill('SIGKILL')
    }
  })
})

async function untilRefused(port: number): Promise<void> {
  for (;;) {
    try {
      const socket = await open(port)
      socket.destroy()
    } catch {
      return
    }
  }
}

function spawnService(env: Record<string, string>): ChildProcess {
  return spawn(process.execPath, [new URL('../bin/onoma.js', import.meta.url).pathname, 'serve'], {
    env: { PATH: process.env['PATH'] ?? '', ENS_PORT: '0', ONOMA_METRICS: 'off', ONOMA_DRAIN_SECONDS: '1', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

async function startProcess(env: Record<string, string> = {}) {
  const child = spawnService({ PORT: '0', ...env })
  const portOf = (url: string | null | undefined) => (url ? Number(new URL(url).port) : undefined)
  for await (const line of createInterface({ input: child.stdout! })) {
    const { url, metrics } = JSON.parse(line) as { url?: string; metrics?: string | null }
    if (url !== undefined) return { child, port: portOf(url)!, metricsPort: portOf(metrics) }
  }
  throw new Error('The service ended before it was ready.')
}

const exitOf = async (child: ChildProcess): Promise<[number | null, string | null]> => {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  return [child.exitCode, child.signalCode]
}
