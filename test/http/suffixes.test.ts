import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'

type Result = { domain: string; tld: string; available: boolean; status: string[]; source: string }
type Evidence = { source: string; question: string }

/** The whole service against the simulated registries; answers are compared with the truth. */
describe('names under suffixes such as co.uk', () => {
  let names: Names
  let service: Service
  before(async () => {
    names = await startNames({ seed: 5 })
    const config = loadConfig({
      PORT: '0',
      ENS_PORT: '0',
      ONOMA_METRICS: 'off',
      ONOMA_SANDBOX: 'on',
      ONOMA_RATE_LIMIT: '65535',
      ...names.settings,
    })
    // Timeouts never expire, so that answers do not depend on the load of the machine.
    service = await startService(config, { log: { debug() {}, info() {}, warn() {}, error() {} }, timeoutScale: 100 })
  })
  after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    await names.stop()
  })
  const get = async (path: string) => {
    const response = await fetch(service.url + path)
    return { status: response.status, body: (await response.json()) as Record<string, unknown> }
  }
  const { secondLevel } = loadCatalogue()

  test('every suffix is decided by its registry, as a list and as single names', async () => {
    const domains = secondLevel.flatMap(({ tld }) => ['granite', 'free-shop', 'held-shop'].map((at) => `${at}.${tld}`))
    const response = await fetch(`${service.url}/v1/check/bulk`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: JSON.stringify({ domains }),
    })
    const { results } = (await response.json()) as { results: Result[] }
    assert.equal(results.length, domains.length)
    for (const { domain, tld, available, status, source } of results) {
      assert.equal(`${domain.split('.')[0]}.${tld}`, domain)
      assert.equal(available, names.truthOf(domain).state === 'free', domain)
      assert.notEqual(status[0], 'unknown', domain)
      const { lookup } = loadCatalogue().find(tld)!
      assert.ok(source === lookup || (source === 'dns' && !available), `${domain} was decided by ${source}`)
    }
  })

  test('the registry is asked with the full name: the one above, or the suffix’s own', async () => {
    const rows: [string, string, RegExp][] = [
      ['free-shop.co.uk', 'rdap', /\/uk\/domain\/free-shop\.co\.uk$/],
      ['free-shop.com.br', 'rdap', /\/br\/domain\/free-shop\.com\.br$/],
      ['free-shop.co.jp', 'whois', /^free-shop\.co\.jp$/],
      ['free-shop.co.za', 'whois', /^free-shop\.co\.za$/],
      ['free-shop.uk.com', 'whois', /^free-shop\.uk\.com$/],
    ]
    for (const [domain, source, question] of rows) {
      const { body } = await get(`/v1/check?domain=${domain}&evidence=true`)
      assert.deepEqual([body['available'], body['source']], [true, source], domain)
      const asked = (body['evidence'] as Evidence[]).filter((one) => one.source !== 'dns')
      assert.deepEqual([asked.length, asked[0]?.source], [1, source])
      assert.match(asked[0]!.question, question)
    }
  })

  test('name and tld combine to such a domain, also beside TLDs', async () => {
    const { body } = await get('/v1/check?name=free-shop&tld=uk,.CO.UK,com.au')
    const results = body['results'] as Result[]
    assert.deepEqual(
      results.map(({ domain, tld }) => [domain, tld]),
      ['uk', 'co.uk', 'com.au'].map((tld) => [`free-shop.${tld}`, tld]),
    )
    const compact = await get('/v1/check?name=free-shop&tld=co.nz,co.kr&view=compact')
    assert.deepEqual(compact.body, { name: 'free-shop', available: ['co.nz', 'co.kr'] })
  })

  test('WHOIS gives the record of the registry', async () => {
    for (const [domain, source] of [
      ['taken-shop.com.au', 'rdap'],
      ['taken-shop.co.nz', 'whois'],
    ]) {
      const { status, body } = await get(`/v1/whois?domain=${domain}`)
      assert.deepEqual([status, body['available'], body['source']], [200, false, source], domain)
      assert.ok((body['nameservers'] as string[]).length > 0)
    }
    assert.equal((await get('/v1/whois?domain=free-shop.com.br')).body['available'], true)
  })

  test('registrar links are made for it, and a name below it is refused with the domain to use', async () => {
    const { status, body } = await get('/v1/register?domain=acme.co.uk')
    const links = body['registrars'] as { url: string; estimatedPrice?: number }[]
    assert.equal(status, 200)
    assert.ok(links.every(({ url, estimatedPrice }) => url.includes('acme.co.uk') && estimatedPrice === undefined))
    for (const path of ['/v1/register', '/v1/check', '/v1/whois']) {
      const refused = await get(`${path}?domain=www.acme.co.uk`)
      assert.deepEqual([refused.status, refused.body['error']], [400, 'invalid_domain'])
      assert.match(String(refused.body['message']), /sub-domain of acme\.co\.uk; ask for acme\.co\.uk\./)
    }
  })

  test('a suffix that is not supported is answered with those that are', async () => {
    const below = await get('/v1/check?domain=acme.gov.uk')
    assert.match(String(below.body['message']), /Names can also be under .*\bco\.uk\b.*\(GET \/v1\/suffixes\)/)
    const com = await get('/v1/check?domain=www.example.com')
    assert.doesNotMatch(String(com.body['message']), /suffixes/)
    const unknown = await get('/v1/check?name=acme&tld=co.zz')
    assert.deepEqual([unknown.status, unknown.body['error'], unknown.body['tld']], [400, 'unsupported_tld', 'co.zz'])
    assert.match(String(unknown.body['message']), /GET \/v1\/tlds and GET \/v1\/suffixes list what is/)
  })

  test('GET /v1/suffixes lists them, and /v1/tlds stays as it is', async () => {
    const { status, body } = await get('/v1/suffixes')
    assert.equal(status, 200)
    const listed = body['suffixes'] as { suffix: string; tld: string }[]
    assert.deepEqual([body['total'], listed.length], [secondLevel.length, secondLevel.length])
    assert.deepEqual(
      listed.map(({ suffix }) => suffix),
      listed.map(({ suffix }) => suffix).toSorted(),
    )
    const british = (await get('/v1/suffixes?tld=UK')).body['suffixes'] as { suffix: string }[]
    assert.ok(british.some(({ suffix }) => suffix === 'co.uk') && british.every(({ suffix }) => suffix.endsWith('.uk')))
    assert.deepEqual((await get('/v1/suffixes?tld=dev')).body, { total: 0, suffixes: [] })
    assert.equal((await get('/v1/suffixes?tld=co.uk')).status, 400)
    const tlds = (await get('/v1/tlds')).body
    assert.deepEqual([tlds['total'], (tlds['all'] as string[]).length], [511, 511])
  })

  test('an ENS name is answered with the ENS endpoints', async () => {
    for (const [path, error] of [
      ['/v1/check?domain=acme.eth', 'unsupported_tld'],
      ['/v1/check?name=acme&tld=com,eth', 'unsupported_tld'],
      ['/v1/whois?domain=acme.eth', 'unsupported_tld'],
      ['/v1/register?domain=Acme.ETH', 'invalid_domain'],
    ]) {
      const { status, body } = await get(path!)
      assert.deepEqual([status, body['error']], [400, error], path)
      const message = String(body['message'])
      assert.match(message, /GET \/v1\/ens\/check\?name=acme\.eth tells/)
      assert.match(message, /GET \/v1\/ens\/metadata\?name=acme\.eth who holds it/)
    }
    const emoji = await get(`/v1/check?domain=${encodeURIComponent('💎.eth')}`)
    assert.match(String(emoji.body['message']), /GET \/v1\/ens\/check\?name=%F0%9F%92%8E\.eth tells/)
  })
})
