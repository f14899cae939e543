import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { IncomingHttpHeaders } from 'node:http'
import { suite, test, type TestContext } from 'node:test'
import { openEngines } from '../../src/app/wiring/engines.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { ApiError } from '../../src/kernel/errors.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { failing, serve, upstreamFor } from '../../src/kernel/upstream/loopback.fixture.ts'
import { createPresence } from '../../src/presence/service.ts'

const fixture = (name: string) => readFileSync(new URL(`../providers/presence/${name}.json`, import.meta.url), 'utf8')
const NEVER = new AbortController().signal

type Asked = { method: string; url: URL; headers: IncomingHttpHeaders; body: string }
type Says = { status?: number; headers?: Record<string, string>; body: string } | 'hang'

/** The engines of this environment; every request is answered by `answer`. */
async function open(t: TestContext, env: Record<string, string>, answer: (asked: Asked) => Says) {
  const asked: Asked[] = []
  const port = await serve(t, (request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk: Buffer) => chunks.push(chunk))
    request.on('end', () => {
      const url = new URL(request.url!, 'http://x')
      const one = { method: request.method!, url, headers: request.headers, body: Buffer.concat(chunks).toString() }
      asked.push(one)
      const says = answer(one)
      if (says !== 'hang') response.writeHead(says.status ?? 200, says.headers).end(says.body)
    })
  })
  const upstream = upstreamFor(t, { connections: 20 })
  const warnings: string[] = []
  const { engines } = openEngines({
    config: loadConfig({ ONOMA_ENGINE_A_URL: `http://127.0.0.1:${port}/at`, ...env }),
    outbound: { open: () => upstream, addressPolicy: () => assert.fail() },
    dns: {
      async lookUp(domain) {
        if (domain !== 'orlavent.com') throw new ApiError('domain_not_found', 'no')
        const records = { a: ['192.0.2.1'], aaaa: [], mx: [{ host: 'mx.example', priority: 1 }] }
        return { records: records as never, ms: 1, at: 1 }
      },
    },
    clock: upstream.clock,
    log: { warn: (_, message) => void warnings.push(message) },
  })
  return { engines, engine: engines[0]!, asked, warnings, clock: upstream.clock }
}

/** Answers each open service with its fixture. */
const OPEN_FILES: Readonly<Record<string, string>> = {
  '/at/www.wikidata.org/w/api.php': 'wikidata',
  '/at/en.wikipedia.org/w/api.php': 'wikipedia',
  '/at/api.gleif.org/api/v1/lei-records': 'gleif',
  '/at/api.github.com/search/users': 'github-users',
  '/at/api.github.com/search/repositories': 'github-repositories',
  '/at/itunes.apple.com/search': 'itunes',
}
const openAnswer = ({ url }: Asked): Says => ({ body: fixture(OPEN_FILES[url.pathname] ?? assert.fail(url.pathname)) })

