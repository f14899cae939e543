import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { buffer } from 'node:stream/consumers'
import { suite, test, type TestContext } from 'node:test'
import { examine } from '../src/app/commands/doctor.ts'
import { startService } from '../src/app/service.ts'
import { loadConfig } from '../src/app/settings/config.ts'
import type { Log } from '../src/kernel/log.ts'
import { serve } from '../src/kernel/upstream/loopback.fixture.ts'
import { serveProxy } from '../src/kernel/upstream/proxy.fixture.ts'
import { decodeMessage } from '../src/protocols/dns/decode.ts'
import { type DnsMessage, TYPES } from '../src/protocols/dns/message.ts'
import { address, answerTo, ns, serveDns } from '../src/protocols/dns/name-server.fixture.ts'

/** Nothing listens there. */
const CLOSED = '127.0.0.1:1'

/** The whole service on a network like this, with everything it logs. Nothing of it leaves the machine. */
async function startOn(t: TestContext, settings: Readonly<Record<string, string>>) {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-network-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const bootstrap = join(folder, 'rdap.json')
  const services = [[['com'], ['https://rdap.registry.example/']]]
  writeFileSync(bootstrap, JSON.stringify({ version: '1.0', publication: '2026-01-01T00:00:00Z', services }))
  const whois = join(folder, 'whois.json')
  writeFileSync(whois, JSON.stringify({ com: CLOSED }))
  const config = loadConfig({
    PORT: '0',
    ENS_PORT: '0',
    ONOMA_METRICS: 'off',
    ONOMA_DATA_DIR: join(folder, 'data'),
    ONOMA_DNS_SERVERS: CLOSED,
    ONOMA_DNS_AUTHORITATIVE: 'off',
    ONOMA_RDAP_BOOTSTRAP: bootstrap,
    ONOMA_WHOIS_SERVERS: whois,
    ONOMA_ETH_RPC_URLS: `http://${CLOSED}`,
    ...settings,
  })
  const lines: string[] = []
  const write = (...line: unknown[]) =>
    void lines.push(JSON.stringify(line, (_key, value) => (value instanceof Error ? String(value) : value)))
  const log: Log = { debug: write, info: write, warn: write, error: write }
  const service = await startService(config, { log })
  t.after(() => service.stop({ lingerMs: 0, graceMs: 0 }))
  const get = async (path: string) => {
    const response = await fetch(service.url + path)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  /** What `onoma doctor` says about a part. */
  const diagnose = async (part: string) => {
    let text = ''
    await examine({ json: true }, { config, output: { write: (piece: string) => void (text += piece) } })
    const { parts } = JSON.parse(text) as {
      parts: { part: string; status: string; reason?: string; advice?: string; note?: string }[]
    }
    return parts.find((one) => one.part === part)!
  }
  return { get, diagnose, lines }
}

/** A resolver over HTTP that knows .com and taken.com. */
const doh: RequestListener = (request, response) => {
  response.writeHead(200, { 'content-type': 'application/dns-message' })
  void buffer(request).then((query) => response.end(reply(decodeMessage(query))))
}

function reply(query: DnsMessage): Buffer {
  const { name, type } = query.questions[0]!
  const flags = { recursionAvailable: true }
  if (name === 'com')
    return answerTo({ query }, { flags, answers: type === TYPES.NS ? ns('com', 'a.gtld-servers.net') : [] })
  if (name !== 'taken.com') return answerTo({ query }, { flags, rcode: 3 })
  const answers = type === TYPES.A ? [address(name)] : type === TYPES.NS ? ns(name, 'ns.host.example') : []
  return answerTo({ query }, { flags, answers })
}

suite('where port 53 is closed', () => {
  test('names are looked up over HTTPS, and `onoma doctor` says so', async (t) => {
    const port = await serve(t, doh)
    const { get, diagnose } = await startOn(t, { ONOMA_DOH_URLS: `http://127.0.0.1:${port}/dns-query` })
    const { status, body } = await get('/v1/dns/taken.com')
    assert.equal(status, 200)
    assert.deepEqual((body['records'] as { a: unknown }).a, ['192.0.2.7'])
    assert.equal((await get('/v1/dns/free.com')).status, 404)
    // A delegation proves a registration, whoever reports it; that there is none proves nothing.
    const taken = (await get('/v1/check?domain=taken.com')).body
    assert.deepEqual([taken['available'], taken['source']], [false, 'dns'])
    const free = (await get('/v1/check?domain=free.com')).body
    assert.deepEqual([free['available'], free['status']], [false, ['unknown']])
    const found = await diagnose('resolvers')
    assert.equal(found.status, 'ok')
    assert.match(found.note ?? '', new RegExp(`^127\\.0\\.0\\.1:${port} is asked over HTTPS`))
  })

  test('a resolver that redirects to a login page is not followed', async (t) => {
    const visited: (string | undefined)[] = []
    const port = await serve(t, (request, response) => {
      visited.push(request.url)
      request.resume()
      response.writeHead(302, { location: '/login' }).end()
    })
    const { get, diagnose } = await startOn(t, { ONOMA_DOH_URLS: `http://127.0.0.1:${port}/dns-query` })
    assert.equal((await get('/v1/dns/taken.com')).status, 503)
    const { status, advice } = await diagnose('resolvers')
    assert.equal(status, 'failed')
    assert.match(advice ?? '', /answered 302/)
    assert.deepEqual([...new Set(visited)], ['/dns-query'])
  })
})

test('a captive portal is not believed: names are unknown, never available or registered', async (t) => {
  const portal = await serveDns(t, (incoming) => {
    const { name, type } = incoming.query.questions[0]!
    const answers = type === TYPES.NS ? ns(name, 'portal.lan') : [address(name, '10.0.0.1')]
    incoming.send(answerTo(incoming, { flags: { recursionAvailable: true }, answers }))
  })
  const { get, diagnose } = await startOn(t, { ONOMA_DNS_SERVERS: portal.address.text })
  const { body } = await get('/v1/check?domain=whatever.com')
  assert.deepEqual([body['available'], body['status']], [false, ['unknown']])
  assert.equal((await get('/v1/dns/whatever.com')).status, 503)
  assert.match((await diagnose('resolvers')).reason ?? '', /lie about names/)
})

suite('behind a proxy', () => {
  test('one that wants a password is reported by the log and `onoma doctor`, which do not print the wrong one', async (t) => {
    const proxy = await serveProxy(t, { wants: 'me:right' })
    const { get, diagnose, lines } = await startOn(t, { HTTPS_PROXY: proxy.url.replace('//', '//me:hunter2@') })
    const { body } = await get('/v1/check?domain=whatever.com')
    assert.deepEqual([body['available'], body['status']], [false, ['unknown']])
    assert.ok(proxy.asked.includes('CONNECT rdap.registry.example:443'), proxy.asked.join())
    const found = await diagnose('https')
    assert.deepEqual([found.status, found.reason], ['failed', 'The proxy wants a user and password, or others.'])
    assert.match(found.advice ?? '', /rejects the user and password in HTTPS_PROXY/)
    assert.ok(lines.some((line) => /wants a user and password/.test(line)))
    const said = JSON.stringify([found, lines, body])
    for (const secret of ['hunter2', Buffer.from('me:hunter2').toString('base64')]) assert.ok(!said.includes(secret))
  })
})
