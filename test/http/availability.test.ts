import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { availabilityRoutes } from '../../src/availability/routes.ts'
import { createAvailability } from '../../src/availability/service.ts'
import { checkDomains, checkDomainsLegacy } from '../../src/availability/contract.ts'
import { routeOf } from '../../src/availability/verdict.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { createLimit } from '../../src/kernel/limit.ts'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { type DoorOptions, type Reply, startDoor } from '../support/door.ts'
import { type Script, scriptedProbes } from '../support/probes.ts'

const taken = { dns: { says: 'registered' } } as const
const free = { dns: { says: 'not_delegated' }, rdap: { says: 'available' } } as const
const held = { dns: { says: 'not_delegated' }, rdap: { says: 'registered', statuses: ['clientHold'] } } as const
const throttled = { dns: { says: 'not_delegated' }, rdap: { says: 'unclear', failure: 'rate_limited' } } as const

const catalogue = loadCatalogue()

async function start(t: TestContext, script: Script, options: DoorOptions = {}) {
  const { probes, asked } = scriptedProbes(script)
  const clock = manualClock()
  const waited: number[] = []
  const legacyTurns = createLimit({ name: 'legacy checks', concurrent: 1, queue: 0 })
  const availability = createAvailability({
    probes,
    routeOf: (tld) => routeOf(catalogue.find(tld)!, false, false),
    clock,
  })
  const routes = availabilityRoutes({
    availability,
    catalogue,
    clock,
    health: { report: () => [] },
    wait: async (ms) => {
      waited.push(ms)
      door.clock.advance(ms)
    },
    legacyTurns,
  })
  const door = await startDoor(routes, options)
  t.after(() => door.stop())
  return { ...door, asked, clock, waited, legacyTurns }
}

const refusal = ({ status, body }: Reply) => [status, (body as { error: string }).error]
type Result = { domain: string; available: boolean; status: string[]; source: string; error?: string; name?: string }
type Several = { name?: string; results: Result[]; summary: object; totalMs: number; timestamp: string }