suite('an engine without any configuration', () => {
  test('searches open registers and DNS, with a contact, and returns what each has', async (t) => {
    const { engines, engine, asked } = await open(t, { ONOMA_CONTACT: 'names@orlavent.example' }, openAnswer)
    assert.equal(engines.length, 1)
    const { found, total, coverage } = await engine.search('orlavent', NEVER)
    assert.deepEqual(
      found.map(({ title, url }) => `${title} ${url}`),
      [
        'orlavent.com https://orlavent.com/',
        'Orlavent https://www.wikidata.org/wiki/Q990000001',
        'Orlavent https://en.wikipedia.org/wiki/Orlavent',
        'ORLAVENT A/S https://search.gleif.org/#/record/9845000000INVENTED01',
        'orlavent https://github.com/orlavent',
        'Orlavent Home https://apps.apple.com/us/app/orlavent-home/id990000401?uo=4',
        'Orlavent Bay https://www.wikidata.org/wiki/Q990000002',
        'List of lamp makers https://en.wikipedia.org/wiki/List_of_lamp_makers',
        'orlavent-fan https://github.com/orlavent-fan',
        // The repository that nobody has marked is left out.
        'orlavent https://github.com/orlavent/orlavent',
      ],
    )
    assert.ok(found.every(({ snippet }) => !/[<>]|&amp;/.test(snippet)))
    assert.equal(total, null)
    assert.deepEqual(coverage, { answered: ['dns', 'wikidata', 'wikipedia', 'gleif', 'github', 'itunes'], failed: [] })
    assert.deepEqual(asked.map(({ url }) => decodeURIComponent(`${url.pathname.slice(4)}${url.search}`)).toSorted(), [
      'api.github.com/search/repositories?q=orlavent',
      'api.github.com/search/users?q=orlavent',
      'api.gleif.org/api/v1/lei-records?filter[entity.legalName]=orlavent',
      'en.wikipedia.org/w/api.php?action=query&list=search&srsearch=orlavent&format=json',
      'itunes.apple.com/search?term=orlavent&entity=software',
      'www.wikidata.org/w/api.php?action=wbsearchentities&search=orlavent&language=en&format=json',
    ])
    for (const { headers } of asked) assert.match(headers['user-agent']!, /^onoma\/\S+ \(names@orlavent\.example\)$/)
  })

  test('rates a company high that all of them know, and an unknown name clean, and says that the web was not searched', async (t) => {
    const presenceFor = async (answer: (asked: Asked) => Says) => {
      const { engines, clock } = await open(t, {}, answer)
      return createPresence({
        engines,
        isRegistered: async () => true,
        commonnessOf: () => 0,
        clock,
        random: seededRandom(1),
      })
    }
    const known = await (await presenceFor(openAnswer)).search({ name: 'Orlavent' }, NEVER, 'test')
    assert.equal(known.status, 'high')
    const { company_exists, brand_exists, social_handles_found } = known.signals
    assert.deepEqual([company_exists, brand_exists, social_handles_found], [true, true, ['github.com/orlavent']])
    assert.match(known.summary, /open registers|Open registers/)
    assert.match(known.summary, /The web was not searched, only DNS, Wikidata, .+ and the App Store\.$/)
    assert.deepEqual(known.engines[0]!.coverage!.failed, [])
    const nothing = '{"search":[],"query":{"search":[]},"data":[],"items":[],"results":[]}'
    const unknown = await (await presenceFor(() => ({ body: nothing }))).search({ name: 'zzquorv' }, NEVER, 'test')
    assert.deepEqual([unknown.status, unknown.score], ['clean', 0])
  })

  test('returns what the other sources have if one fails or is slow, and says which is missing', async (t) => {
    for (const says of ['hang', { status: 500, body: '' }, { body: '<html>' }, { body: '[]' }] as const) {
      const { engine } = await open(t, {}, (asked) => (asked.url.pathname.includes('gleif') ? says : openAnswer(asked)))
      const { coverage, found } = await engine.search('orlavent', NEVER, says === 'hang' ? 400 : 60_000)
      assert.deepEqual(
        coverage!.failed.map(({ source }) => source),
        ['gleif'],
      )
      assert.match(coverage!.failed[0]!.message, /^gleif /)
      assert.ok(found.some(({ url }) => url.includes('wikidata')))
    }
  })

  test('fails if no register answers: DNS alone would look like an unused name', async (t) => {
    const { engine } = await open(t, {}, () => ({ status: 503, body: '' }))
    await assert.rejects(engine.search('orlavent', NEVER), failing('unavailable'))
  })

  test('asks GitHub and Apple no more often than they allow, and says so', async (t) => {
    const { engine, asked, clock } = await open(t, {}, openAnswer)
    const failedAt = async () => (await engine.search('orlavent', NEVER)).coverage!.failed.map(({ source }) => source)
    for (let name = 0; name < 5; name++) assert.deepEqual(await failedAt(), [])
    assert.deepEqual(await failedAt(), ['github'])
    const count = (host: string) => asked.filter(({ url }) => url.pathname.includes(host)).length
    assert.equal(count('github'), 10)
    clock.advance(60_000)
    assert.deepEqual(await failedAt(), [])
    for (let name = 0; name < 19; name++) await failedAt()
    assert.deepEqual(await failedAt(), ['github', 'itunes'])
    assert.equal(count('itunes'), 6 + 20)
  })

  test('has three times the searches with a GitHub token', async (t) => {
    const { engine, asked } = await open(t, { ONOMA_ENGINE_A_KEY: 'sesame' }, openAnswer)
    for (let name = 0; name < 15; name++)
      assert.deepEqual((await engine.search('orlavent', NEVER)).coverage!.failed, [])
    const tokens = asked.map(({ url, headers }) => [url.pathname.includes('github'), headers.authorization])
    for (const [isGithub, token] of tokens) assert.equal(token, isGithub ? 'Bearer sesame' : undefined)
  })

  const refusals: [string, string, Says][] = [
    ['www.wikidata.org', 'wikidata', { status: 429, headers: { 'retry-after': '30' }, body: '' }],
    ['en.wikipedia.org', 'wikipedia', { body: fixture('wikipedia-ratelimited') }],
    ['api.github.com', 'github', { status: 403, headers: { 'x-ratelimit-remaining': '0' }, body: '{}' }],
    ['itunes.apple.com', 'itunes', { status: 403, body: '' }],
  ]
  for (const [host, source, says] of refusals)
    test(`stays away from ${host} after it was told to`, async (t) => {
      const { engine, asked } = await open(t, {}, (one) => (one.url.pathname.includes(host) ? says : openAnswer(one)))
      const first = await engine.search('orlavent', NEVER)
      assert.match(first.coverage!.failed[0]!.message, new RegExp(`^${source} was asked too often`))
      const before = asked.filter(({ url }) => url.pathname.includes(host)).length
      // The gateway of this test is one host, so its Retry-After silences all sources.
      const second = engine.search('orlavent', NEVER)
      await (source === 'wikidata' ? assert.rejects(second, failing('rate_limited')) : second)
      const after = asked.filter(({ url }) => url.pathname.includes(host)).length
      assert.equal(after, before)
    })
})

