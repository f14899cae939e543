import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { systemClock } from '../../kernel/clock.ts'
import { UpstreamError } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import type { WhoisRequest } from '../../protocols/whois43/client.ts'
import { createWhoisRegistry } from '../../protocols/whois43/registry.ts'
import { loadCatalogue } from '../../tlds/catalogue.ts'
import { openWhoisServers } from './whois-hosts.ts'

const catalogue = loadCatalogue()
const BUNDLED = catalogue.find('cn')!.whoisServer!
const MOVED = 'whois.moved.cn'

/** WHOIS over scripted servers: the bundled host of .cn is gone, and IANA names another one. */
function world(t: TestContext, { named = {}, moved = MOVED, address = '192.0.2.1' }: Partial<World> = {}) {
  const dataDir = mkdtempSync(join(tmpdir(), 'onoma-whois-hosts-'))
  t.after(() => rmSync(dataDir, { recursive: true }))
  const asked: string[] = []
  const client = {
    async query({ server, domain }: WhoisRequest) {
      asked.push(`${server} ${domain}`)
      if (server === BUNDLED) throw new UpstreamError('unavailable', `${server} is not found`, { unreachable: true })
      const text = server.startsWith('iana.test') ? `domain: CN\nwhois: ${moved}\n` : 'No matching record.\n'
      return { server, query: domain, bytes: Buffer.from(text), text, charset: 'utf-8', elapsedMs: 1 }
    },
  }
  const open = () => {
    const servers = openWhoisServers({
      config: { sandbox: true, dataDir },
      catalogue,
      client,
      policy: {
        allow: (one) => one === '192.0.2.1',
        lookup: (_host, _options, done) => done(null, [{ address, family: 4 }]),
      },
      named: { '.': 'iana.test', ...named },
      clock: systemClock,
      log: { debug() {}, info() {}, warn() {}, error() {} },
    })
    const query = createWhoisRegistry({
      client,
      pacer: { run: (_host, send) => send({ signal: new AbortController().signal, timeoutMs: 1000 }) },
      serverOf: servers.serverOf,
      replaceServer: servers.replace,
      knownAs: servers.hostOf,
      clock: systemClock,
    })
    const options = { signal: new AbortController().signal, deadline: Infinity, lane: '' }
    const check = async (domain: string, tld: string) =>
      (await query({ domain: domain as DomainName, tld }, options)).answer.kind
    return { servers, check }
  }
  return { ...open(), open, asked }
}
type World = { named: Record<string, string>; moved: string; address: string }

test('a WHOIS host that is gone is replaced by the one IANA names, within the same query and after a restart', async (t) => {
  const { check, asked, open } = world(t)
  assert.equal(await check('acme.com.cn', 'com.cn'), 'available')
  assert.deepEqual(asked, [`${BUNDLED} acme.com.cn`, 'iana.test cn', `${MOVED} acme.com.cn`])
  const next = open()
  await next.servers.start()
  assert.deepEqual([next.servers.serverOf('cn'), next.servers.serverOf('com.cn')], [MOVED, MOVED])
  assert.equal(await next.check('acme.cn', 'cn'), 'available')
  assert.equal(asked.length, 4)
})

test('a host with a private address, or an IP address, is not believed: the failure stays', async (t) => {
  for (const change of [{ address: '127.0.0.1' }, { moved: '192.0.2.1' }, { moved: 'localhost' }]) {
    const { check, servers } = world(t, change)
    await assert.rejects(check('acme.cn', 'cn'), { name: 'UpstreamError', unreachable: true })
    assert.equal(servers.serverOf('cn'), BUNDLED)
  }
})

test('IANA is not asked about a server that the operator named, nor about a suffix with its own registry', async (t) => {
  const { check, asked, servers } = world(t, { named: { cn: BUNDLED } })
  await assert.rejects(check('acme.cn', 'cn'))
  await servers.start()
  servers.used('co.za')
  assert.equal(await servers.replace('co.za', 'x', new UpstreamError('timeout', 'x')), undefined)
  assert.deepEqual(asked, [`${BUNDLED} acme.cn`])
})

test('a host that asks us to slow down is the right one', async (t) => {
  const { servers, asked } = world(t)
  assert.equal(await servers.replace('cn', BUNDLED, new UpstreamError('rate_limited', 'slower')), undefined)
  assert.deepEqual(asked, [])
})
