import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { suite, test } from 'node:test'
import { answering, LONG_MS, request, right, silent } from './client.fixture.ts'
import { clientFor, clientWithManualClock } from './name-server.fixture.ts'
import { parseServerAddress } from './server-address.ts'

suite('servers that are not running', () => {
  /** A port at which nothing listens any more. */
  const closedPort = async () => {
    const socket = createSocket('udp4').bind(0, '127.0.0.1')
    await once(socket, 'listening')
    const { port } = socket.address()
    socket.close()
    return parseServerAddress(`127.0.0.1:${port}`)
  }

  test('fail at once, without waiting for the timeout', async (t) => {
    const servers = [await closedPort(), await closedPort()]
    // After the timeout the outcome would be `timeout`.
    assert.equal((await clientFor(t).query(request(servers))).outcome, 'unreachable')
  })

  test('are skipped for one that is', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const running = await answering(t)
    const servers = [await closedPort(), running.address]
    const reply = client.query(request(servers))
    while (client.stats().sent === 0) await new Promise(setImmediate)
    clock.advance(60)
    assert.equal((await reply).server, running.address)
    assert.ok(clock.monotonic() < 250)
  })
})

suite('servers that are silent', () => {
  test('cost one query its timeout; the next ones fail at once, with one probe at a time', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const server = await silent(t)
    const servers = [server.address]
    const first = client.query(request(servers))
    await server.next()
    clock.advance(LONG_MS)
    assert.equal((await first).outcome, 'timeout')
    clock.advance(100)
    const asked = server.next()
    for (let at = 0; at < 10; at++) assert.equal((await client.query(request(servers))).outcome, 'unreachable')
    const probe = await asked
    assert.equal(client.stats().inFlight, 1)
    // Once the probe is answered, they are used as before.
    probe.send(right(probe))
    while (client.stats().inFlight > 0) await new Promise(setImmediate)
    const next = client.query(request(servers))
    const incoming = await server.next()
    incoming.send(right(incoming))
    assert.equal((await next).outcome, 'answer')
  })

  test('after an answer a moment ago get one more query, which waits less', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const server = await silent(t)
    const servers = [server.address]
    const ask = async () => {
      const reply = client.query(request(servers))
      return { reply, incoming: await server.next() }
    }
    const answered = await ask()
    answered.incoming.send(right(answered.incoming))
    await answered.reply
    const slow = await ask()
    clock.advance(LONG_MS)
    assert.equal((await slow.reply).outcome, 'timeout')
    const trial = await ask()
    trial.incoming.send(right(trial.incoming))
    assert.equal((await trial.reply).outcome, 'answer')
    const dead = await ask()
    clock.advance(LONG_MS)
    await dead.reply
    const lastTrial = await ask()
    clock.advance(1000)
    assert.equal((await lastTrial.reply).outcome, 'timeout')
    assert.equal((await client.query(request(servers))).outcome, 'unreachable')
  })
})
