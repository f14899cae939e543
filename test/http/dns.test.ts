import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { dnsRecords } from '../../src/dns/contract.ts'
import type { Records, ServFail } from '../../src/dns/resolver.ts'
import { dnsRoutes } from '../../src/dns/routes.ts'
import { createDns } from '../../src/dns/service.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { UpstreamError, type UpstreamFailure } from '../../src/kernel/errors.ts'
import { type Reply, startDoor } from '../support/door.ts'

const records: Records = {
  a: ['192.0.2.1'],
  aaaa: [],
  mx: [{ host: 'mail.example.com', priority: 10 }],
  ns: [{ host: 'ns1.example.com', ip: '192.0.2.53' }],
  txt: ['v=spf1 -all'],
  cname: null,
  soa: {
    primary: 'ns1.example.com',
    email: 'dns.admin@example.com',
    serial: 7,
    refresh: 1,
    retry: 2,
    expire: 3,
    minimum: 4,
  },
  dnssec: true,
}

async function start(t: TestContext, says: Records | ServFail | null | UpstreamFailure) {
  const clock = manualClock()
  const asked: string[] = []
  const dns = createDns({
    clock,
    resolver: {
      async resolve(domain) {
        asked.push(domain)
        if (typeof says === 'string') throw new UpstreamError(says, 'resolver.test failed')
        return says
      },
    },
  })
  const door = await startDoor(dnsRoutes(dns), { rateLimit: 60_000 })
  t.after(() => door.stop())
  return { ...door, asked, clock }
}
const refusal = ({ status, body }: Reply) => [status, (body as { error: string }).error]

describe('GET /v1/dns/{domain}', () => {
  test('returns every record type with the field names of the contract', async (t) => {
    const door = await start(t, records)
    const { status, body } = await door.get('/v1/dns/WWW.example.com.')
    assert.equal(status, 200)
    assert.deepEqual(body, {
      domain: 'www.example.com',
      records: {
        a: ['192.0.2.1'],
        aaaa: [],
        mx: [{ host: 'mail.example.com', priority: 10 }],
        ns: [{ host: 'ns1.example.com', ip: '192.0.2.53' }],
        txt: ['v=spf1 -all'],
        cname: null,
        soa: {
          primary_ns: 'ns1.example.com',
          admin_email: 'dns.admin@example.com',
          serial: 7,
          refresh: 1,
          retry: 2,
          expire: 3,
          min_ttl: 4,
        },
      },
      dnssec: true,
      query_time_ms: 0,
      queried_at: '2026-01-01T00:00:00.000Z',
    })
    assert.doesNotThrow(() => dnsRecords.output.parse(body))
  })

  test('each failure has its own status and message', async (t) => {
    const rows: [ServFail | null | UpstreamFailure, number, string, RegExp][] = [
      [null, 404, 'domain_not_found', /does not exist/],
      ['timeout', 504, 'timeout', /in time/],
      ['unavailable', 503, 'service_unavailable', /No resolver could look up example\.com/],
      ['not_configured', 503, 'service_unavailable', /ONOMA_DNS_SERVERS/],
      [{ servfail: true }, 503, 'service_unavailable', /answered SERVFAIL for example\.com: .*name servers.*DNSSEC/],
    ]
    for (const [says, status, code, message] of rows) {
      const door = await start(t, says)
      const reply = await door.get('/v1/dns/example.com')
      assert.deepEqual(refusal(reply), [status, code])
      assert.match((reply.body as { message: string }).message, message)
      assert.doesNotMatch(reply.text, /resolver\.test/)
    }
  })

  test('underscores are allowed in every label except the TLD', async (t) => {
    const door = await start(t, records)
    for (const domain of [
      '_dmarc.example.com',
      '_sip._tcp.example.com',
      'foo_bar.example.com',
      '_.com',
      '__a_.b.com',
    ]) {
      const { status, body } = await door.get(`/v1/dns/${domain.toUpperCase()}`)
      assert.deepEqual([status, (body as { domain: string }).domain], [200, domain])
    }
    for (const domain of ['_dmarc', 'example._com', 'example.c_m', '_dmarc..com', '_-.com', '_*.com']) {
      assert.deepEqual(refusal(await door.get(`/v1/dns/${domain}`)), [400, 'invalid_domain'], domain)
    }
    const { body } = await door.get(`/v1/dns/${encodeURIComponent('_dmarc.bücher.de')}`)
    assert.match((body as { message: string }).message, /punycode form _dmarc\.xn--bcher-kva\.de\./)
  })

  test('an answer is cached for exactly five seconds, with the time of its query', async (t) => {
    for (const says of [records, null, { servfail: true }] as const) {
      const { get, asked, clock } = await start(t, says)
      const first = await get('/v1/dns/example.com')
      clock.advance(4_999)
      assert.equal((await get('/v1/dns/example.com')).text, first.text)
      assert.equal(asked.length, 1)
      clock.advance(1)
      assert.equal((await get('/v1/dns/example.com')).status, first.status)
      assert.equal(asked.length, 2)
    }
  })

  test('a failed query is not cached', async (t) => {
    const { get, asked } = await start(t, 'unavailable')
    await get('/v1/dns/example.com')
    await get('/v1/dns/example.com')
    assert.equal(asked.length, 2)
  })

  test('a missing or invalid domain is rejected without a query', async (t) => {
    const door = await start(t, records)
    assert.deepEqual(refusal(await door.get('/v1/dns/')), [400, 'missing_domain'])
    assert.deepEqual(refusal(await door.get('/v1/dns')), [400, 'missing_domain'])
    for (const domain of ['example', '-a.com', 'a..com', 'a%20b.com', 'http:%2F%2Fexample.com', 'a%00.com']) {
      assert.deepEqual(refusal(await door.get(`/v1/dns/${domain}`)), [400, 'invalid_domain'], domain)
    }
    assert.deepEqual(door.asked, [])
  })

  test('requests above the rate limit are rate_limited', async (t) => {
    const door = await startDoor(
      dnsRoutes(createDns({ clock: manualClock(), resolver: { resolve: async () => records } })),
      { rateLimit: 1 },
    )
    t.after(() => door.stop())
    await door.get('/v1/dns/example.com')
    assert.deepEqual(refusal(await door.get('/v1/dns/example.com')), [429, 'rate_limited'])
  })
})
