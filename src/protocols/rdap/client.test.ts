import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import type { RequestListener } from 'node:http'
import { suite, test, type TestContext } from 'node:test'
import type { UpstreamError } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import { createPacer, type Pacer } from '../../kernel/pace/pacer.ts'
import { seededRandom } from '../../kernel/random.ts'
import { CERTIFICATE, failing, serve, serveTls, upstreamFor } from '../../kernel/upstream/loopback.fixture.ts'
import { createRdap } from './client.ts'

const domain = 'name.test' as DomainName
const RDAP = { 'content-type': 'application/rdap+json' }
const NOT_FOUND = JSON.stringify({ errorCode: 404, title: 'Not Found' })

/** A pacer that runs everything at once and records its arguments. */
function recordingPacer() {
  const turns: { host: string; lane: string | undefined; timeoutMs: number | undefined }[] = []
  const run: Pacer['run'] = (host, ask, { lane, timeoutMs = 0 } = {}) => {
    turns.push({ host, lane, timeoutMs })
    return ask({ signal: new AbortController().signal, timeoutMs })
  }
  return { run, turns }
}

async function registry(t: TestContext, listener: RequestListener, pacer: Pick<Pacer, 'run'> = recordingPacer()) {
  const port = await serve(t, listener)
  const upstream = upstreamFor(t, { maxBytes: 2_000_000 })
  const base = `http://127.0.0.1:${port}/rdap/`
  const bootstrap = { baseFor: (tld: string) => (tld === 'test' ? base : undefined) }
  const ask = createRdap({ upstream, pacer, bootstrap, clock: upstream.clock })
  const options = { signal: new AbortController().signal, deadline: 10_000, lane: 'mine' }
  return {
    base,
    host: `127.0.0.1:${port}`,
    clock: upstream.clock,
    ask: (tld = 'test') => ask({ domain, tld }, options),
  }
}

test('the request follows RFC 9082, and the evidence has its URL, status, hash and time', async (t) => {
  const asked: unknown[] = []
  const pacer = recordingPacer()
  const { ask, base, host, clock } = await registry(
    t,
    ({ method, url, headers }, response) => {
      asked.push([method, url, headers.accept])
      response.writeHead(404, RDAP).end(NOT_FOUND)
    },
    pacer,
  )
  clock.advance(2500)
  assert.deepEqual(await ask(), {
    answer: { kind: 'available' },
    evidence: {
      source: 'rdap',
      server: host,
      question: `${base}domain/name.test`,
      outcome: '404',
      sha256: createHash('sha256').update(NOT_FOUND).digest('hex'),
      at: '2026-01-01T00:00:02.500Z',
      ms: 0,
    },
  })
  assert.deepEqual(asked, [['GET', '/rdap/domain/name.test', 'application/rdap+json']])
  assert.deepEqual(pacer.turns, [{ host, lane: 'mine', timeoutMs: 7500 }])
})

test('a TLD without a known server is not_configured, and nothing is sent', async (t) => {
  const { ask } = await registry(t, () => assert.fail())
  await assert.rejects(ask('other'), failing('not_configured'))
})

test('the registration is parsed from the answer', async (t) => {
  const object = { objectClassName: 'domain', ldhName: 'NAME.TEST', status: ['active'], nameservers: [] }
  const { ask } = await registry(t, (_request, response) => void response.end(JSON.stringify(object)))
  const { answer, evidence } = await ask()
  assert.deepEqual(answer, { kind: 'registered', registration: { status: ['ok'], nameservers: [] } })
  assert.equal(evidence.outcome, '200')
})