describe('GET /v1/check', () => {
  test('a name the registry calls premium is premium, and the summary counts it', async (t) => {
    const premium = { ...free, rdap: { says: 'available', premium: true } } as const
    const { get } = await start(t, { 'gold.com': premium, 'gold.net': free })
    const { results, summary } = (await get('/v1/check?name=gold&tld=com,net')).body as {
      results: { premium: boolean }[]
      summary: { premium: number }
    }
    assert.deepEqual([results.map((one) => one.premium), summary.premium], [[true, false], 1])
  })

  test('one domain gives a flat answer', async (t) => {
    const door = await start(t, { 'shop.com': taken })
    assert.deepEqual((await door.get('/v1/check?name=Shop&tld=com')).body, {
      name: 'shop',
      domain: 'shop.com',
      tld: 'com',
      available: false,
      status: ['registered'],
      premium: false,
      source: 'dns',
      checkedAt: '2026-01-01T00:00:00.000Z',
      responseMs: 0,
      cached: false,
    })
  })

  test('several give results in the order asked for, with a summary', async (t) => {
    const script = { 'shop.com': taken, 'shop.net': free, 'shop.org': held, 'shop.dev': throttled }
    const door = await start(t, script)
    const { body } = await door.get('/v1/check?name=shop&tld=dev,org,net,com,net')
    const { name, results, summary, timestamp } = body as Several
    assert.equal(name, 'shop')
    assert.deepEqual(
      results.map(({ domain, available, status, source, error }) => [domain, available, status, source, error]),
      [
        ['shop.dev', false, ['unknown'], 'rdap', 'rate_limited'],
        ['shop.org', false, ['registered', 'clientHold'], 'rdap', undefined],
        ['shop.net', true, ['available'], 'rdap', undefined],
        ['shop.com', false, ['registered'], 'dns', undefined],
      ],
    )
    assert.ok(results.every((result) => !('name' in result)))
    assert.deepEqual(summary, { checked: 4, available: 1, unavailable: 2, unknown: 1, premium: 0 })
    assert.equal(timestamp, '2026-01-01T00:00:00.000Z')
  })

  test('without tld and category the top 20 are checked; both together are their union', async (t) => {
    const door = await start(t, {})
    const top = (await door.get('/v1/check?name=shop')).body as Several
    assert.deepEqual(
      top.results.map(({ domain }) => domain.slice(5)),
      catalogue.categories.find(({ name }) => name === 'top20')!.tlds,
    )
    const union = (await door.get('/v1/check?name=shop&tld=blog,de&category=web')).body as Several
    assert.equal(union.results.length, 12)
  })

  test('whole domains win over name and tld; where names differ each result has its own', async (t) => {
    const door = await start(t, { 'a-shop.com': taken, 'b-shop.net': free })
    const { body } = await door.get('/v1/check?name=x&tld=dev&domain=A-shop.com.,b-shop.net,a-shop.com')
    const { name, results } = body as Several
    assert.equal(name, undefined)
    assert.deepEqual(
      results.map(({ name, domain }) => [name, domain]),
      [
        ['a-shop', 'a-shop.com'],
        ['b-shop', 'b-shop.net'],
      ],
    )
  })

  test('what is wrong is refused with the code of the contract', async (t) => {
    const door = await start(t, {})
    const rows: [string, number, string][] = [
      ['', 400, 'missing_parameter'],
      ['?name=', 400, 'missing_parameter'],
      ['?name=a.b', 400, 'invalid_name'],
      ['?name=-a', 400, 'invalid_name'],
      ['?name=b%C3%BCcher', 400, 'invalid_name'],
      [`?name=${'a'.repeat(64)}`, 400, 'invalid_name'],
      ['?name=shop&tld=nope', 400, 'unsupported_tld'],
      ['?name=shop&category=nope', 400, 'invalid_category'],
      ['?name=shop&category=country', 400, 'too_many_tlds'],
      ['?name=shop&category=business', 400, 'too_many_tlds'],
      ['?name=shop&category=technology', 400, 'too_many_tlds'],
      [`?name=shop&tld=${catalogue.all.slice(0, 21).join()}`, 400, 'too_many_tlds'],
      [
        `?domain=${catalogue.all
          .slice(0, 21)
          .map((tld) => `a.${tld}`)
          .join()}`,
        400,
        'too_many_tlds',
      ],
      ['?domain=shop', 400, 'invalid_domain'],
      ['?domain=www.shop.com', 400, 'invalid_domain'],
      ['?domain=shop.nope', 400, 'unsupported_tld'],
      ['?name=shop&tld=,', 400, 'invalid_parameter'],
      ['?name=shop&view=tiny', 400, 'invalid_parameter'],
    ]
    for (const [query, status, code] of rows) {
      assert.deepEqual(refusal(await door.get(`/v1/check${query}`)), [status, code], query)
    }
    assert.match((await door.get('/v1/check?domain=www.shop.com')).text, /ask for shop\.com/)
    assert.match((await door.get('/v1/check?name=b%C3%BCcher')).text, /xn--bcher-kva/)
    assert.equal(((await door.get('/v1/check?domain=shop.nope')).body as { tld: string }).tld, 'nope')
    assert.equal((await door.get('/v1/check', { method: 'POST' })).status, 405)
    assert.deepEqual(door.asked, [])
  })

  test('an answer is kept and says so, what is unknown is asked again', async (t) => {
    const door = await start(t, { 'shop.com': taken, 'shop.net': free, 'shop.dev': throttled })
    const ask = async (domain: string) =>
      ((await door.get(`/v1/check?domain=${domain}`)).body as { cached: boolean }).cached
    for (const domain of ['shop.com', 'shop.net', 'shop.dev']) assert.equal(await ask(domain), false)
    assert.deepEqual([await ask('shop.com'), await ask('shop.net'), await ask('shop.dev')], [true, true, false])
    door.clock.advance(61_000)
    assert.deepEqual([await ask('shop.com'), await ask('shop.net')], [true, false])
  })

  test('many who ask for one name at once are one question', async (t) => {
    const door = await start(t, { 'shop.com': taken })
    await Promise.all(Array.from({ length: 20 }, () => door.get('/v1/check?domain=shop.com')))
    assert.deepEqual(door.asked, ['dns shop.com'])
  })

  test('what was asked of whom is shown to those who want to know', async (t) => {
    const door = await start(t, { 'shop.org': held })
    const { body } = await door.get('/v1/check?domain=shop.org&evidence=true')
    assert.deepEqual(
      (body as { evidence: { source: string; server: string }[] }).evidence.map(({ source, server }) => [
        source,
        server,
      ]),
      [
        ['dns', 'dns.test'],
        ['rdap', 'rdap.test'],
      ],
    )
  })

  test('the compact view is the verdicts alone, in at most 24 bytes a name', async (t) => {
    const door = await start(t, { 'shop.com': taken, 'shop.net': free, 'shop.dev': throttled })
    const { body } = await door.get('/v1/check?name=shop&tld=com,net,dev&view=compact')
    assert.deepEqual(body, { name: 'shop', available: ['net'], registered: ['com'], unknown: ['dev'] })
    const { text } = await door.get('/v1/check?name=shop&view=compact')
    assert.ok(text.length / 20 <= 24, String(text.length))
  })

  test('a stream gives each result as a line as soon as it is known, the summary last', async (t) => {
    const door = await start(t, { 'shop.com': taken, 'shop.net': free })
    const reply = await door.get('/v1/check?name=shop&tld=com,net', { headers: { accept: 'application/x-ndjson' } })
    assert.equal(reply.headers.get('content-type'), 'application/x-ndjson')
    const lines = reply.text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { domain?: string })
    assert.deepEqual(
      lines
        .slice(0, -1)
        .map(({ domain }) => domain)
        .toSorted((a, b) => a!.localeCompare(b!)),
      ['shop.com', 'shop.net'],
    )
    assert.deepEqual(lines.at(-1), { summary: { checked: 2, available: 1, unavailable: 1, unknown: 0, premium: 0 } })
    const events = await door.get('/v1/check?name=shop&tld=com,net', { headers: { accept: 'text/event-stream' } })
    assert.equal(events.headers.get('content-type'), 'text/event-stream')
    assert.equal(events.text.split('\n\n').filter((event) => event.startsWith('data: {')).length, 3)
    const wrong = await door.get('/v1/check?name=-', { headers: { accept: 'application/x-ndjson' } })
    assert.deepEqual(refusal(wrong), [400, 'invalid_name'])
  })

  test('the examples of the contract have the shapes of the contract', () => {
    assert.deepEqual(checkDomains.output.parse(checkDomains.example.output), checkDomains.example.output)
    assert.deepEqual(
      checkDomainsLegacy.output.parse(checkDomainsLegacy.example.output),
      checkDomainsLegacy.example.output,
    )
  })
})

