import assert from 'node:assert/strict'
import { getEventListeners } from 'node:events'
import { suite, test } from 'node:test'
import { UpstreamError } from '../../kernel/errors.ts'
import { answering, failing, LONG_MS, request, right, silent } from './client.fixture.ts'
import { address, answerTo, clientFor, clientWithManualClock, serveDns } from './name-server.fixture.ts'

test('a reply has flags, records, the server and the attempts', async (t) => {
  const server = await answering(t)
  const reply = await clientFor(t).query(request([server.address]))
  assert.equal(reply.outcome, 'answer')
  assert.equal(reply.rcode, 0)
  assert.equal(reply.flags?.authoritative, true)
  assert.deepEqual(reply.answers, [address('example.com')])
  assert.equal(reply.server, server.address)
  assert.equal(reply.tcp, false)
  assert.deepEqual(reply.attempts, [{ server: server.address.text, tcp: false, result: 'answer' }])
})

test('a query carries the requested options: recursion, EDNS0 with 1232 bytes, DNSSEC', async (t) => {
  const server = await answering(t)
  const client = clientFor(t)
  await client.query(request([server.address]))
  await client.query(request([server.address], { recursion: true, dnssec: true }))
  const [plain, full] = server.asked.map(({ query }) => query)
  assert.deepEqual(plain?.edns, { udpSize: 1232, dnssecOk: false })
  assert.equal(plain?.flags.recursionDesired, false)
  assert.deepEqual(full?.edns, { udpSize: 1232, dnssecOk: true })
  assert.equal(full?.flags.recursionDesired, true)
  assert.equal(full?.flags.authenticData, true)
})

test('servers are queried over IPv6 too', async (t) => {
  const server = await serveDns(t, (incoming) => incoming.send(right(incoming)), '::1')
  const reply = await clientFor(t).query(request([server.address]))
  assert.equal(reply.outcome, 'answer')
})

