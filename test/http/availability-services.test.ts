import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, beforeEach, describe, test } from 'node:test'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'

type Check = { available: boolean; status: string[]; source: string; evidence: { source: string; server: string }[] }

/** The whole service against the simulated registries, with their availability services. */
describe('availability services of registries', () => {
  let names: Names
  const running: Service[] = []
  const start = async (settings: Record<string, string>): Promise<Service> => {
    const config = loadConfig({
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_RATE_LIMIT: '65535',
      ...settings,
    })
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    const service = await startService(config, { log, timeoutScale: 100 })
    running.push(service)
    return service
  }
  let service: Service
  let servers: Record<string, string>
  before(async () => {
    names = await startNames({ seed: 3 })
    servers = JSON.parse(readFileSync(names.settings['ONOMA_WHOIS_SERVERS']!, 'utf8')) as Record<string, string>
    service = await start(names.settings)
  })
  after(async () => {
    await Promise.all(running.map((one) => one.stop({ lingerMs: 0, graceMs: 0 })))
    await names.stop()
  })
  beforeEach(() => names.resetCounters())
  const check = async (domain: string, at = service) =>
    (await (await fetch(`${at.url}/v1/check?domain=${domain}&evidence=true`)).json()) as Check

  test('say that a name is available, and no WHOIS query is spent', async () => {
    for (const tld of ['be', 'eu', 'it', 'lt', 'ro', 'se']) {
      const { available, source, evidence } = await check(`free-shop.${tld}`)
      assert.deepEqual([available, source], [true, 'whois'], tld)
      assert.equal(whoisServer(evidence), servers[`${tld}:das`], tld)
    }
    const { das, whois } = names.counters()
    assert.deepEqual(das, { be: 1, eu: 1, it: 1, lt: 1, ro: 1, se: 1 })
    assert.deepEqual(whois, {})
  })

  test('are asked before WHOIS where the RDAP server is down', async () => {
    names.set({ rdapDown: 'reset' })
    try {
      for (const domain of ['free-shop.ch', 'free-shop.li', 'free-shop.no', 'free-shop.de', 'free-shop.com.br']) {
        const { available, source, evidence } = await check(domain)
        assert.deepEqual([available, source], [true, 'whois'], domain)
        const registry = domain.split('.').at(-1)!
        assert.equal(whoisServer(evidence), servers[`${registry}:das`], domain)
      }
      assert.deepEqual(names.counters().whois, {})
      assert.equal(names.counters().das['br'], 2, 'a cookie first')
    } finally {
      names.set({ rdapDown: null })
    }
  })

  test('decide nothing but that: another name, or no clear answer, is asked about over WHOIS', async () => {
    for (const [domain, first] of [
      ['held-shop.be', 'registered'],
      ['reserved-shop.it', 'reserved'],
      ['premium-shop.lt', 'available'],
    ] as const) {
      const { status, evidence } = await check(domain)
      assert.equal(status[0], first, domain)
      assert.notEqual(whoisServer(evidence), servers[`${domain.split('.').at(-1)}:das`], domain)
    }
  })

  test('are not asked for a record, which they do not have', async () => {
    await fetch(`${service.url}/v1/whois?domain=taken-shop.be`)
    assert.deepEqual(names.counters().das, {})
  })

  test('get no more queries in a minute than they allow; the rest goes to WHOIS', async () => {
    const domains = Array.from({ length: 70 }, (_, at) => `free-shop${at}x.be`)
    const response = await fetch(`${service.url}/v1/check/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ domains }),
    })
    const { results } = (await response.json()) as { results: Check[] }
    assert.ok(results.every(({ available }) => available))
    const { das, whois } = names.counters()
    assert.ok(das['be']! <= 50, `${das['be']} queries`)
    assert.equal(das['be']! + whois['be']!.requests, 70)
  })

  test('can be switched off, and are not asked where only the WHOIS server was named', async () => {
    const { 'be:das': _be, ...rest } = servers
    const file = join(readFolder(names.settings['ONOMA_WHOIS_SERVERS']!), 'without-das.json')
    writeFileSync(file, JSON.stringify({ ...rest, 'eu:das': 'off' }))
    const other = await start({ ...names.settings, ONOMA_WHOIS_SERVERS: file })
    for (const domain of ['free-lake.be', 'free-lake.eu']) assert.equal((await check(domain, other)).available, true)
    assert.deepEqual(names.counters().das, {})
  })

  test('that do not answer cost nothing but a moment', async () => {
    const file = join(readFolder(names.settings['ONOMA_WHOIS_SERVERS']!), 'dead-das.json')
    writeFileSync(file, JSON.stringify({ ...servers, 'be:das': '127.0.0.1:9' }))
    const other = await start({ ...names.settings, ONOMA_WHOIS_SERVERS: file })
    const { available, source } = await check('free-lake.be', other)
    assert.deepEqual([available, source], [true, 'whois'])
    assert.equal(names.counters().whois['be']?.requests, 1)
  })
})

const whoisServer = (evidence: Check['evidence']) => evidence.find(({ source }) => source === 'whois')?.server
const readFolder = (path: string): string => path.slice(0, path.lastIndexOf('/'))
