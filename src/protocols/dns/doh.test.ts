import assert from 'node:assert/strict'
import type { IncomingMessage, ServerResponse } from 'node:http'
import { buffer } from 'node:stream/consumers'
import { suite, test, type TestContext } from 'node:test'
import { manualClock, systemClock } from '../../kernel/clock.ts'
import { seededRandom } from '../../kernel/random.ts'
import { CERTIFICATE, serveTls, upstreamFor } from '../../kernel/upstream/loopback.fixture.ts'
import type { DnsClient, DnsReply } from './client.ts'
import { decodeMessage } from './decode.ts'
import { createDelegationFinder } from './delegation-finder.ts'
import { createDohClient } from './doh.ts'
import type { DnsMessage } from './message.ts'
import { address, answerTo, clientFor, ns } from './name-server.fixture.ts'
import { emptyReply } from './query-queue.ts'
import { createRecursorClient } from './recursor-client.ts'
import { createRecursorHonesty, trustRecursors } from './recursor-honesty.ts'
import { httpsServer, parseServerAddress, type ServerAddress } from './server-address.ts'

type Asked = { readonly query: DnsMessage; readonly request: IncomingMessage }
type React = (asked: Asked, response: ServerResponse) => unknown

/** A real resolver over HTTPS on loopback. */
async function serveDoh(t: TestContext, react: React) {
  const asked: Asked[] = []
  const port = await serveTls(t, (request, response) => {
    void buffer(request).then((bytes) => {
      const one = { query: decodeMessage(bytes), request }
      asked.push(one)
      return react(one, response)
    })
  })
  return { asked, server: httpsServer(`https://upstream.test:${port}/dns-query`) }
}

const send = (response: ServerResponse, message: Buffer, type = 'application/dns-message') =>
  response.writeHead(200, { 'content-type': type }).end(message)

const honest: React = ({ query }, response) =>
  send(response, answerTo({ query }, { answers: [address(query.questions[0]!.name)] }))

const dohFor = (t: TestContext) => {
  const doh = createDohClient({ upstream: upstreamFor(t, { ca: CERTIFICATE }), clock: systemClock })
  return { ...doh, close() {} }
}

const request = (servers: readonly ServerAddress[]) =>
  ({ name: 'example.com', type: 'A', servers, recursion: true, timeoutMs: 20_000 }) as const

/** A recursor client that knows no plain recursor. */
const clientOf = (t: TestContext) =>
  createRecursorClient({ client: clientFor(t), clock: systemClock, doh: dohFor(t), honesty: trustRecursors })

suite('DNS over HTTPS', () => {
  test('a query is posted as RFC 8484 says, and its answer is like any other', async (t) => {
    const { server, asked } = await serveDoh(t, honest)
    const reply = await clientOf(t).query(request([server]))
    assert.equal(reply.outcome, 'answer')
    assert.equal(reply.server, server)
    assert.deepEqual(reply.answers, [address('example.com')])
    const [{ request: sent, query }] = asked as [Asked]
    assert.deepEqual(
      [sent.method, sent.url, sent.headers['content-type'], sent.headers.accept, query.id],
      ['POST', '/dns-query', 'application/dns-message', 'application/dns-message', 0],
    )
  })

  const LIES: [string, React, DnsReply['outcome'], RegExp][] = [
    [
      'a redirect, even one to a server that would answer',
      (_asked, response) => response.writeHead(302, { location: 'https://upstream.test/login' }).end(),
      'unreachable',
      /answered 302/,
    ],
    [
      'a page in place of a message',
      (_asked, response) => send(response, Buffer.from('<html>Please log in</html>'), 'text/html'),
      'malformed',
      /did not answer with a DNS message/,
    ],
    [
      'a page that claims to be a message',
      (_asked, response) => send(response, Buffer.from('<html>Please log in</html>')),
      'malformed',
      /answered another query/,
    ],
    [
      'the answer to another question',
      ({ query }, response) => {
        const questions = [{ ...query.questions[0]!, name: 'other.com' }]
        return send(response, answerTo({ query: { ...query, questions } }, { answers: [address('other.com')] }))
      },
      'malformed',
      /answered another query/,
    ],
  ]
  for (const [what, react, outcome, problem] of LIES)
    test(`${what} is no answer, and the next server is asked`, async (t) => {
      const doh = dohFor(t)
      const client = createRecursorClient({ client: clientFor(t), clock: systemClock, doh, honesty: trustRecursors })
      const bad = await serveDoh(t, react)
      const reply = await client.query(request([bad.server]))
      assert.deepEqual([reply.outcome, reply.server, reply.answers.length], [outcome, null, 0])
      assert.match(doh.problem() ?? '', problem)
      const good = await serveDoh(t, honest)
      const both = [bad.server, good.server]
      assert.equal((await client.query(request(both))).server, good.server)
      assert.equal(doh.problem(), undefined)
      // The one that failed is asked last for a while.
      await client.query(request(both))
      assert.equal(bad.asked.length, 1)
    })

  test('it is asked where nothing answers on port 53, and not elsewhere', async (t) => {
    const { server, asked } = await serveDoh(t, honest)
    const recursors = [parseServerAddress('127.0.0.1:1'), server]
    assert.equal((await clientOf(t).query(request(recursors))).outcome, 'answer')
    const outcomes = [
      'timeout',
      'unreachable',
      'refused',
      'lame',
      'nxdomain',
      'nodata',
      'servfail',
      'overloaded',
    ] as const
    const usesHttps: string[] = []
    for (const outcome of outcomes) {
      asked.length = 0
      const query: DnsClient['query'] = async () => ({ ...emptyReply('timeout', 0), outcome })
      const client = { ...clientFor(t), query }
      const both = createRecursorClient({ client, clock: systemClock, doh: dohFor(t), honesty: trustRecursors })
      await both.query(request(recursors))
      if (asked.length > 0) usesHttps.push(outcome)
    }
    assert.deepEqual(usesHttps, ['timeout', 'unreachable', 'refused', 'lame'])
  })

  test('queries to authoritative servers never leave port 53', async (t) => {
    const { server, asked } = await serveDoh(t, honest)
    const reply = await clientOf(t).query({ ...request([parseServerAddress('127.0.0.1:1')]), recursion: false })
    assert.equal(reply.outcome, 'unreachable')
    assert.ok(server.url && asked.length === 0)
  })

  test('the signal of the caller ends the query', async (t) => {
    const caller = new AbortController()
    const { server } = await serveDoh(t, () => caller.abort(new Error('gone')))
    await assert.rejects(clientOf(t).query({ ...request([server]), signal: caller.signal }), /gone/)
  })
})

