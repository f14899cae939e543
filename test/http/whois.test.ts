import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { UpstreamError } from '../../src/kernel/errors.ts'
import { whoisLookup } from '../../src/whois/contract.ts'
import { registered, unclear, startWhois, errorOf, type ScriptedAnswer } from './whois.fixture.ts'

describe('GET /v1/whois', () => {
  test('a registered domain has every field of the registry, and no other', async (t) => {
    const door = await startWhois(t, { rdap: registered })
    const { status, body } = await door.get('/v1/whois?domain=Shop.COM.')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      domain: 'shop.com',
      available: false,
      source: 'rdap',
      registrar: { name: 'Example Registrar', ianaId: '9999', abuseEmail: 'abuse@registrar.example' },
      dates: { created: '2020-01-02T03:04:05.000Z', expires: '2027-01-02T03:04:05.000Z' },
      status: ['clientTransferProhibited'],
      nameservers: ['ns1.example', 'ns2.example'],
      dnssec: { delegationSigned: false },
      registrant: { organization: 'Example Ltd', country: 'GB' },
      cached: false,
      cachedAt: null,
      queriedAt: '2026-01-01T00:00:00.000Z',
    })
    assert.doesNotThrow(() => whoisLookup.output.parse(body))
  })

  test('an unregistered domain is available, without the fields of a registration', async (t) => {
    const door = await startWhois(t, { rdap: { kind: 'available' } })
    assert.deepEqual((await door.get('/v1/whois?domain=shop.com')).body, {
      domain: 'shop.com',
      available: true,
      source: 'rdap',
      cached: false,
      cachedAt: null,
      queriedAt: '2026-01-01T00:00:00.000Z',
    })
  })

  test('a domain that the registry does not register is not found', async (t) => {
    const door = await startWhois(t, { rdap: { kind: 'reserved', reason: 'reserved by the registry' } })
    const reply = await door.get('/v1/whois?domain=shop.com')
    assert.deepEqual(errorOf(reply), [404, 'domain_not_found'])
    assert.match(reply.text, /reserved by the registry/)
  })

  test('WHOIS answers if RDAP fails, and `source` says so', async (t) => {
    for (const rdap of [unclear, 'unavailable', 'timeout', 'rate_limited'] as const) {
      const door = await startWhois(t, { rdap, whois: registered })
      const { body } = await door.get('/v1/whois?domain=shop.com')
      assert.equal((body as { source: string }).source, 'whois')
      assert.deepEqual(door.asked, ['rdap shop.com', 'whois shop.com'], JSON.stringify(rdap))
    }
  })

  test('if no source answers, the error names the TLD, and whether it was a timeout', async (t) => {
    const rows: [ScriptedAnswer, ScriptedAnswer, number, string][] = [
      ['unavailable', 'unavailable', 502, 'upstream_error'],
      [unclear, unclear, 502, 'upstream_error'],
      ['timeout', 'unavailable', 504, 'timeout'],
      ['rate_limited', 'timeout', 502, 'upstream_error'],
    ]
    for (const [rdap, whois, status, code] of rows) {
      const door = await startWhois(t, { rdap, whois })
      const reply = await door.get('/v1/whois?domain=shop.com')
      assert.deepEqual(errorOf(reply), [status, code])
      assert.equal((reply.body as { tld: string }).tld, 'com')
      assert.doesNotMatch(reply.text, /rdap\.test|whois\.test|html/)
    }
  })

  test('a registry refused by our address policy is reported with the reason', async (t) => {
    const why = 'refused: rdap.internal resolves to a private address; name it in ONOMA_RDAP_BOOTSTRAP to allow it'
    const { get } = await startWhois(t, { rdap: new UpstreamError('unavailable', why, { refusal: why }) })
    const { status, body } = await get('/v1/whois?domain=shop.com')
    const message = `The registry of .com was not queried; ${why}.`
    assert.deepEqual([status, body], [502, { error: 'upstream_error', message, tld: 'com' }])
  })

  test('invalid input is rejected before any query', async (t) => {
    const door = await startWhois(t, { rdap: registered })
    const rows: [string, number, string][] = [
      ['', 400, 'missing_parameter'],
      ['?domain=shop', 400, 'invalid_domain'],
      ['?domain=www.shop.com', 400, 'invalid_domain'],
      ['?domain=shop.nope', 400, 'unsupported_tld'],
      ['?domain=shop.com&refresh=maybe', 400, 'invalid_parameter'],
      ['?domain=b%C3%BCcher.de', 400, 'invalid_domain'],
    ]
    for (const [query, status, code] of rows)
      assert.deepEqual(errorOf(await door.get(`/v1/whois${query}`)), [status, code], query)
    assert.equal(((await door.get('/v1/whois?domain=shop.nope')).body as { tld: string }).tld, 'nope')
    assert.deepEqual(door.asked, [])
  })

  test('a record is cached for an hour, an available name for a minute, and refresh bypasses the cache', async (t) => {
    const door = await startWhois(t, { rdap: registered })
    const ask = async (query = '') =>
      (await door.get(`/v1/whois?domain=shop.com${query}`)).body as {
        cached: boolean
        cachedAt: string | null
        queriedAt: string
      }
    await ask()
    door.clock.advance(60_000)
    const again = await ask()
    assert.deepEqual(
      [again.cached, again.cachedAt, again.queriedAt],
      [true, '2026-01-01T00:00:00.000Z', '2026-01-01T00:00:00.000Z'],
    )
    const fresh = await ask('&refresh=1')
    assert.deepEqual([fresh.cached, fresh.cachedAt, fresh.queriedAt], [false, null, '2026-01-01T00:01:00.000Z'])
    door.clock.advance(3_600_001)
    assert.equal((await ask()).cached, false)
    const free = await startWhois(t, { rdap: { kind: 'available' } })
    await free.get('/v1/whois?domain=shop.com')
    free.clock.advance(60_001)
    await free.get('/v1/whois?domain=shop.com')
    assert.equal(free.asked.length, 2)
  })

  test('a failure is never cached', async (t) => {
    const door = await startWhois(t, { rdap: 'unavailable', whois: 'unavailable' })
    await door.get('/v1/whois?domain=shop.com')
    await door.get('/v1/whois?domain=shop.com')
    assert.deepEqual(door.asked.slice(0, 3), ['rdap shop.com', 'whois shop.com', 'rdap shop.com'])
    assert.equal(door.asked.length, 6)
  })

  test('a TLD whose registry publishes neither RDAP nor WHOIS is unsupported, with the reason', async (t) => {
    const door = await startWhois(t, { rdap: registered })
    const reply = await door.get('/v1/whois?domain=shop.es')
    assert.deepEqual(errorOf(reply), [400, 'unsupported_tld'])
    assert.equal((reply.body as { tld: string }).tld, 'es')
    assert.match(reply.text, /neither RDAP nor WHOIS/)
    assert.deepEqual(door.asked, [])
  })

  test('evidence shows every query and its outcome', async (t) => {
    const door = await startWhois(t, { rdap: unclear, whois: registered })
    const { body } = await door.get('/v1/whois?domain=shop.com&evidence=true')
    assert.deepEqual(
      (body as { evidence: { server: string }[] }).evidence.map(({ server }) => server),
      ['dns.test', 'rdap.test', 'whois.test'],
    )
  })
})
