import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { recordsOf } from '../../src/app/wiring/between-capabilities.ts'
import type { Finding, Probe } from '../../src/availability/probe.ts'
import { availabilityRoutes } from '../../src/availability/routes.ts'
import { createAvailability } from '../../src/availability/service.ts'
import { registryProbe } from '../../src/availability/sources/registry.ts'
import { createLookupPolicy } from '../../src/availability/verdict.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { UpstreamError, type UpstreamFailure } from '../../src/kernel/errors.ts'
import { createConcurrencyLimit } from '../../src/kernel/concurrency-limit.ts'
import type { QueryRegistry, RegistryAnswer } from '../../src/kernel/registration.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { whoisLookup } from '../../src/whois/contract.ts'
import { whoisRoutes } from '../../src/whois/routes.ts'
import { createWhois } from '../../src/whois/service.ts'
import { type Reply, startDoor } from '../support/door.ts'

type Says = RegistryAnswer | UpstreamFailure | UpstreamError

const registered: RegistryAnswer = {
  kind: 'registered',
  registration: {
    registrar: { name: 'Example Registrar', ianaId: '9999', abuseEmail: 'abuse@registrar.example' },
    dates: { created: '2020-01-02T03:04:05.000Z', expires: '2027-01-02T03:04:05.000Z' },
    status: ['clientTransferProhibited'],
    nameservers: ['ns1.example', 'ns2.example'],
    dnssec: { delegationSigned: false },
    registrant: { organization: 'Example Ltd', country: 'GB' },
  },
}
const unclear: RegistryAnswer = { kind: 'unclear', why: 'not_understood', said: '<html>' }

/** The door of check and whois over one verdict, with DNS and registries that say what the test wrote. */
async function start(t: TestContext, says: { dns?: Finding['says']; rdap?: Says; whois?: Says }) {
  const asked: string[] = []
  const clock = manualClock()
  const catalogue = loadCatalogue()
  const ask =
    (source: 'rdap' | 'whois'): QueryRegistry =>
    async ({ domain }) => {
      asked.push(`${source} ${domain}`)
      const said = says[source] ?? 'unavailable'
      if (said instanceof UpstreamError) throw said
      if (typeof said === 'string') throw new UpstreamError(said, `${source}.test let us down`)
      const evidence = { source, server: `${source}.test`, question: domain, outcome: '200', at: AT, ms: 5 }
      return { answer: said, evidence }
    }
  const dns: Probe = {
    query: async ({ domain }) => ({
      says: says.dns ?? 'not_delegated',
      evidence: { source: 'dns', server: 'dns.test', question: domain, outcome: 'NXDOMAIN', at: AT, ms: 5 },
    }),
  }
  const availability = createAvailability({
    probes: {
      dns,
      rdap: registryProbe('rdap', ask('rdap'), clock),
      whois: registryProbe('whois', ask('whois'), clock),
    },
    policyFor: (tld) => createLookupPolicy(catalogue.find(tld)!, tld !== 'es', tld !== 'es'),
    clock,
  })
  const whois = createWhois({
    suffixes: catalogue.suffixes,
    hasRegistryService: (tld) => tld !== 'es',
    findRecord: recordsOf(availability),
  })
  const legacyLimit = createConcurrencyLimit({ name: 'legacy checks', maxConcurrent: 4, maxQueue: 64 })
  const health = { report: () => [] }
  const check = availabilityRoutes({ availability, catalogue, clock, sleep: async () => {}, health, legacyLimit })
  const door = await startDoor([...check, ...whoisRoutes(whois)], { rateLimit: 60_000 })
  t.after(() => door.stop())
  return { ...door, asked, clock }
}

const AT = '2026-01-01T00:00:00.000Z'

const refusal = ({ status, body }: Reply) => [status, (body as { error: string }).error]

