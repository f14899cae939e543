import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { after, before, suite, test } from 'node:test'
import { connect as connectTls } from 'node:tls'
import { seededRandom } from '../../src/kernel/random.ts'
import type { Fault, FaultProxy } from '../support/fault.ts'
import { startFaultProxy } from '../support/fault-proxy.ts'
import { open, readAll } from '../support/wire.ts'

const ANSWER = 'a'.repeat(1_000)

suite('the fault proxy', () => {
  const server = createServer((socket) => {
    socket.on('error', () => {})
    socket.once('data', () => socket.end(ANSWER))
  })
  const datagrams = createSocket('udp4').on('message', (bytes, { port }) => datagrams.send(bytes, port, '127.0.0.1'))
  let proxy: FaultProxy
  before(async () => {
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    datagrams.bind(port, '127.0.0.1')
    await once(datagrams, 'listening')
    proxy = await startFaultProxy({ target: `127.0.0.1:${port}`, random: seededRandom(1), udp: true })
  })
  after(async () => {
    await proxy.stop()
    datagrams.close()
    server.close()
  })
  const port = () => Number(proxy.address.split(':')[1])
  const ask = async (fault: Fault): Promise<Socket> => {
    proxy.set(fault)
    const socket = await open(port())
    socket.on('error', () => {})
    socket.write('?')
    return socket
  }

  test('passes everything on without a fault, late, and in small pieces', async () => {
    for (const fault of [
      { kind: 'none' },
      { kind: 'latency', ms: 5, jitterMs: 5 },
      { kind: 'drip', bytes: 300, intervalMs: 1 },
    ] as const)
      assert.equal(await readAll(await ask(fault)), ANSWER, fault.kind)
  })

  test('ends early, by a reset or properly, and sends random bytes', async () => {
    const reset = await ask({ kind: 'reset', afterBytes: 0 })
    const [error] = (await once(reset, 'error', { signal: AbortSignal.timeout(10_000) })) as [NodeJS.ErrnoException]
    assert.equal(error.code, 'ECONNRESET')
    assert.equal(await readAll(await ask({ kind: 'cut', afterBytes: 10 })), ANSWER.slice(0, 10))
    const garbage = await readAll(await ask({ kind: 'garbage' }))
    assert.ok(garbage.length > 0 && !garbage.includes('aaaa'))
  })

  test('goes silent without an end, and stays so when the fault is over', async () => {
    const half = await ask({ kind: 'half-open', afterBytes: 10 })
    const [begin] = (await once(half, 'data')) as [Buffer]
    assert.equal(begin.toString(), ANSWER.slice(0, 10))
    const black = await ask({ kind: 'black-hole' })
    // One that works comes after the dead ones: they had their chance to answer.
    assert.equal(await readAll(await ask({ kind: 'none' })), ANSWER)
    assert.deepEqual([half.readableEnded, black.bytesRead, black.readableEnded], [false, 0, false])
    half.destroy()
    black.destroy()
  })

  test('answers a TLS handshake with an alert', async () => {
    proxy.set({ kind: 'tls-failure' })
    const socket = connectTls({ port: port(), host: '127.0.0.1', rejectUnauthorized: false })
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
    assert.match(String(error.code), /^ERR_SSL/)
  })

  test('loses datagrams, and keeps only their identifier in random ones', async () => {
    const client = createSocket('udp4')
    const send = (text: string) => client.send(text, port(), '127.0.0.1')
    proxy.set({ kind: 'garbage' })
    send('id and a question')
    const [garbage] = (await once(client, 'message')) as [Buffer]
    assert.match(garbage.toString('latin1'), /^id(?! and)/)
    proxy.set({ kind: 'half-open', afterBytes: 0 })
    send('lost')
    await new Promise((resolve) => datagrams.once('message', resolve))
    // The echo is sent now; the proxy, in this process, takes it in the next turns.
    for (let turns = 0; turns < 5; turns++) await new Promise((resolve) => setImmediate(resolve))
    proxy.set({ kind: 'none' })
    send('found')
    const [found] = (await once(client, 'message')) as [Buffer]
    assert.equal(found.toString(), 'found')
    client.close()
  })
})