suite('redirects', () => {
  /** A registry that redirects to another host, which answers 404. */
  async function redirected(t: TestContext, body: string, headers: Record<string, string> = RDAP) {
    const other = await serve(t, (_request, response) => void response.writeHead(404, headers).end(body))
    const { ask, base } = await registry(t, (_request, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${other}/domain/name.test` }).end()
    })
    return { other, base, ...(await ask()) }
  }

  test('to another host are followed; an RDAP error there counts as the answer of the registry', async (t) => {
    const { other, base, answer, evidence } = await redirected(t, NOT_FOUND)
    assert.equal(answer.kind, 'available')
    assert.equal(evidence.server, `127.0.0.1:${other}`)
    assert.equal(evidence.question, `${base}domain/name.test`)
  })

  test('to another host with a 404 that is not an RDAP error are inconclusive', async (t) => {
    assert.equal((await redirected(t, '')).answer.kind, 'unclear')
    assert.equal((await redirected(t, '', {})).answer.kind, 'unclear')
    assert.equal((await redirected(t, NOT_FOUND, { 'content-type': 'application/json' })).answer.kind, 'unclear')
  })

  test('within the host keep the meaning of an empty 404', async (t) => {
    const { ask } = await registry(t, ({ url }, response) => {
      if (url === '/rdap/domain/name.test') response.writeHead(301, { location: '/v2/name.test' }).end()
      else response.writeHead(404, RDAP).end()
    })
    assert.equal((await ask()).answer.kind, 'available')
  })

  test('are limited to three, and never followed to private addresses', async (t) => {
    let asked = 0
    const { ask } = await registry(t, (_request, response) => {
      response.writeHead(302, { location: `/rdap/${asked++}` }).end()
    })
    await assert.rejects(ask(), failing('unavailable', /too often/))
    assert.equal(asked, 4)
    const inside = await registry(t, (_request, response) => {
      response.writeHead(302, { location: 'http://10.0.0.1/domain/name.test' }).end()
    })
    await assert.rejects(inside.ask(), failing('unavailable', /^refused: .* is not allowed here$/))
  })

  test('from https to http are not followed', async (t) => {
    const plain = await serve(t, (_request, response) => void response.writeHead(404).end())
    const port = await serveTls(t, (_request, response) => {
      response.writeHead(301, { location: `http://upstream.test:${plain}/domain/name.test` }).end()
    })
    const upstream = upstreamFor(t, { ca: CERTIFICATE })
    const bootstrap = { baseFor: () => `https://upstream.test:${port}/` }
    const ask = createRdap({ upstream, pacer: recordingPacer(), bootstrap, clock: upstream.clock })
    const options = { signal: new AbortController().signal, deadline: 10_000, lane: '' }
    await assert.rejects(ask({ domain, tld: 'test' }, options), failing('unavailable', /https to http/))
  })
})

suite('unusable answers', () => {
  test('a web page, a foreign 404 and a rejected name each have their own reason', async (t) => {
    const said: [number, string, string][] = [
      [404, '<html>Not found</html>', 'unclear'],
      [200, '<html>Welcome</html>', 'unclear'],
      [404, '{"message":"no route"}', 'unclear'],
      [404, NOT_FOUND, 'unclear'],
      [404, '', 'unclear'],
      [400, '{"errorCode":400,"title":"Bad Request"}', 'unclear'],
      [403, '{"errorCode":403,"title":"Forbidden"}', 'unclear'],
      [422, '{"errorCode":422,"title":"This name cannot be registered"}', 'reserved'],
    ]
    for (const [status, body, kind] of said) {
      const { ask } = await registry(t, (_request, response) => void response.writeHead(status).end(body))
      assert.equal((await ask()).answer.kind, kind, body)
    }
  })

  test('a server error is thrown as an UpstreamError with its failure', async (t) => {
    const trouble: [number, Record<string, string>, string, string][] = [
      [429, { 'retry-after': '7' }, '', 'rate_limited'],
      [403, {}, '{"errorCode":403,"title":"Rate limit exceeded"}', 'rate_limited'],
      [404, {}, '{"errorCode":429,"title":"Slow down"}', 'rate_limited'],
      [500, {}, '', 'unavailable'],
      [503, { 'retry-after': '7' }, '', 'unavailable'],
      [401, {}, '', 'auth_error'],
      [200, {}, 'x'.repeat(600_000), 'unavailable'],
    ]
    for (const [status, headers, body, failure] of trouble) {
      const { ask } = await registry(t, (_request, response) => void response.writeHead(status, headers).end(body))
      await assert.rejects(ask(), (error: unknown) => {
        assert.ok(failing(failure)(error))
        assert.equal((error as UpstreamError).retryAfterMs, headers['retry-after'] ? 7000 : undefined)
        return true
      })
    }
  })
})

test('a throttled query is retried after Retry-After', async (t) => {
  let asked = 0
  const waits: number[] = []
  // Deadlines never pass; any other wait returns at once.
  const wait = async (ms: number) => {
    if (ms >= 10_000) return new Promise<void>(() => {})
    waits.push(ms)
    clock.advance(ms)
  }
  const late: Pick<Pacer, 'run'> = { run: (...turn) => pacer.run(...turn) }
  const { ask, clock } = await registry(
    t,
    (_request, response) => {
      if (asked++ === 0) response.writeHead(429, { 'retry-after': '3' }).end()
      else response.writeHead(404, RDAP).end(NOT_FOUND)
    },
    late,
  )
  const pacer = createPacer({ clock, random: seededRandom(1), wait })
  assert.equal((await ask()).answer.kind, 'available')
  assert.equal(asked, 2)
  assert.ok(waits.length === 1 && waits[0]! >= 3000 && waits[0]! < 3300)
})