suite('engines with an account', () => {
  const rows: [kind: string, request: (asked: Asked) => unknown, expected: unknown][] = [
    ['brave', ({ url, headers }) => [url.searchParams.get('q'), headers['x-subscription-token']], ['orla vent', 'k-1']],
    ['serper', ({ headers, body }) => [headers['x-api-key'], body], ['k-1', '{"q":"orla vent","num":20}']],
    [
      'tavily',
      ({ headers, body }) => [headers.authorization, body],
      ['Bearer k-1', '{"query":"orla vent","max_results":20}'],
    ],
    ['exa', ({ headers, body }) => [headers['x-api-key'], body], ['k-1', '{"query":"orla vent","numResults":20}']],
    ['mojeek', ({ url }) => url.search, '?api_key=k-1&q=orla+vent&fmt=json'],
    ['google', ({ url }) => url.search, '?key=k-1&cx=cx-1&q=orla+vent'],
    ['searxng', ({ url }) => `${url.pathname}${url.search}`, '/at/search?q=orla+vent&format=json'],
  ]
  for (const [kind, request, expected] of rows)
    test(`${kind} is asked as its documentation says, and its answer is read`, async (t) => {
      const env = { ONOMA_ENGINE_A_KIND: kind, ONOMA_ENGINE_A_KEY: 'k-1', ONOMA_ENGINE_A_CX: 'cx-1' }
      const { engine, asked, warnings } = await open(t, env, () => ({ body: fixture(kind) }))
      const { found, total, coverage } = await engine.search('orla vent', NEVER)
      assert.deepEqual(found, [
        {
          title: 'Orlavent | Lamps',
          url: 'https://www.orlavent.example/',
          snippet: kind === 'exa' ? '' : 'Lamps & more.',
        },
      ])
      assert.deepEqual([total, coverage], [kind === 'google' ? 1230 : null, undefined])
      assert.deepEqual(request(asked[0]!), expected)
      assert.equal(asked[0]!.method, asked[0]!.body === '' ? 'GET' : 'POST')
      if (kind === 'google') assert.match(warnings.join(), /2027-01-01/)
      else assert.deepEqual(warnings, [])
    })

  for (const kind of ['serper', 'tavily', 'exa', 'mojeek'])
    test(`${kind}: wrong key, too many requests and another shape are told apart`, async (t) => {
      for (const [says, failure] of [
        [{ status: 401, body: '' }, 'auth_error'],
        [{ status: 403, body: '' }, 'auth_error'],
        [{ body: '{"results":{"a":1},"organic":7,"response":[]}' }, 'unavailable'],
        [{ status: 429, headers: { 'retry-after': '60' }, body: '' }, 'rate_limited'],
      ] as const) {
        const env = { ONOMA_ENGINE_A_KIND: kind, ONOMA_ENGINE_A_KEY: 'sesame' }
        const { engine } = await open(t, env, () => says)
        await assert.rejects(engine.search('x', NEVER), (error) => {
          assert.doesNotMatch(String((error as Error).stack), /sesame/)
          return failing(failure)(error)
        })
      }
    })

  test('off turns the first engine off', async (t) => {
    const { engines } = await open(t, { ONOMA_ENGINE_A_KIND: 'off' }, () => assert.fail())
    assert.deepEqual(engines, [])
  })
})
