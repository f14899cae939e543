import assert from 'node:assert/strict'
import { once, EventEmitter } from 'node:events'
import { suite, test, type TestContext } from 'node:test'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Ask } from './client.ts'
import { address, answerTo, clientFor, clientInStandingTime, type Incoming, serveDns } from './name-server.fixture.ts'
import { parseServerAddress, type ServerAddress } from './server-address.ts'

const LONG_MS = 30_000

const question = (servers: readonly ServerAddress[], more: Partial<Ask> = {}): Ask => ({
  name: 'example.com',
  type: 'A',
  servers,
  recursion: false,
  inOrder: true,
  deadlineMs: LONG_MS,
  ...more,
})

const right = (incoming: Incoming, ip?: string) => answerTo(incoming, { answers: [address('example.com', ip)] })
const answering = (t: TestContext, ip?: string) => serveDns(t, (incoming) => incoming.send(right(incoming, ip)))
const failing = (t: TestContext, rcode: number) =>
  serveDns(t, (incoming) => incoming.send(answerTo(incoming, { rcode })))

/** A server that never answers, and a way to wait until it was asked. */
async function silent(t: TestContext) {
  const events = new EventEmitter()
  const server = await serveDns(t, (incoming) => void events.emit('asked', incoming))
  return { ...server, next: async () => ((await once(events, 'asked')) as [Incoming])[0] }
}

test('an answer comes with its flags, records, sender and story', async (t) => {
  const server = await answering(t)
  const reply = await clientFor(t).ask(question([server.address]))
  assert.equal(reply.outcome, 'answer')
  assert.equal(reply.rcode, 0)
  assert.equal(reply.flags?.authoritative, true)
  assert.deepEqual(reply.answers, [address('example.com')])
  assert.equal(reply.server, server.address)
  assert.equal(reply.tcp, false)
  assert.deepEqual(reply.attempts, [{ server: server.address.text, tcp: false, result: 'answer' }])
})

test('a question carries what was asked for: recursion, EDNS0 of 1232 bytes, DNSSEC', async (t) => {
  const server = await answering(t)
  const client = clientFor(t)
  await client.ask(question([server.address]))
  await client.ask(question([server.address], { recursion: true, dnssec: true }))
  const [plain, full] = server.asked.map(({ query }) => query)
  assert.deepEqual(plain?.edns, { udpSize: 1232, dnssecOk: false })
  assert.equal(plain?.flags.recursionDesired, false)
  assert.deepEqual(full?.edns, { udpSize: 1232, dnssecOk: true })
  assert.equal(full?.flags.recursionDesired, true)
  assert.equal(full?.flags.authenticData, true)
})

test('servers are asked over IPv6 too', async (t) => {
  const server = await serveDns(t, (incoming) => incoming.send(right(incoming)), '::1')
  const reply = await clientFor(t).ask(question([server.address]))
  assert.equal(reply.outcome, 'answer')
})