describe('POST /v1/check/bulk', () => {
  test('an empty object is refused with a body that would be right', async (t) => {
    const { get } = await start(t, {})
    const headers = { 'content-type': 'application/json' }
    const { status, body } = await get('/v1/check/bulk', { method: 'POST', body: '{}', headers })
    const message = 'domains is required; for example {"domains":["example.com","example.org"]}.'
    assert.deepEqual([status, body], [400, { error: 'missing_parameter', message }])
  })

  const post = (door: Awaited<ReturnType<typeof start>>, body: object) =>
    door.get('/v1/check/bulk', {
      method: 'POST',
      body: JSON.stringify(body),
      headers: { 'content-type': 'application/json' },
    })
  const linesOf = ({ text }: Reply) =>
    text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { domain?: string; error?: string; summary?: object })

  test('answers line by line; what is no domain is refused on its own line, repeats are merged', async (t) => {
    const door = await start(t, { 'shop.com': taken, 'shop.net': free })
    const lines = linesOf(await post(door, { domains: ['shop.com', 'SHOP.com', 'shop.net', 'nope', 'a.nope'] }))
    assert.deepEqual(
      lines.slice(0, 2).map(({ domain, error }) => [domain, error]),
      [
        ['nope', 'invalid_domain'],
        ['a.nope', 'unsupported_tld'],
      ],
    )
    assert.deepEqual(lines.at(-1), { summary: { checked: 2, available: 1, unavailable: 1, unknown: 0, premium: 0 } })
    assert.equal(lines.length, 5)
  })

  test('comes as one body to those who accept JSON', async (t) => {
    const door = await start(t, { 'shop.com': taken })
    const reply = await door.get('/v1/check/bulk', {
      method: 'POST',
      body: JSON.stringify({ domains: ['shop.com', 'nope'] }),
      headers: { 'content-type': 'application/json', accept: 'application/json' },
    })
    const { results, refused } = reply.body as { results: Result[]; refused: Result[] }
    assert.deepEqual([results[0]!.domain, refused[0]!.error], ['shop.com', 'invalid_domain'])
  })

  test('every twenty names take one request from the limit, and wait for it where none is left', async (t) => {
    const door = await start(t, {}, { rateLimit: 3 })
    const domains = Array.from({ length: 100 }, (_, at) => `name-${at}.com`)
    const lines = linesOf(await post(door, { domains }))
    assert.equal(lines.length, 101, JSON.stringify(lines).slice(-600))
    assert.ok(door.waited.length > 0)
    assert.ok(door.waited.every((ms) => ms >= 1000 && ms <= 60_000))
  })

  test('ten thousand names are taken, one more is refused, and so is none', async (t) => {
    const door = await start(t, {})
    const names = (count: number) => Array.from({ length: count }, (_, at) => `n${at}.com`)
    assert.equal(linesOf(await post(door, { domains: names(10_000) })).length, 10_001)
    assert.deepEqual(refusal(await post(door, { domains: names(10_001) })), [400, 'invalid_parameter'])
    assert.deepEqual(refusal(await post(door, { domains: [] })), [400, 'invalid_parameter'])
    assert.deepEqual(refusal(await post(door, {})), [400, 'missing_parameter'])
  })
})

