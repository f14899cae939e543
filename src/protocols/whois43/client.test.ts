import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { Socket } from 'node:net'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { suite, test, type TestContext } from 'node:test'
import { manualClock } from '../../kernel/clock.ts'
import type { DomainName } from '../../kernel/names.ts'
import { failing, serveRaw } from '../../kernel/upstream/loopback.fixture.ts'
import { clientFor, question, serveAnswer } from './client.fixture.ts'
import { createWhois43, type Whois43Options } from './client.ts'

test('a query is the domain and CRLF, and the answer is everything until the server closes', async (t) => {
  const asked: string[] = []
  const port = await serveAnswer(t, 'No match for "EXAMPLE.COM".\r\n', asked)
  const reply = await clientFor().query({ ...question, server: `whois.example:${port}` })
  assert.deepEqual(asked, ['example.com\r\n'])
  assert.equal(reply.text, 'No match for "EXAMPLE.COM".\r\n')
  assert.equal(reply.server, `whois.example:${port}`)
  assert.equal(reply.query, 'example.com')
  assert.equal(reply.charset, 'utf-8')
})

test('servers with their own query syntax get that syntax', async (t) => {
  const asked: string[] = []
  const port = await serveAnswer(t, 'x', asked)
  for (const server of ['whois.denic.de', 'whois.verisign-grs.com', 'WHOIS.JPRS.JP']) {
    await clientFor({ port }).query({ ...question, server })
  }
  assert.deepEqual(asked, ['-T dn,ace example.com\r\n', 'domain example.com\r\n', 'example.com/e\r\n'])
})

test('an invalid domain is rejected before anything is sent, even with a cast type', async (t) => {
  const asked: string[] = []
  const port = await serveAnswer(t, 'x', asked)
  for (const invalid of ['a.com\r\nhelp', 'a.com help', '-T dn a.com', '', 'ä.com', 'A.COM']) {
    const asking = clientFor({ port }).query({ domain: invalid as DomainName, tld: 'com', server: 'whois.example' })
    await assert.rejects(asking, failing('unavailable', /do not allow/))
  }
  assert.deepEqual(asked, [])
})

test('an invalid server name is not_configured', async () => {
  for (const server of [
    '',
    'whois',
    'whois.example:0',
    'whois.example:99999',
    'whois.example/x',
    'a b.example',
    'x@whois.example',
    '1.2.3',
  ]) {
    await assert.rejects(clientFor().query({ ...question, server }), failing('not_configured'), server)
  }
})

suite('limits hold whatever the server does', () => {
  test('a silent server times out, and the connection is closed', async (t) => {
    const gone = Promise.withResolvers<void>()
    const port = await serveRaw(t, (socket) => socket.resume().once('close', () => gone.resolve()))
    const asking = clientFor({ port }).query({ ...question, server: 'whois.example', timeoutMs: 20 })
    await assert.rejects(asking, failing('timeout', /whois\.example:\d+ did not answer within 20 ms/))
    await gone.promise
  })

  test('a dripping server and one that never closes time out', async (t) => {
    const drip = (socket: Socket) => {
      const timer = setInterval(() => socket.write('x'), 1)
      socket.once('close', () => clearInterval(timer))
    }
    for (const talk of [drip, (socket: Socket) => void socket.write('No match\r\n')]) {
      const port = await serveRaw(t, talk)
      const asking = clientFor({ port }).query({ ...question, server: 'whois.example', timeoutMs: 30 })
      await assert.rejects(asking, failing('timeout'))
    }
  })

  test('a server that sends endlessly is cut off at maxBytes', async (t) => {
    const gone = Promise.withResolvers<void>()
    const port = await serveRaw(t, (socket) => {
      const more = () => {
        while (socket.write('x'.repeat(1000)));
      }
      socket.on('drain', more).once('close', () => gone.resolve())
      more()
    })
    const asking = clientFor({ port, maxBytes: 5000 }).query({ ...question, server: 'whois.example' })
    await assert.rejects(asking, failing('unavailable', /sent more than 5000 bytes/))
    await gone.promise
  })

  test('an answer of exactly maxBytes is accepted', async (t) => {
    const port = await serveAnswer(t, 'x'.repeat(5000))
    const reply = await clientFor({ port, maxBytes: 5000 }).query({ ...question, server: 'whois.example' })
    assert.equal(reply.text.length, 5000)
  })

  test('a connection that is reset, refused or closed without data is unavailable', async (t) => {
    const reset = await serveRaw(t, (socket) =>
      socket.once('data', () => socket.write('Domain: ex', () => socket.resetAndDestroy())),
    )
    const mute = await serveRaw(t, (socket) => socket.once('data', () => socket.end()))
    const closed = await serveRaw(t, (socket) => socket.destroy())
    for (const port of [reset, mute, closed]) {
      const query = clientFor({ port }).query({ ...question, server: 'whois.example' })
      await assert.rejects(query, { failure: 'unavailable', broken: true })
    }
    const free = await freePort(t)
    await assert.rejects(
      clientFor({ port: free }).query({ ...question, server: 'whois.example' }),
      failing('unavailable'),
    )
  })

  test("an abort rejects at once with the signal's reason and closes the connection", async (t) => {
    const leaving = new AbortController()
    const gone = Promise.withResolvers<void>()
    const port = await serveRaw(t, (socket) => {
      socket.resume().once('close', () => gone.resolve())
      leaving.abort(new Error('not interested'))
    })
    const asking = clientFor({ port }).query({ ...question, server: 'whois.example', signal: leaving.signal })
    await assert.rejects(asking, /not interested/)
    await gone.promise
  })

  test('a host name that does not resolve is unavailable', async () => {
    const lookup: Whois43Options['lookup'] = (_host, _options, callback) => callback(new Error('ENOTFOUND'), [])
    await assert.rejects(clientFor({ lookup }).query({ ...question, server: 'whois.example' }), failing('unavailable'))
  })
})

