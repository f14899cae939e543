import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { checkDomains, checkDomainsLegacy } from '../../src/availability/contract.ts'
import {
  taken,
  free,
  held,
  throttled,
  catalogue,
  startAvailability,
  errorOf,
  type SeveralResults,
} from './availability.fixture.ts'

describe('GET /v1/check', () => {
  test('a name that the registry calls premium is premium, and the summary counts it', async (t) => {
    const premium = { ...free, rdap: { says: 'available', premium: true } } as const
    const { get } = await startAvailability(t, { 'gold.com': premium, 'gold.net': free })
    const { results, summary } = (await get('/v1/check?name=gold&tld=com,net')).body as {
      results: { premium: boolean }[]
      summary: { premium: number }
    }
    assert.deepEqual([results.map((one) => one.premium), summary.premium], [[true, false], 1])
  })

  test('one domain gives a flat answer', async (t) => {
    const door = await startAvailability(t, { 'shop.com': taken })
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

  test('several domains give results in the order of the request, with a summary', async (t) => {
    const script = { 'shop.com': taken, 'shop.net': free, 'shop.org': held, 'shop.dev': throttled }
    const door = await startAvailability(t, script)
    const { body } = await door.get('/v1/check?name=shop&tld=dev,org,net,com,net')
    const { name, results, summary, timestamp } = body as SeveralResults
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
    const door = await startAvailability(t, {})
    const top = (await door.get('/v1/check?name=shop')).body as SeveralResults
    assert.deepEqual(
      top.results.map(({ domain }) => domain.slice(5)),
      catalogue.categories.find(({ name }) => name === 'top20')!.tlds,
    )
    const union = (await door.get('/v1/check?name=shop&tld=blog,de&category=web')).body as SeveralResults
    assert.equal(union.results.length, 12)
  })

  test('full domains take precedence over name and tld; if names differ, each result has its own', async (t) => {
    const door = await startAvailability(t, { 'a-shop.com': taken, 'b-shop.net': free })
    const { body } = await door.get('/v1/check?name=x&tld=dev&domain=A-shop.com.,b-shop.net,a-shop.com')
    const { name, results } = body as SeveralResults
    assert.equal(name, undefined)
    assert.deepEqual(
      results.map(({ name, domain }) => [name, domain]),
      [
        ['a-shop', 'a-shop.com'],
        ['b-shop', 'b-shop.net'],
      ],
    )
  })

  test('invalid input is rejected with the error code of the contract', async (t) => {
    const door = await startAvailability(t, {})
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
      assert.deepEqual(errorOf(await door.get(`/v1/check${query}`)), [status, code], query)
    }
    assert.match((await door.get('/v1/check?domain=www.shop.com')).text, /ask for shop\.com/)
    assert.match((await door.get('/v1/check?name=b%C3%BCcher')).text, /xn--bcher-kva/)
    assert.equal(((await door.get('/v1/check?domain=shop.nope')).body as { tld: string }).tld, 'nope')
    assert.equal((await door.get('/v1/check', { method: 'POST' })).status, 405)
    assert.deepEqual(door.asked, [])
  })

  test('an answer is cached and says so; an unknown verdict is not cached', async (t) => {
    const door = await startAvailability(t, { 'shop.com': taken, 'shop.net': free, 'shop.dev': throttled })
    const ask = async (domain: string) =>
      ((await door.get(`/v1/check?domain=${domain}`)).body as { cached: boolean }).cached
    for (const domain of ['shop.com', 'shop.net', 'shop.dev']) assert.equal(await ask(domain), false)
    assert.deepEqual([await ask('shop.com'), await ask('shop.net'), await ask('shop.dev')], [true, true, false])
    door.clock.advance(61_000)
    assert.deepEqual([await ask('shop.com'), await ask('shop.net')], [true, false])
  })

  test('concurrent requests for one name share one lookup', async (t) => {
    const door = await startAvailability(t, { 'shop.com': taken })
    await Promise.all(Array.from({ length: 20 }, () => door.get('/v1/check?domain=shop.com')))
    assert.deepEqual(door.asked, ['dns shop.com'])
  })

  test('evidence=true shows every query and its outcome', async (t) => {
    const door = await startAvailability(t, { 'shop.org': held })
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

  test('the compact view has only the verdicts, in at most 24 bytes per name', async (t) => {
    const door = await startAvailability(t, { 'shop.com': taken, 'shop.net': free, 'shop.dev': throttled })
    const { body } = await door.get('/v1/check?name=shop&tld=com,net,dev&view=compact')
    assert.deepEqual(body, { name: 'shop', available: ['net'], registered: ['com'], unknown: ['dev'] })
    const { text } = await door.get('/v1/check?name=shop&view=compact')
    assert.ok(text.length / 20 <= 24, String(text.length))
  })

  test('a stream gives each result as a line as soon as it is known, the summary last', async (t) => {
    const door = await startAvailability(t, { 'shop.com': taken, 'shop.net': free })
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
    assert.deepEqual(errorOf(wrong), [400, 'invalid_name'])
  })

  test('the examples of the contract match its schemas', () => {
    assert.deepEqual(checkDomains.output.parse(checkDomains.example.output), checkDomains.example.output)
    assert.deepEqual(
      checkDomainsLegacy.output.parse(checkDomainsLegacy.example.output),
      checkDomainsLegacy.example.output,
    )
  })
})