describe('GET /check, for old clients', () => {
  test('says that it is busy when too many ask for everything at once', async (t) => {
    const door = await start(t, {})
    const somebodyElse = Promise.withResolvers<void>()
    const underWay = door.legacyTurns.run(() => somebodyElse.promise)
    assert.deepEqual(refusal(await door.get('/check?name=shop')), [503, 'service_unavailable'])
    somebodyElse.resolve()
    await underWay
    assert.equal((await door.get('/check?name=shop')).status, 200)
  })

  test('checks every TLD and is never limited', async (t) => {
    const door = await start(t, { 'shop.com': taken }, { rateLimit: 1 })
    for (let at = 0; at < 2; at++) {
      const reply = await door.get('/check?name=shop')
      const { name, results, totalMs } = reply.body as Several
      assert.deepEqual([reply.status, name, results.length, totalMs], [200, 'shop', 511, 0])
      assert.deepEqual(Object.keys(results[0]!), [
        'domain',
        'tld',
        'available',
        'status',
        'premium',
        'source',
        'checkedAt',
        'responseMs',
      ])
    }
    assert.deepEqual(refusal(await door.get('/check')), [400, 'missing_parameter'])
    assert.match((await door.get('/check?name=shop')).headers.get('link')!, /<\/v1\/check>/)
  })
})
