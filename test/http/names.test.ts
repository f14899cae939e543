import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { Agent, request } from 'undici'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'

type Result = { domain: string; available: boolean; status: string[]; source: string; error?: string }

/** The whole service against the simulated registries and name servers; answers are compared with the truth. */
describe('domains, from HTTP to the registries', () => {
  let names: Names
  /** Its timeouts never expire, so that answers do not depend on the load of the machine. */
  let withoutTimeouts: Service
  /** With normal timeouts, for registries that never answer correctly. */
  let withTimeouts: Service
  const agent = new Agent({ headersTimeout: 0, bodyTimeout: 0 })
  before(async () => {
    names = await startNames({ seed: 7 })
    const config = loadConfig({
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_RATE_LIMIT: '65535',
      ...names.settings,
    })
    const log = { debug() {}, info() {}, warn() {}, error() {} }
    withoutTimeouts = await startService(config, { log, timeoutScale: 100 })
    withTimeouts = await startService(config, { log })
  })
  after(async () => {
    await agent.destroy()
    await Promise.all([withoutTimeouts, withTimeouts].map((service) => service.stop({ lingerMs: 0, graceMs: 0 })))
    await names.stop()
  })
  const get = async (path: string, init: object = {}, service = withoutTimeouts) => {
    const { statusCode, body } = await request(service.url + path, { dispatcher: agent, ...init })
    return { status: statusCode, text: await body.text() }
  }
  const bulk = async (domains: string[], service = withoutTimeouts): Promise<Result[]> => {
    const body = JSON.stringify({ domains })
    const init = {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', accept: 'application/x-ndjson' },
    }
    const { text } = await get('/v1/check/bulk', init, service)
    return text
      .trimEnd()
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as Result)
  }
  const isFree = (domain: string) => names.truthOf(domain).state === 'free'
  const mistakes = (results: readonly Result[]) =>
    results.filter(({ domain, available, status }) => status[0] !== 'unknown' && available !== isFree(domain))
  const unknowns = (results: readonly Result[]) => results.filter(({ status }) => status[0] === 'unknown')

  test('a record comes from the registry of its TLD, by RDAP or by WHOIS', async () => {
    for (const [domain, source] of [
      ['taken-shop.com', 'rdap'],
      ['taken-shop.ru', 'whois'],
    ] as const) {
      const { status, text } = await get(`/v1/whois?domain=${domain}`)
      const record = JSON.parse(text) as {
        available: boolean
        source: string
        registrar: { name: string }
        nameservers: string[]
      }
      assert.deepEqual([status, record.available, record.source], [200, false, source])
      assert.ok(record.registrar.name.length > 0 && record.nameservers.length > 0, text)
    }
    const free = JSON.parse((await get('/v1/whois?domain=free-shop.com')).text) as { available: boolean }
    assert.equal(free.available, true)
    assert.equal((await get('/v1/whois?domain=reserved-shop.com')).status, 404)
    assert.equal((await get('/v1/whois?domain=taken-shop.es')).status, 400)
  })

  test('the verdict is right under every TLD, and comes from its deciding source', async () => {
    const { text } = await get('/check?name=cobblestone')
    const { results } = JSON.parse(text) as { results: Result[] }
    assert.equal(results.length, 511)
    assert.deepEqual(mistakes(results), [])
    assert.deepEqual(unknowns(results), [])
    const catalogue = loadCatalogue()
    for (const { available, source, domain } of results.filter(({ available }) => available)) {
      assert.equal(source, catalogue.find(domain.split('.')[1]!)!.lookup, `${domain} ${available}`)
    }
  })

  test('a bulk check of 300 domains is right, with one registry request per domain that DNS cannot decide', async () => {
    names.resetCounters()
    const domains = Array.from({ length: 300 }, (_, at) => `brand-${at}.com`)
    const results = await bulk(domains)
    assert.equal(results.length, 300)
    assert.deepEqual(mistakes(results), [])
    assert.deepEqual(unknowns(results), [])
    const unproven = results.filter(({ source }) => source !== 'dns').length
    assert.ok(names.counters().registryRequests <= unproven + 3, JSON.stringify(names.counters().registryRequests))
  })

  test('a premium name is premium where WHOIS decides, and plainly available where RDAP or DNS decides', async () => {
    const { text } = await get('/v1/check?name=premium-shop&tld=la,it,ru,com,app,es')
    const { results, summary } = JSON.parse(text) as {
      results: (Result & { premium: boolean })[]
      summary: { available: number; premium: number }
    }
    assert.deepEqual(
      results.map(({ domain, available, premium, source }) => [domain.split('.')[1], available, premium, source]),
      [
        ['la', true, true, 'whois'],
        ['it', true, true, 'whois'],
        ['ru', true, true, 'whois'],
        ['com', true, false, 'rdap'],
        ['app', true, false, 'rdap'],
        ['es', true, false, 'dns'],
      ],
    )
    assert.deepEqual([summary.available, summary.premium], [6, 3])
    const whois = JSON.parse((await get('/v1/whois?domain=premium-shop.la')).text) as { available: boolean }
    assert.equal(whois.available, true)
  })

  test('names on hold, without a delegation, are registered', async () => {
    const results = await bulk(Array.from({ length: 20 }, (_, at) => `held-${at}.net`))
    assert.ok(results.every(({ available, source }) => !available && source === 'rdap'))
    assert.deepEqual(mistakes(results), [])
  })

  test('whatever a registry does wrong, no registered name is reported as available', async () => {
    const words = ['broken', 'foreign', 'half', 'cut', 'reset', 'redirect', 'down', 'denied', 'huge']
    // One registry of each kind. A check has a shorter timeout than a bulk check.
    const lists = ['org', 'dev', 'ru'].map((tld) => words.map((word) => `${word}-shop.${tld}`).join())
    const answers = await Promise.all(lists.map((list) => get(`/v1/check?domain=${list}`, {}, withTimeouts)))
    const results = answers.flatMap(({ text }) => (JSON.parse(text) as { results: Result[] }).results)
    assert.deepEqual(mistakes(results), [])
    assert.ok(results.every(({ status, error }) => (status[0] === 'unknown') === (error !== undefined)))
    // Half a WHOIS answer still has the known "not found" wording of its host, so it is conclusive.
    const available = results.filter(({ available }) => available).map(({ domain, source }) => [domain, source])
    assert.ok(
      available.every(([domain, source]) => domain!.startsWith('half-') && source === 'whois'),
      JSON.stringify(available),
    )
  })

  test('check and whois agree on a name, whatever its registry answers', async () => {
    const words = ['free', 'taken', 'held', 'reserved', 'lame', 'half', 'foreign', 'rdap-half', 'rdap-foreign']
    const labels = [...words.map((word) => `${word}-pair`), 'a', 'example']
    const compared = await Promise.all(
      ['com', 'net', 'co', 'at'].flatMap((tld) =>
        labels.map(async (label) => {
          const domain = `${label}.${tld}`
          const check = await get(`/v1/check?domain=${domain}`)
          const whois = await get(`/v1/whois?domain=${domain}`)
          const [state] = (JSON.parse(check.text) as Result).status
          const record = JSON.parse(whois.text) as { available?: boolean; error?: string }
          return { domain, state: state!, said: record.error ?? (record.available ? 'available' : 'registered') }
        }),
      ),
    )
    const allowed: Record<string, string[]> = {
      available: ['available'],
      registered: ['registered', 'upstream_error', 'timeout'],
      reserved: ['domain_not_found'],
      unknown: ['upstream_error', 'timeout'],
    }
    assert.deepEqual(
      compared.filter(({ state, said }) => !allowed[state]!.includes(said)),
      [],
    )
  })

  test('whatever DNS does wrong, the verdict of the registry is right', async () => {
    const words = ['hang', 'broken', 'denied', 'cut', 'foreign']
    const results = await bulk(
      words.map((word) => `dns-${word}-shop.com`),
      withTimeouts,
    )
    assert.deepEqual(mistakes(results), [])
    assert.deepEqual(unknowns(results), [])
  })

  test('DNS records come from the recursive resolver, and a name that does not exist is 404', async () => {
    const { status, text } = await get('/v1/dns/taken-shop.com')
    const { records } = JSON.parse(text) as { records: { a: string[]; soa: object | null } }
    assert.equal(status, 200)
    assert.ok(records.a.length > 0 && records.soa !== null)
    assert.equal((await get('/v1/dns/free-shop.com')).status, 404)
  })

  test('a name with an underscore is looked up like any other, and a broken zone is SERVFAIL', async () => {
    const { status, text } = await get('/v1/dns/_dmarc.taken-shop.com')
    const { records } = JSON.parse(text) as { records: { txt: string[]; soa: object | null } }
    assert.equal(status, 200)
    assert.match(records.txt.join(), /^v=DMARC1; /)
    assert.equal(records.soa, null)
    assert.equal((await get('/v1/dns/_sip._tcp.taken-shop.com')).status, 404)
    for (const domain of ['bogus-shop.com', 'lame-shop.com', 'www.bogus-shop.com']) {
      const broken = await get(`/v1/dns/${domain}`)
      assert.equal(broken.status, 503)
      assert.match(broken.text, new RegExp(`answered SERVFAIL for ${domain}`))
    }
  })

  test('after a 429 the registry is not asked again: the next name that needs it is unknown', async () => {
    for (const domain of ['throttled600-shop.app', 'free-shop.app', 'free-shop.dev']) {
      const { status, error } = JSON.parse((await get(`/v1/check?domain=${domain}`, {}, withTimeouts)).text) as Result
      assert.deepEqual([status, error], [['unknown'], 'rate_limited'], domain)
    }
  })
})
