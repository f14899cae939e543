import assert from 'node:assert/strict'
import { EventEmitter, once } from 'node:events'
import { suite, test } from 'node:test'
import { answering, request } from './client.fixture.ts'
import { address, answerTo, clientFor, clientWithManualClock, type Incoming, serveDns } from './name-server.fixture.ts'

suite('truncated answers are fetched over TCP', () => {
  const long = (incoming: Incoming) =>
    answerTo(incoming, { answers: Array.from({ length: 200 }, (_, at) => address('example.com', `192.0.2.${at}`)) })
  const cut = (incoming: Incoming) => incoming.send(answerTo(incoming, { flags: { truncated: true } }))

  test('when the datagram has the TC flag', async (t) => {
    const server = await serveDns(t, (incoming) => (incoming.tcp ? incoming.send(long(incoming)) : cut(incoming)))
    const reply = await clientFor(t).query(request([server.address]))
    assert.equal(reply.answers.length, 200)
    assert.equal(reply.tcp, true)
  })

  test('also byte by byte, and with extra bytes after the message', async (t) => {
    const server = await serveDns(t, (incoming) => {
      if (!incoming.tcp) return cut(incoming)
      const answer = long(incoming)
      const frame = Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 0xff]), answer, Buffer.alloc(9)])
      const drip = async () => {
        for (let at = 0; at < frame.length; at += at < 6 ? 1 : 700) {
          incoming.connection?.setNoDelay().write(frame.subarray(at, at < 6 ? at + 1 : at + 700))
          // Gives the client time to read each part.
          for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
        }
      }
      void drip()
    })
    const reply = await clientFor(t).query(request([server.address]))
    assert.equal(reply.answers.length, 200)
  })

  const failures: Record<string, (incoming: Incoming) => void> = {
    'closes the connection': ({ connection }) => connection?.end(),
    'closes it in the middle': ({ connection }) => connection?.end(Buffer.from([1, 0, 7, 7])),
    'resets it': ({ connection }) => connection?.resetAndDestroy(),
    'answers something else': (incoming) => incoming.send(answerTo({ query: { ...incoming.query, questions: [] } })),
    'sends an empty message': ({ connection }) => connection?.write(Buffer.alloc(2)),
  }
  for (const [what, fail] of Object.entries(failures)) {
    test(`a server that ${what} counts as truncated, and the next server is tried`, async (t) => {
      const { client } = clientWithManualClock(t)
      const bad = await serveDns(t, (incoming) => (incoming.tcp ? fail(incoming) : cut(incoming)))
      const good = await answering(t)
      assert.equal((await client.query(request([bad.address]))).outcome, 'truncated')
      const reply = await client.query(request([bad.address, good.address]))
      assert.equal(reply.outcome, 'answer')
      assert.equal(reply.server, good.address)
    })
  }

  test('a truncated answer over TCP is malformed', async (t) => {
    const server = await serveDns(t, cut)
    assert.equal((await clientFor(t).query(request([server.address]))).outcome, 'malformed')
  })

  test('a hanging connection is closed when the query times out', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const events = new EventEmitter()
    const server = await serveDns(t, (incoming) => (incoming.tcp ? events.emit('tcp', incoming) : cut(incoming)))
    const reply = client.query(request([server.address], { timeoutMs: 1000 }))
    const [incoming] = (await once(events, 'tcp')) as [Incoming]
    clock.advance(1000)
    assert.equal((await reply).outcome, 'timeout')
    await once(incoming.connection!, 'close')
  })
})