suite('only allowed addresses are connected to', () => {
  test('a private address is refused, given as a host name or an IP address', async (t) => {
    const asked: string[] = []
    const port = await serveAnswer(t, 'x', asked)
    const lookup: Whois43Options['lookup'] = (_host, _options, callback) =>
      callback(null, [
        { address: '127.0.0.1', family: 4 },
        { address: '::1', family: 6 },
      ])
    const client = createWhois43({ clock: manualClock(), timeoutMs: 60_000, maxBytes: 1000, port, lookup })
    for (const server of ['whois.example', `127.0.0.1:${port}`, '[::1]', '10.0.0.1']) {
      await assert.rejects(
        client.query({ ...question, server }),
        failing('unavailable', /^refused: .* is not allowed here$/),
        server,
      )
    }
    assert.deepEqual(asked, [])
  })

  test('a host name is resolved once, and the checked address is the one connected to', async (t) => {
    const port = await serveAnswer(t, 'x')
    let count = 0
    const lookup: Whois43Options['lookup'] = (_host, _options, callback) => {
      count++
      callback(null, [{ address: count === 1 ? '127.0.0.1' : '127.0.0.2', family: 4 }])
    }
    await clientFor({ port, lookup }).query({ ...question, server: 'whois.example' })
    assert.equal(count, 1)
  })
})

suite('concurrency', () => {
  test('each host has at most four connections; further queries wait', async () => {
    const hosts: string[] = []
    const leaving = new AbortController()
    const client = clientFor({ lookup: (host) => void hosts.push(host) })
    const ask = (server: string) => client.query({ ...question, server, signal: leaving.signal })
    const asking = ['a', 'a', 'a', 'a', 'a', 'a', 'b'].map((label) => ask(`${label}.example`))
    await nextTurn()
    assert.deepEqual(hosts.toSorted(), ['a.example', 'a.example', 'a.example', 'a.example', 'b.example'])
    leaving.abort(new Error('enough'))
    const outcomes = await Promise.allSettled(asking)
    assert.ok(outcomes.every(({ status }) => status === 'rejected'))
  })

  test('the scheduler gets the host in lower case, and may reject', async (t) => {
    const port = await serveAnswer(t, 'x')
    const hosts: string[] = []
    const client = clientFor({
      port,
      schedule: (host, _signal, run) => {
        hosts.push(host)
        return hosts.length > 1 ? Promise.reject(new Error('no')) : run()
      },
    })
    await client.query({ ...question, server: 'WHOIS.example' })
    await assert.rejects(client.query({ ...question, server: 'whois.example' }), failing('unavailable'))
    assert.deepEqual(hosts, ['whois.example', 'whois.example'])
  })

  test('waiting for the scheduler counts towards the timeout', async () => {
    const client = clientFor({ schedule: () => new Promise(() => {}) })
    await assert.rejects(client.query({ ...question, server: 'whois.example', timeoutMs: 10 }), failing('timeout'))
  })
})

/** A closed port. */
async function freePort(t: TestContext): Promise<number> {
  const { createServer } = await import('node:net')
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  assert.ok(address && typeof address === 'object')
  server.close()
  await once(server, 'close')
  t.diagnostic(`nobody listens on ${address.port}`)
  return address.port
}
