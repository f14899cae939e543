import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { answering, failing, request, right, silent } from './client.fixture.ts'
import { clientFor, clientWithManualClock, serveDns } from './name-server.fixture.ts'
import { parseServerAddress } from './server-address.ts'

suite('failover to the next server', () => {
  test('after the retry interval without an answer, the next server is tried', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const first = await silent(t)
    const second = await answering(t)
    const reply = client.query(request([first.address, second.address]))
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

  test('a late answer from the first server is accepted', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const first = await silent(t)
    const second = await silent(t)
    const reply = client.query(request([first.address, second.address]))
    const incoming = await first.next()
    const asked = second.next()
    clock.advance(300)
    await asked
    incoming.send(right(incoming))
    assert.equal((await reply).server, first.address)
  })

  test('a server that timed out is not tried first the next time', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const first = await silent(t)
    const second = await answering(t)
    const servers = [first.address, second.address]
    const reply = client.query(request(servers))
    await first.next()
    clock.advance(300)
    await reply
    await client.query(request(servers))
    assert.equal(first.asked.length, 1)
  })

  for (const [word, rcode] of [
    ['servfail', 2],
    ['refused', 5],
    ['rejected', 9],
  ] as const) {
    test(`${word} fails over to the next server at once`, async (t) => {
      const { client } = clientWithManualClock(t)
      const servers = [(await failing(t, rcode)).address, (await answering(t)).address]
      const reply = await client.query(request(servers))
      assert.deepEqual(
        reply.attempts.map(({ result }) => result),
        [word, 'answer'],
      )
    })

    test(`${word} from every server is the outcome, never nxdomain`, async (t) => {
      const { client } = clientWithManualClock(t)
      const servers = [(await failing(t, rcode)).address, (await failing(t, rcode)).address]
      const reply = await client.query(request(servers))
      assert.equal(reply.outcome, word)
      assert.equal(reply.rcode, rcode)
      assert.equal(reply.attempts.length, 2)
    })
  }

  test('an undecodable reply fails over; from every server it is "malformed"', async (t) => {
    const { client } = clientWithManualClock(t)
    const garbled = await serveDns(t, (incoming) => incoming.send(right(incoming).subarray(0, -3)))
    const good = await answering(t)
    assert.equal((await client.query(request([garbled.address]))).outcome, 'malformed')
    assert.equal((await client.query(request([garbled.address, good.address]))).outcome, 'answer')
  })

  test('an unreachable server is skipped', async (t) => {
    const { client } = clientWithManualClock(t)
    // Sending to the broadcast address fails because the socket option is not set.
    const everybody = parseServerAddress('255.255.255.255')
    const good = await answering(t)
    assert.equal((await client.query(request([everybody, good.address]))).outcome, 'answer')
    assert.equal((await client.query(request([everybody]))).outcome, 'unreachable')
    assert.equal((await client.query(request([]))).outcome, 'unreachable')
  })

  test('a server that refuses is not tried first the next time; a recursor that sent SERVFAIL is', async (t) => {
    const { client } = clientWithManualClock(t)
    const refusing = await failing(t, 5)
    const broken = await failing(t, 2)
    const good = await answering(t)
    for (const recursion of [false, true]) {
      await client.query(request([refusing.address, good.address], { recursion }))
    }
    assert.equal(refusing.asked.length, 1)
    for (const recursion of [true, true, false, false]) {
      await client.query(request([broken.address, good.address], { recursion }))
    }
    assert.equal(broken.asked.length, 3)
  })

  test('a server that always sends FORMERR is asked once with EDNS0 and once without', async (t) => {
    const server = await failing(t, 1)
    assert.equal((await clientFor(t).query(request([server.address]))).outcome, 'formerr')
    assert.deepEqual(
      server.asked.map(({ query }) => query.edns !== null),
      [true, false],
    )
  })

  test('a server that rejects EDNS0 is asked again without it', async (t) => {
    const server = await serveDns(t, (incoming) => {
      if (incoming.query.edns === null) return incoming.send(right(incoming))
      const header = Buffer.alloc(12)
      incoming.bytes.copy(header, 0, 0, 2)
      header.writeUInt16BE(0x8001, 2)
      incoming.send(header)
    })
    const reply = await clientFor(t).query(request([server.address]))
    assert.equal(reply.outcome, 'answer')
    assert.deepEqual(
      reply.attempts.map(({ result }) => result),
      ['formerr', 'answer'],
    )
  })

  test('the load is spread over the servers, and a slow server gets little of it', async (t) => {
    const { client, clock } = clientWithManualClock(t)
    const fast = await Promise.all([answering(t), answering(t), answering(t)])
    const slow = await serveDns(t, (incoming) => {
      clock.advance(80)
      incoming.send(right(incoming))
    })
    const servers = [...fast, slow].map((server) => server.address)
    for (let count = 0; count < 100; count++) {
      await client.query(request(servers, { inOrder: false }))
    }
    for (const { asked } of fast) assert.ok(asked.length >= 15, `${asked.length} of 100`)
    assert.ok(slow.asked.length <= 10, `${slow.asked.length} of 100`)
  })
})