describe('GET /v1/whois', () => {
  test('a registered domain has every field the registry gave, and no other', async (t) => {
    const door = await start(t, { rdap: registered })
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

  test('one that is not registered is available, with nothing that only a registration has', async (t) => {
    const door = await start(t, { rdap: { kind: 'available' } })
    assert.deepEqual((await door.get('/v1/whois?domain=shop.com')).body, {
      domain: 'shop.com',
      available: true,
      source: 'rdap',
      cached: false,
      cachedAt: null,
      queriedAt: '2026-01-01T00:00:00.000Z',
    })
  })

  test('one the registry will not register is not found', async (t) => {
    const door = await start(t, { rdap: { kind: 'reserved', reason: 'reserved by the registry' } })
    const reply = await door.get('/v1/whois?domain=shop.com')
    assert.deepEqual(refusal(reply), [404, 'domain_not_found'])
    assert.match(reply.text, /reserved by the registry/)
  })

  test('WHOIS stands in where RDAP fails, and says so', async (t) => {
    for (const rdap of [unclear, 'unavailable', 'timeout', 'rate_limited'] as const) {
      const door = await start(t, { rdap, whois: registered })
      const { body } = await door.get('/v1/whois?domain=shop.com')
      assert.equal((body as { source: string }).source, 'whois')
      assert.deepEqual(door.asked, ['rdap shop.com', 'whois shop.com'], JSON.stringify(rdap))
    }
  })

  test('where nobody answers the error says of which TLD, and whether it was time that ran out', async (t) => {
    const rows: [Says, Says, number, string][] = [
      ['unavailable', 'unavailable', 502, 'upstream_error'],
      [unclear, unclear, 502, 'upstream_error'],
      ['timeout', 'unavailable', 504, 'timeout'],
      ['rate_limited', 'timeout', 502, 'upstream_error'],
    ]
    for (const [rdap, whois, status, code] of rows) {
      const door = await start(t, { rdap, whois })
      const reply = await door.get('/v1/whois?domain=shop.com')
      assert.deepEqual(refusal(reply), [status, code])
      assert.equal((reply.body as { tld: string }).tld, 'com')
      assert.doesNotMatch(reply.text, /rdap\.test|whois\.test|html/)
    }
  })

  test('a registry that we refuse to ask is told with the reason', async (t) => {
    const why = 'refused: rdap.internal resolves to a private address; name it in ONOMA_RDAP_BOOTSTRAP to allow it'
    const { get } = await start(t, { rdap: new UpstreamError('unavailable', why, { refusal: why }) })
    const { status, body } = await get('/v1/whois?domain=shop.com')
    const message = `The registry of .com was not asked; ${why}.`
    assert.deepEqual([status, body], [502, { error: 'upstream_error', message, tld: 'com' }])
  })

  test('what is wrong is refused before anybody is asked', async (t) => {
    const door = await start(t, { rdap: registered })
    const rows: [string, number, string][] = [
      ['', 400, 'missing_parameter'],
      ['?domain=shop', 400, 'invalid_domain'],
      ['?domain=www.shop.com', 400, 'invalid_domain'],
      ['?domain=shop.nope', 400, 'unsupported_tld'],
      ['?domain=shop.com&refresh=maybe', 400, 'invalid_parameter'],
      ['?domain=b%C3%BCcher.de', 400, 'invalid_domain'],
    ]
    for (const [query, status, code] of rows)
      assert.deepEqual(refusal(await door.get(`/v1/whois${query}`)), [status, code], query)
    assert.equal(((await door.get('/v1/whois?domain=shop.nope')).body as { tld: string }).tld, 'nope')
    assert.deepEqual(door.asked, [])
  })

  test('an answer is kept for an hour, a free name for a minute, and refresh asks again', async (t) => {
    const door = await start(t, { rdap: registered })
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
    const free = await start(t, { rdap: { kind: 'available' } })
    await free.get('/v1/whois?domain=shop.com')
    free.clock.advance(60_001)
    await free.get('/v1/whois?domain=shop.com')
    assert.equal(free.asked.length, 2)
  })

  test('a failure is never kept', async (t) => {
    const door = await start(t, { rdap: 'unavailable', whois: 'unavailable' })
    await door.get('/v1/whois?domain=shop.com')
    await door.get('/v1/whois?domain=shop.com')
    assert.deepEqual(door.asked.slice(0, 3), ['rdap shop.com', 'whois shop.com', 'rdap shop.com'])
    assert.equal(door.asked.length, 6)
  })

  test('a TLD whose registry publishes neither RDAP nor WHOIS is unsupported, with the reason', async (t) => {
    const door = await start(t, { rdap: registered })
    const reply = await door.get('/v1/whois?domain=shop.es')
    assert.deepEqual(refusal(reply), [400, 'unsupported_tld'])
    assert.equal((reply.body as { tld: string }).tld, 'es')
    assert.match(reply.text, /neither RDAP nor WHOIS/)
    assert.deepEqual(door.asked, [])
  })

  test('evidence shows what was asked of whom', async (t) => {
    const door = await start(t, { rdap: unclear, whois: registered })
    const { body } = await door.get('/v1/whois?domain=shop.com&evidence=true')
    assert.deepEqual(
      (body as { evidence: { server: string }[] }).evidence.map(({ server }) => server),
      ['dns.test', 'rdap.test', 'whois.test'],
    )
  })
})

describe('one verdict', () => {
  type Checked = { status: string[]; error?: string }

  /** What whois may answer where check says this. */
  const agrees = (checked: Checked, whois: Reply): boolean => {
    const [state] = checked.status
    const available = (whois.body as { available?: boolean }).available
    if (state === 'available') return whois.status === 200 && available === true
    if (state === 'reserved') return whois.status === 404
    if (state === 'unknown') return whois.status === 502 || whois.status === 504
    return (whois.status === 200 && available === false) || whois.status === 502 || whois.status === 504
  }

  test('check and whois agree about every name, in either order, whatever is said of it', async (t) => {
    const registry: readonly Says[] = [
      registered,
      { kind: 'available' },
      { kind: 'available', wording: 'known' },
      { kind: 'reserved', reason: 'reserved by the registry' },
      unclear,
      'unavailable',
      'timeout',
      'rate_limited',
    ]
    for (const dns of ['registered', 'not_delegated', 'unclear'] as const) {
      for (const rdap of registry.filter((says) => typeof says === 'string' || !('wording' in says))) {
        for (const whois of registry) {
          const door = await start(t, { dns, rdap, whois })
          const row = JSON.stringify({ dns, rdap, whois })
          for (const [first, second] of [
            ['check', 'whois'],
            ['whois', 'check'],
          ] as const) {
            for (const name of ['shop', 'a', 'example']) {
              const domain = `${name}-${first}`.replace(/^(a|example)-.*/, '$1') + '.com'
              const replies = {
                [first]: await door.get(`/v1/${first}?domain=${domain}`),
                [second]: await door.get(`/v1/${second}?domain=${domain}`),
              } as Record<'check' | 'whois', Reply>
              assert.ok(
                agrees(replies.check.body as Checked, replies.whois),
                `${domain} ${row}: ${replies.check.text} but ${replies.whois.status} ${replies.whois.text}`,
              )
            }
          }
          await door.stop()
        }
      }
    }
  })

  test('a single character that .com does not register is not available on whois either', async (t) => {
    const door = await start(t, { rdap: { kind: 'available' } })
    const reply = await door.get('/v1/whois?domain=a.com')
    assert.deepEqual(refusal(reply), [404, 'domain_not_found'])
    assert.match(reply.text, /single characters/)
  })

  test('a name that DNS knows is never available, and a missing record is said to be missing', async (t) => {
    const door = await start(t, { dns: 'registered', rdap: { kind: 'available' } })
    const reply = await door.get('/v1/whois?domain=shop.com')
    assert.deepEqual(refusal(reply), [502, 'upstream_error'])
    assert.match(reply.text, /DNS shows that shop\.com is registered/)
  })

  test('a record does not outlive a later verdict that contradicts it', async (t) => {
    const says: { dns: Finding['says']; rdap: Says } = { dns: 'not_delegated', rdap: registered }
    const door = await start(t, says)
    await door.get('/v1/whois?domain=shop.com')
    door.clock.advance(600_001)
    says.rdap = { kind: 'available' }
    assert.equal(((await door.get('/v1/check?domain=shop.com')).body as { available: boolean }).available, true)
    assert.equal(((await door.get('/v1/whois?domain=shop.com')).body as { available: boolean }).available, true)
  })

  test('what one of the two has found out the other does not ask again', async (t) => {
    const door = await start(t, { rdap: registered })
    await door.get('/v1/check?domain=shop.com')
    await door.get('/v1/whois?domain=shop.com')
    await door.get('/v1/check?domain=shop.com')
    assert.deepEqual(door.asked, ['rdap shop.com'])
  })
})