suite('timeouts and aborts', () => {
  test('an unanswered query times out exactly at its deadline', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const server = await silent(t)
    const reply = client.query(request([server.address], { timeoutMs: 1000 }))
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

  test('a server gets at most three attempts', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const server = await silent(t)
    const reply = client.query(request([server.address]))
    for (let count = 0; count < 3; count++) {
      await server.next()
      clock.advance(2000)
    }
    // Once a second query was retried twice, any further attempt of the first would have arrived as well.
    const other = await silent(t)
    const controller = new AbortController()
    const barrier = client.query(request([other.address], { signal: controller.signal }))
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

  test('a failure reply takes precedence over timeouts of other servers', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const quiet = await silent(t)
    const refusing = await failing(t, 5)
    const reply = client.query(request([quiet.address, refusing.address], { timeoutMs: 5000 }))
    await quiet.next()
    const again = quiet.next()
    clock.advance(300)
    while (refusing.asked.length === 0) await new Promise(setImmediate)
    clock.advance(300)
    await again
    clock.advance(5000)
    assert.equal((await reply).outcome, 'refused')
  })

  test("an aborted query rejects with the signal's reason and leaves nothing in flight", async (t) => {
    const { client } = clientWithManualClock(t)
    const server = await silent(t)
    const controller = new AbortController()
    const reply = client.query(request([server.address], { signal: controller.signal }))
    const incoming = await server.next()
    controller.abort(new Error('gone'))
    await assert.rejects(reply, /gone/)
    assert.equal(client.stats().inFlight, 0)
    incoming.send(right(incoming))
    while (client.stats().ignored === 0) await new Promise(setImmediate)
    await assert.rejects(client.query(request([server.address], { signal: controller.signal })), /gone/)
    assert.equal(server.asked.length, 1)
  })
})

test('a query that is finished no longer listens to its signal', async (t) => {
  const server = await answering(t)
  const { signal } = new AbortController()
  const client = clientFor(t)
  await Promise.all([1, 2, 3].map(() => client.query(request([server.address], { signal }))))
  assert.equal(getEventListeners(signal, 'abort').length, 0)
  const bad = client.query(request([server.address], { signal, name: 'a..b' }))
  await assert.rejects(bad, RangeError)
  assert.equal(getEventListeners(signal, 'abort').length, 0)
})

suite('concurrency', () => {
  test('queries above maxInFlight are queued; with a full queue the outcome is overloaded', async (t) => {
    const { client } = clientWithManualClock(t, { maxInFlight: 2, maxQueue: 1 })
    const server = await silent(t)
    const first = server.next()
    const replies = [1, 2, 3].map(() => client.query(request([server.address])))
    assert.equal((await client.query(request([server.address]))).outcome, 'overloaded')
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

  test('a queued query times out and can be aborted', async (t) => {
    const { client, clock } = clientWithManualClock(t, { maxInFlight: 1 })
    const server = await silent(t)
    const controller = new AbortController()
    const flying = client.query(request([server.address]))
    const waiting = client.query(request([server.address], { timeoutMs: 1000 }))
    const leaving = client.query(request([server.address], { signal: controller.signal }))
    controller.abort(new Error('gone'))
    await assert.rejects(leaving, /gone/)
    clock.advance(1000)
    assert.equal((await waiting).outcome, 'timeout')
    clock.advance(LONG_MS)
    assert.equal((await flying).outcome, 'timeout')
  })

  test('a burst of hundreds of queries loses none and uses several ports and unpredictable ids', async (t) => {
    const client = clientFor(t)
    const server = await serveDns(t, (incoming) => {
      incoming.send(answerTo(incoming, { answers: [address(incoming.query.questions[0]!.name)] }))
    })
    const names = Array.from({ length: 511 }, (_, at) => `example.tld${at}`)
    const replies = await Promise.all(names.map((name) => client.query(request([server.address], { name }))))
    assert.deepEqual(
      replies.map(({ answers }) => answers[0]?.name),
      names,
    )
    assert.equal(new Set(server.asked.map(({ port }) => port)).size, 4)
    const ids = server.asked.map(({ query }) => query.id)
    const steps = new Set(ids.map((id, at) => id - (ids[at - 1] ?? 0)))
    assert.ok(steps.size > 400, `only ${steps.size} different steps between ids`)
  })

  test('sockets are replaced by others on new ports after a minute', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const server = await answering(t)
    const ask = () => Promise.all(Array.from({ length: 40 }, () => client.query(request([server.address]))))
    await ask()
    assert.equal(client.stats().socketsOpened, 4)
    clock.advance(60_000)
    await ask()
    assert.equal(client.stats().socketsOpened, 8)
    const ports = server.asked.map(({ port }) => port)
    assert.equal(new Set(ports.slice(0, 40)).intersection(new Set(ports.slice(40))).size, 0)
  })

  test('an invalid name is rejected before anything is sent', async (t) => {
    const server = await answering(t)
    const client = clientFor(t)
    for (const name of ['a..b', `${'x'.repeat(64)}.com`, 'ü.com\u{1f600}', `${'abc.'.repeat(64)}com`]) {
      await assert.rejects(client.query(request([server.address], { name })), RangeError)
    }
    assert.equal(client.stats().sent, 0)
  })

  test('closing rejects pending queries and refuses new ones', async (t) => {
    const { client } = clientWithManualClock(t, { maxInFlight: 1 })
    const server = await silent(t)
    const replies = [client.query(request([server.address])), client.query(request([server.address]))]
    await server.next()
    client.close()
    const closed = (error: unknown) => error instanceof UpstreamError && error.failure === 'unavailable'
    for (const reply of replies) await assert.rejects(reply, closed)
    await assert.rejects(client.query(request([server.address])), closed)
    // A later query arrives after anything sent before, so it shows that nothing else was sent.
    const other = clientFor(t).query(request([server.address], { name: 'later.com' }))
    await server.next()
    assert.deepEqual(
      server.asked.map(({ query }) => query.questions[0]?.name),
      ['example.com', 'later.com'],
    )
    server.asked.at(-1)?.send(answerTo(server.asked.at(-1)!, { rcode: 2 }))
    await other
  })
})
