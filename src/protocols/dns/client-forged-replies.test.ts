import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { request, right, silent } from './client.fixture.ts'
import { address, answerTo, clientFor, clientWithManualClock, type Incoming, serveDns } from './name-server.fixture.ts'

suite('datagrams that do not answer the query are ignored and counted', () => {
  const impostors: Record<string, (incoming: Incoming) => void> = {
    'another id': (incoming) => {
      const bytes = right(incoming, '203.0.113.66')
      bytes.writeUInt16BE((incoming.query.id + 1) & 0xffff)
      incoming.send(bytes)
    },
    'another name': (incoming) => {
      const questions = [{ name: 'example.org', type: 1, class: 1 }]
      incoming.send(answerTo(incoming, { questions, answers: [address('example.com', '203.0.113.66')] }))
    },
    'another type': (incoming) => {
      const questions = [{ name: 'example.com', type: 28, class: 1 }]
      incoming.send(answerTo(incoming, { questions, answers: [address('example.com', '203.0.113.66')] }))
    },
    'two questions': (incoming) => {
      const { questions } = incoming.query
      incoming.send(answerTo(incoming, { questions: [...questions, ...questions] }))
    },
    'no question at all, but an answer': (incoming) =>
      incoming.send(answerTo(incoming, { questions: [], answers: [address('example.com', '203.0.113.66')] })),
    'an echo of the query': (incoming) => incoming.send(incoming.bytes),
    'an answer to an update': (incoming) => incoming.send(answerTo(incoming, { opcode: 5 })),
    'a single byte': (incoming) => incoming.send(Buffer.from([7])),
    'no bytes': (incoming) => incoming.send(Buffer.alloc(0)),
    'a header cut short': (incoming) => incoming.send(right(incoming).subarray(0, 11)),
    'another port': (incoming) => incoming.sendFromElsewhere('port', right(incoming, '203.0.113.66')),
    'another address': (incoming) => incoming.sendFromElsewhere('address', right(incoming, '203.0.113.66')),
  }
  for (const [what, impose] of Object.entries(impostors)) {
    test(what, async (t) => {
      const { client } = clientWithManualClock(t)
      const server = await silent(t)
      const reply = client.query(request([server.address]))
      const incoming = await server.next()
      impose(incoming)
      while (client.stats().ignored === 0) await new Promise(setImmediate)
      incoming.send(right(incoming))
      assert.deepEqual((await reply).answers, [address('example.com')])
      assert.equal(client.stats().ignored, 1)
    })
  }

  test('a second copy of the answer', async (t) => {
    const client = clientFor(t)
    const server = await serveDns(t, (incoming) => {
      incoming.send(right(incoming))
      incoming.send(right(incoming))
    })
    assert.equal((await client.query(request([server.address]))).outcome, 'answer')
    while (client.stats().ignored === 0) await new Promise(setImmediate)
    assert.equal((await client.query(request([server.address]))).outcome, 'answer')
  })

  test('a flood of forged replies; the right answer still arrives', async (t) => {
    const { client } = clientWithManualClock(t)
    const server = await silent(t)
    const reply = client.query(request([server.address]))
    const incoming = await server.next()
    const junk = right(incoming, '203.0.113.66')
    for (let id = 0; id < 5000; id++) {
      junk.writeUInt16BE((incoming.query.id + 1 + id) & 0xffff)
      incoming.send(junk)
      if (id % 50 === 0) await new Promise(setImmediate)
    }
    while (client.stats().ignored < 1000) await new Promise(setImmediate)
    incoming.send(right(incoming))
    assert.deepEqual((await reply).answers, [address('example.com')])
  })

  test('names are compared case-insensitively', async (t) => {
    const server = await serveDns(t, (incoming) => {
      const questions = [{ name: 'EXAMPLE.com', type: 1, class: 1 }]
      incoming.send(answerTo(incoming, { questions, answers: [address('Example.COM')] }))
    })
    const reply = await clientFor(t).query(request([server.address], { name: 'exAMPLE.com.' }))
    assert.deepEqual(reply.answers, [address('example.com')])
  })
})