suite('what does not answer the question is ignored and counted', () => {
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
    'the question itself': (incoming) => incoming.send(incoming.bytes),
    'an answer to an update': (incoming) => incoming.send(answerTo(incoming, { opcode: 5 })),
    'a single byte': (incoming) => incoming.send(Buffer.from([7])),
    nothing: (incoming) => incoming.send(Buffer.alloc(0)),
    'a header cut short': (incoming) => incoming.send(right(incoming).subarray(0, 11)),
    'another port': (incoming) => incoming.sendFromElsewhere('port', right(incoming, '203.0.113.66')),
    'another address': (incoming) => incoming.sendFromElsewhere('address', right(incoming, '203.0.113.66')),
  }
  for (const [what, impose] of Object.entries(impostors)) {
    test(what, async (t) => {
      const { client } = clientInStandingTime(t)
      const server = await silent(t)
      const reply = client.ask(question([server.address]))
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
    assert.equal((await client.ask(question([server.address]))).outcome, 'answer')
    while (client.stats().ignored === 0) await new Promise(setImmediate)
    assert.equal((await client.ask(question([server.address]))).outcome, 'answer')
  })

  test('a flood, through which the right answer still comes', async (t) => {
    const { client } = clientInStandingTime(t)
    const server = await silent(t)
    const reply = client.ask(question([server.address]))
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

  test('the case of letters does not matter', async (t) => {
    const server = await serveDns(t, (incoming) => {
      const questions = [{ name: 'EXAMPLE.com', type: 1, class: 1 }]
      incoming.send(answerTo(incoming, { questions, answers: [address('Example.COM')] }))
    })
    const reply = await clientFor(t).ask(question([server.address], { name: 'exAMPLE.com.' }))
    assert.deepEqual(reply.answers, [address('example.com')])
  })
})

suite('one server is not enough', () => {
  test('after a while of silence the next server is asked', async (t) => {
    const { client, clock } = clientInStandingTime(t)
    const first = await silent(t)
    const second = await answering(t)
    const reply = client.ask(question([first.address, second.address]))
    await first.next()
    assert.equal(second.asked.length, 0)
    clock.advance(300)
    const { server, attempts } = await reply
    assert.equal(server, second.address)
    assert.deepEqual(
      attempts.map(({ result }) => result),
      ['silent', 'answer'],
    )
  })

  test('a late answer of the first server counts as well', async (t) => {
    const { client, clock } = clientInStandingTime(t)
    const first = await silent(t)
    const second = await silent(t)
    const reply = client.ask(question([first.address, second.address]))
    const incoming = await first.next()
    const asked = second.next()
    clock.advance(300)
    await asked
    incoming.send(right(incoming))
    assert.equal((await reply).server, first.address)
  })

  test('a server that stayed silent is not the first to be asked next time', async (t) => {
    const { client, clock } = clientInStandingTime(t)
    const first = await silent(t)
    const second = await answering(t)
    const servers = [first.address, second.address]
    const reply = client.ask(question(servers))
    await first.next()
    clock.advance(300)
    await reply
    await client.ask(question(servers))
    assert.equal(first.asked.length, 1)
  })

  for (const [word, rcode] of [
    ['servfail', 2],
    ['refused', 5],
    ['rejected', 9],
  ] as const) {
    test(`${word} sends the question to the next server at once`, async (t) => {
      const { client } = clientInStandingTime(t)
      const servers = [(await failing(t, rcode)).address, (await answering(t)).address]
      const reply = await client.ask(question(servers))
      assert.deepEqual(
        reply.attempts.map(({ result }) => result),
        [word, 'answer'],
      )
    })

    test(`${word} from everybody is the outcome, and nothing like "no such name"`, async (t) => {
      const { client } = clientInStandingTime(t)
      const servers = [(await failing(t, rcode)).address, (await failing(t, rcode)).address]
      const reply = await client.ask(question(servers))
      assert.equal(reply.outcome, word)
      assert.equal(reply.rcode, rcode)
      assert.equal(reply.attempts.length, 2)
    })
  }

  test('bytes that are no message send the question on; from everybody they are "malformed"', async (t) => {
    const { client } = clientInStandingTime(t)
    const garbled = await serveDns(t, (incoming) => incoming.send(right(incoming).subarray(0, -3)))
    const good = await answering(t)
    assert.equal((await client.ask(question([garbled.address]))).outcome, 'malformed')
    assert.equal((await client.ask(question([garbled.address, good.address]))).outcome, 'answer')
  })

  test('a server that cannot be reached is passed over', async (t) => {
    const { client } = clientInStandingTime(t)
    // The system refuses to send to everybody at once unless it was asked to allow it.
    const everybody = parseServerAddress('255.255.255.255')
    const good = await answering(t)
    assert.equal((await client.ask(question([everybody, good.address]))).outcome, 'answer')
    assert.equal((await client.ask(question([everybody]))).outcome, 'unreachable')
    assert.equal((await client.ask(question([]))).outcome, 'unreachable')
  })

  test('a server that refuses us is not the first to be asked next time; a recursor that failed once still is', async (t) => {
    const { client } = clientInStandingTime(t)
    const refusing = await failing(t, 5)
    const broken = await failing(t, 2)
    const good = await answering(t)
    for (const recursion of [false, true]) {
      await client.ask(question([refusing.address, good.address], { recursion }))
    }
    assert.equal(refusing.asked.length, 1)
    for (const recursion of [true, true, false, false]) {
      await client.ask(question([broken.address, good.address], { recursion }))
    }
    assert.equal(broken.asked.length, 3)
  })

  test('who stumbles over everything is asked with EDNS0 and without, and no more', async (t) => {
    const server = await failing(t, 1)
    assert.equal((await clientFor(t).ask(question([server.address]))).outcome, 'formerr')
    assert.deepEqual(
      server.asked.map(({ query }) => query.edns !== null),
      [true, false],
    )
  })

  test('an old server that stumbles over EDNS0 is asked without it', async (t) => {
    const server = await serveDns(t, (incoming) => {
      if (incoming.query.edns === null) return incoming.send(right(incoming))
      const header = Buffer.alloc(12)
      incoming.bytes.copy(header, 0, 0, 2)
      header.writeUInt16BE(0x8001, 2)
      incoming.send(header)
    })
    const reply = await clientFor(t).ask(question([server.address]))
    assert.equal(reply.outcome, 'answer')
    assert.deepEqual(
      reply.attempts.map(({ result }) => result),
      ['formerr', 'answer'],
    )
  })

  test('the load is spread over the servers, and a slow one gets little of it', async (t) => {
    const { client, clock } = clientInStandingTime(t)
    const fast = await Promise.all([answering(t), answering(t), answering(t)])
    const slow = await serveDns(t, (incoming) => {
      clock.advance(80)
      incoming.send(right(incoming))
    })
    const servers = [...fast, slow].map((server) => server.address)
    for (let count = 0; count < 100; count++) {
      await client.ask(question(servers, { inOrder: false }))
    }
    for (const { asked } of fast) assert.ok(asked.length >= 15, `${asked.length} of 100`)
    assert.ok(slow.asked.length <= 10, `${slow.asked.length} of 100`)
  })
})

suite('long answers come over TCP', () => {
  const long = (incoming: Incoming) =>
    answerTo(incoming, { answers: Array.from({ length: 200 }, (_, at) => address('example.com', `192.0.2.${at}`)) })
  const cut = (incoming: Incoming) => incoming.send(answerTo(incoming, { flags: { truncated: true } }))

  test('when the datagram says that it was cut', async (t) => {
    const server = await serveDns(t, (incoming) => (incoming.tcp ? incoming.send(long(incoming)) : cut(incoming)))
    const reply = await clientFor(t).ask(question([server.address]))
    assert.equal(reply.answers.length, 200)
    assert.equal(reply.tcp, true)
  })

  test('even byte by byte, with more behind it', async (t) => {
    const server = await serveDns(t, (incoming) => {
      if (!incoming.tcp) return cut(incoming)
      const answer = long(incoming)
      const frame = Buffer.concat([Buffer.from([answer.length >> 8, answer.length & 0xff]), answer, Buffer.alloc(9)])
      const drip = async () => {
        for (let at = 0; at < frame.length; at += at < 6 ? 1 : 700) {
          incoming.connection?.setNoDelay().write(frame.subarray(at, at < 6 ? at + 1 : at + 700))
          // By then the other side has read it.
          for (let turn = 0; turn < 3; turn++) await new Promise(setImmediate)
        }
      }
      void drip()
    })
    const reply = await clientFor(t).ask(question([server.address]))
    assert.equal(reply.answers.length, 200)
  })

  const failures: Record<string, (incoming: Incoming) => void> = {
    'closes the connection': ({ connection }) => connection?.end(),
    'closes it in the middle': ({ connection }) => connection?.end(Buffer.from([1, 0, 7, 7])),
    'resets it': ({ connection }) => connection?.resetAndDestroy(),
    'answers something else': (incoming) => incoming.send(answerTo({ query: { ...incoming.query, questions: [] } })),
    'says nothing in no bytes': ({ connection }) => connection?.write(Buffer.alloc(2)),
  }
  for (const [what, fail] of Object.entries(failures)) {
    test(`a server that ${what} leaves the answer cut, and the next is asked`, async (t) => {
      const { client } = clientInStandingTime(t)
      const bad = await serveDns(t, (incoming) => (incoming.tcp ? fail(incoming) : cut(incoming)))
      const good = await answering(t)
      assert.equal((await client.ask(question([bad.address]))).outcome, 'truncated')
      const reply = await client.ask(question([bad.address, good.address]))
      assert.equal(reply.outcome, 'answer')
      assert.equal(reply.server, good.address)
    })
  }

  test('a server that cuts its answer over TCP too is not understood', async (t) => {
    const server = await serveDns(t, cut)
    assert.equal((await clientFor(t).ask(question([server.address]))).outcome, 'malformed')
  })

  test('a connection that hangs ends with the question', async (t) => {
    const { client, clock } = clientInStandingTime(t)
    const events = new EventEmitter()
    const server = await serveDns(t, (incoming) => (incoming.tcp ? events.emit('tcp', incoming) : cut(incoming)))
    const reply = client.ask(question([server.address], { deadlineMs: 1000 }))
    const [incoming] = (await once(events, 'tcp')) as [Incoming]
    clock.advance(1000)
    assert.equal((await reply).outcome, 'timeout')
    await once(incoming.connection!, 'close')
  })
})

suite('time', () => {
  test('a question nobody answers is a timeout, on the dot and not before', async (t) => {
    const { client, clock } = clientInStandingTime(t)
    const server = await silent(t)
    const reply = client.ask(question([server.address], { deadlineMs: 1000 }))
    await server.next()
    clock.advance(999)
    await server.next()
    assert.equal(client.stats().inFlight, 1)
    clock.advance(1)
    const { outcome, elapsedMs, server: who, rcode } = await reply
    assert.deepEqual(
      { outcome, elapsedMs, who, rcode },
      { outcome: 'timeout', elapsedMs: 1000, who: null, rcode: null },
    )
  })

  test('a server is asked three times at most', async (t) => {
    const { client, clock } = clientInStandingTime(t)
    const server = await silent(t)
    const reply = client.ask(question([server.address]))
    for (let count = 0; count < 3; count++) {
      await server.next()
      clock.advance(2000)
    }
    // When another question has been sent again twice, whatever would have been sent for the first one is there, too.
    const other = await silent(t)
    const controller = new AbortController()
    const barrier = client.ask(question([other.address], { signal: controller.signal }))
    for (let count = 0; count < 3; count++) {
      await other.next()
      clock.advance(count < 2 ? 2000 : 0)
    }
    controller.abort(new Error('done'))
    await assert.rejects(barrier, /done/)
    assert.equal(server.asked.length, 3)
    clock.advance(LONG_MS)
    assert.equal((await reply).outcome, 'timeout')
  })

  test('a failure that was told is not hidden by the silence of others', async (t) => {
    const { client, clock } = clientInStandingTime(t)
    const quiet = await silent(t)
    const refusing = await failing(t, 5)
    const reply = client.ask(question([quiet.address, refusing.address], { deadlineMs: 5000 }))
    await quiet.next()
    const again = quiet.next()
    clock.advance(300)
    while (refusing.asked.length === 0) await new Promise(setImmediate)
    clock.advance(300)
    await again
    clock.advance(5000)
    assert.equal((await reply).outcome, 'refused')
  })

  test('who aborts gets his own reason, and nothing is left behind', async (t) => {
    const { client } = clientInStandingTime(t)
    const server = await silent(t)
    const controller = new AbortController()
    const reply = client.ask(question([server.address], { signal: controller.signal }))
    const incoming = await server.next()
    controller.abort(new Error('gone'))
    await assert.rejects(reply, /gone/)
    assert.equal(client.stats().inFlight, 0)
    incoming.send(right(incoming))
    while (client.stats().ignored === 0) await new Promise(setImmediate)
    await assert.rejects(client.ask(question([server.address], { signal: controller.signal })), /gone/)
    assert.equal(server.asked.length, 1)
  })
})

suite('many questions', () => {
  test('so many at a time, others wait in line, and who finds it full is told at once', async (t) => {
    const { client } = clientInStandingTime(t, { maxInFlight: 2, maxQueue: 1 })
    const server = await silent(t)
    const first = server.next()
    const replies = [1, 2, 3].map(() => client.ask(question([server.address])))
    assert.equal((await client.ask(question([server.address]))).outcome, 'overloaded')
    const { inFlight, waiting } = client.stats()
    assert.deepEqual({ inFlight, waiting }, { inFlight: 2, waiting: 1 })
    const incoming = await first
    incoming.send(right(incoming))
    while (server.asked.length < 3) await new Promise(setImmediate)
    for (const one of server.asked) one.send(right(one))
    assert.deepEqual(
      (await Promise.all(replies)).map(({ outcome }) => outcome),
      ['answer', 'answer', 'answer'],
    )
  })

  test('who waits in line runs out of time or leaves like everybody else', async (t) => {
    const { client, clock } = clientInStandingTime(t, { maxInFlight: 1 })
    const server = await silent(t)
    const controller = new AbortController()
    const flying = client.ask(question([server.address]))
    const waiting = client.ask(question([server.address], { deadlineMs: 1000 }))
    const leaving = client.ask(question([server.address], { signal: controller.signal }))
    controller.abort(new Error('gone'))
    await assert.rejects(leaving, /gone/)
    clock.advance(1000)
    assert.equal((await waiting).outcome, 'timeout')
    clock.advance(LONG_MS)
    assert.equal((await flying).outcome, 'timeout')
  })

  test('a burst of hundreds loses none, from several ports and with ids nobody can guess', async (t) => {
    const client = clientFor(t)
    const server = await serveDns(t, (incoming) => {
      incoming.send(answerTo(incoming, { answers: [address(incoming.query.questions[0]!.name)] }))
    })
    const names = Array.from({ length: 511 }, (_, at) => `example.tld${at}`)
    const replies = await Promise.all(names.map((name) => client.ask(question([server.address], { name }))))
    assert.deepEqual(
      replies.map(({ answers }) => answers[0]?.name),
      names,
    )
    assert.equal(new Set(server.asked.map(({ port }) => port)).size, 4)
    const ids = server.asked.map(({ query }) => query.id)
    const steps = new Set(ids.map((id, at) => id - (ids[at - 1] ?? 0)))
    assert.ok(steps.size > 400, `only ${steps.size} different steps between ids`)
  })

  test('ports are given back after a while and others take their place', async (t) => {
    const { client, clock } = clientInStandingTime(t)
    const server = await answering(t)
    const ask = () => Promise.all(Array.from({ length: 40 }, () => client.ask(question([server.address]))))
    await ask()
    assert.equal(client.stats().socketsOpened, 4)
    clock.advance(60_000)
    await ask()
    assert.equal(client.stats().socketsOpened, 8)
    const ports = server.asked.map(({ port }) => port)
    assert.equal(new Set(ports.slice(0, 40)).intersection(new Set(ports.slice(40))).size, 0)
  })

  test('a name that is none is refused before anything is sent', async (t) => {
    const server = await answering(t)
    const client = clientFor(t)
    for (const name of ['a..b', `${'x'.repeat(64)}.com`, 'ü.com\u{1f600}', `${'abc.'.repeat(64)}com`]) {
      await assert.rejects(client.ask(question([server.address], { name })), RangeError)
    }
    assert.equal(client.stats().sent, 0)
  })

  test('closing ends what is under way, and nobody is asked afterwards', async (t) => {
    const { client } = clientInStandingTime(t, { maxInFlight: 1 })
    const server = await silent(t)
    const replies = [client.ask(question([server.address])), client.ask(question([server.address]))]
    await server.next()
    client.close()
    const closed = (error: unknown) => error instanceof UpstreamError && error.failure === 'unavailable'
    for (const reply of replies) await assert.rejects(reply, closed)
    await assert.rejects(client.ask(question([server.address])), closed)
    // What is sent now arrives after anything that was sent before.
    const other = clientFor(t).ask(question([server.address], { name: 'later.com' }))
    await server.next()
    assert.deepEqual(
      server.asked.map(({ query }) => query.questions[0]?.name),
      ['example.com', 'later.com'],
    )
    server.asked.at(-1)?.send(answerTo(server.asked.at(-1)!, { rcode: 2 }))
    await other
  })
})