/** A resolver on port 53 that answers every name with the address of its login page, as a captive portal does. */
const portal = (t: TestContext, names: string[] = []): DnsClient => ({
  ...clientFor(t),
  async query({ name, type, servers }) {
    names.push(name)
    const answers = type === 'NS' ? ns(name, 'portal.lan') : [address(name, '10.0.0.1')]
    return { ...emptyReply('timeout', 0), outcome: 'answer', answers, server: servers[0]! }
  },
})

suite('a resolver that answers every name', () => {
  const plain = parseServerAddress('192.0.2.53')

  const behindPortal = (t: TestContext, names?: string[]) => {
    const client = portal(t, names)
    const clock = manualClock()
    const honesty = createRecursorHonesty({ client, clock, random: seededRandom(1) })
    return { clock, client: createRecursorClient({ client, clock, doh: dohFor(t), honesty }) }
  }

  test('is not believed: without another resolver there is no answer', async (t) => {
    const { client } = behindPortal(t)
    const reply = await client.query(request([plain]))
    assert.deepEqual([reply.outcome, reply.server, reply.answers], ['rejected', null, []])
  })

  test('is replaced by one over HTTPS', async (t) => {
    const { server } = await serveDoh(t, honest)
    const reply = await behindPortal(t).client.query(request([plain, server]))
    assert.deepEqual(reply.answers, [address('example.com')])
  })

  test('is found with a name that nobody could know, and again when somebody may have logged in', async (t) => {
    const names: string[] = []
    const { client, clock } = behindPortal(t, names)
    const recursors = [plain]
    for (const seconds of [0, 1, 60]) {
      clock.advance(seconds * 1000)
      await client.query(request(recursors))
    }
    const invented = names.filter((name) => /^[a-z]{24}\.com$/.test(name))
    assert.deepEqual([names.length, new Set(invented).size], [7, 2])
  })

  test('proves no registration, and one over HTTPS is asked instead', async (t) => {
    const { server } = await serveDoh(t, ({ query }, response) => {
      const { name } = query.questions[0]!
      const isTaken = name === 'taken.com'
      send(response, answerTo({ query }, isTaken ? { answers: ns(name, 'ns.host.net') } : { rcode: 3 }))
    })
    const find = (domain: string, recursors: readonly ServerAddress[]) => {
      const { client, clock } = behindPortal(t)
      const finder = createDelegationFinder({ client, clock, random: seededRandom(2), recursors })
      return finder.find({ domain, zone: 'com', servers: [], timeoutMs: 20_000 })
    }
    const alone = await find('free.com', [plain])
    assert.equal(alone.kind === 'unclear' && alone.why, 'lying_recursor')
    assert.equal((await find('free.com', [plain, server])).kind, 'not_delegated')
    const taken = await find('taken.com', [plain, server])
    assert.ok(taken.kind === 'delegated' && taken.viaRecursor)
    assert.equal(taken.evidence.server, server.text)
  })
})

suite('a resolver that knows the names of its own network only', () => {
  const plain = parseServerAddress('192.0.2.53')

  const behindCompany = (t: TestContext) => {
    const query: DnsClient['query'] = async ({ servers }) => ({
      ...emptyReply('timeout', 0),
      outcome: 'nxdomain',
      server: servers[0]!,
    })
    const client = { ...clientFor(t), query }
    const honesty = createRecursorHonesty({ client, clock: systemClock, random: seededRandom(1) })
    return createRecursorClient({ client, clock: systemClock, doh: dohFor(t), honesty })
  }

  test('does not prove that a name does not exist', async (t) => {
    const { server } = await serveDoh(t, honest)
    assert.equal((await behindCompany(t).query(request([plain]))).outcome, 'rejected')
    assert.deepEqual((await behindCompany(t).query(request([plain, server]))).answers, [address('example.com')])
  })
})
