import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { systemClock } from '../../kernel/clock.ts'
import { serve } from '../../kernel/upstream/loopback.fixture.ts'
import { proxies, serveProxy } from '../../kernel/upstream/proxy.fixture.ts'
import { SETTINGS } from '../settings/table.ts'
import { version } from '../version.ts'
import { createOutbound, type Provider, PROVIDERS } from './outbound.ts'

const providers = Object.keys(PROVIDERS) as Provider[]

test('every provider gets the same user agent with the version', async (t) => {
  const agents: unknown[] = []
  const server = createServer(({ headers }, response) => {
    agents.push(headers['user-agent'])
    response.end('{}')
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
  const outbound = createOutbound({ config: { sandbox: true, namedHosts: {} }, clock: systemClock, log: { warn() {} } })
  for (const provider of providers) {
    const upstream = outbound.open(provider)
    await upstream.request({ url })
    await upstream.close()
  }
  assert.deepEqual(
    agents,
    providers.map(() => `onoma/${version}`),
  )
})

test('every provider names settings that exist', () => {
  for (const provider of providers)
    for (const setting of PROVIDERS[provider].settings) assert.ok(Object.hasOwn(SETTINGS, setting), setting)
})

test('hosts of the internet are resolved by our own client, those of this machine and in settings by the system', async (t) => {
  const server = createServer((_request, response) => void response.end('{}'))
  // Both loopback addresses: the system may resolve localhost to either.
  server.listen(0)
  await once(server, 'listening')
  t.after(() => server.close())
  const { port } = server.address() as AddressInfo
  const resolved: string[] = []
  const openWith = (config: Parameters<typeof createOutbound>[0]['config']) => {
    const upstream = createOutbound({
      config,
      clock: systemClock,
      log: { warn() {} },
      async resolveHost(hostname) {
        resolved.push(hostname)
        return { addresses: [{ address: '127.0.0.1', family: 4 }], ttlMs: 60_000 }
      },
    }).open('registries')
    t.after(() => upstream.close())
    return upstream
  }
  const sandbox = openWith({ sandbox: true, namedHosts: {} })
  await sandbox.request({ url: `http://rdap.registry.example:${port}/` })
  await sandbox.request({ url: `http://localhost:${port}/` })
  assert.deepEqual(resolved.splice(0), ['rdap.registry.example'])

  const operators = openWith({ sandbox: false, namedHosts: { ONOMA_RDAP_BOOTSTRAP: [`localhost:${port}`] } })
  await operators.request({ url: `http://localhost:${port}/` })
  assert.deepEqual(resolved, [])
  // The answer for a host that nobody named must be public.
  await assert.rejects(operators.request({ url: `http://rdap.registry.example:${port}/` }), { failure: 'unavailable' })
  assert.deepEqual(resolved, ['rdap.registry.example'])
})

test('a host in a setting that the system does not know is resolved by our own client', async (t) => {
  const server = createServer((_request, response) => void response.end('{}'))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const host = `rdap.invalid:${(server.address() as AddressInfo).port}`
  const upstream = createOutbound({
    config: { sandbox: false, namedHosts: { ONOMA_RDAP_BOOTSTRAP: [host] } },
    clock: systemClock,
    log: { warn() {} },
    resolveHost: async () => ({ addresses: [{ address: '127.0.0.1', family: 4 }], ttlMs: 60_000 }),
  }).open('registries')
  t.after(() => upstream.close())
  assert.equal((await upstream.request({ url: `http://${host}/` })).status, 200)
})

test('every provider and every download takes the proxy, except in the sandbox', async (t) => {
  const origin = await serve(t, (_request, response) => response.end('{}'))
  const proxy = await serveProxy(t)
  const needs = { clock: systemClock, log: { warn() {} } }
  const config = { namedHosts: {}, proxy: proxies(proxy.url) }
  const outbound = createOutbound({ config: { ...config, sandbox: false }, ...needs })
  for (const provider of providers) {
    const upstream = outbound.open(provider)
    await upstream.request({ url: `http://host.example:${origin}/${encodeURIComponent(provider)}` })
    await upstream.close()
  }
  assert.deepEqual(
    proxy.asked.splice(0),
    providers.map((provider) => `GET http://host.example:${origin}/${encodeURIComponent(provider)}`),
  )
  assert.deepEqual(outbound.addressPolicy([]).proxy, config.proxy)
  const sandbox = createOutbound({ config: { ...config, sandbox: true }, ...needs })
  assert.equal(sandbox.addressPolicy([]).proxy, undefined)
  for (const upstream of [sandbox.open('payments'), outbound.open('payments', { loopbackOnly: true })]) {
    await upstream.request({ url: `http://127.0.0.1:${origin}/` })
    await upstream.close()
  }
  assert.deepEqual(proxy.asked, [])
})
