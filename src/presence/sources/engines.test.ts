import assert from 'node:assert/strict'
import type { IncomingHttpHeaders } from 'node:http'
import { suite, test, type TestContext } from 'node:test'
import { inspect } from 'node:util'
import fc from 'fast-check'
import { UpstreamError, type UpstreamFailure } from '../../kernel/errors.ts'
import { failing, serve, upstreamFor } from '../../kernel/upstream/loopback.fixture.ts'
import type { SearchEngine } from '../search-engine.ts'
import { keySearch } from './key-search.ts'
import { metasearch } from './metasearch.ts'
import { parseResults } from './results.ts'
import { tokenSearch } from './token-search.ts'

const SECRET = 'sesame-4711'
const NEVER = new AbortController().signal
const PAGE = { title: 'Orlavent <b>Ltd</b>', snippet: 'Lamps &amp; more', url: 'https://orlavent.example/?a=1' }
const BODIES = {
  meta: { results: [{ title: PAGE.title, url: PAGE.url, content: PAGE.snippet }, { title: 'no link' }] },
  token: { web: { results: [{ title: PAGE.title, url: PAGE.url, description: PAGE.snippet }, null] } },
  key: {
    searchInformation: { totalResults: '1230' },
    items: [{ title: PAGE.title, link: PAGE.url, snippet: PAGE.snippet }, 7],
  },
}
type Kind = keyof typeof BODIES
type Says = { status: number; headers?: Record<string, string>; body?: string } | 'reset' | 'cut' | 'hang'

/** All three kinds, behind one server that says the same to each. */
async function start(t: TestContext, says: Says, options: { timeoutMs?: number } = {}) {
  const asked: { url: URL; headers: IncomingHttpHeaders }[] = []
  const port = await serve(t, (request, response) => {
    const url = new URL(request.url!, 'http://x')
    asked.push({ url, headers: request.headers })
    const body = JSON.stringify(BODIES[url.pathname.split('/')[1] as Kind])
    if (says === 'hang') return
    if (says === 'reset') request.socket.resetAndDestroy()
    else if (says === 'cut') {
      response.writeHead(200, { 'content-length': body.length })
      response.write(body.slice(0, 20), () => request.socket.destroySoon())
    } else response.writeHead(says.status, says.headers).end(says.body ?? body)
  })
  const upstream = upstreamFor(t, options)
  const at = (path: string) => `http://127.0.0.1:${port}/${path}`
  const engines: Record<Kind, SearchEngine> = {
    meta: metasearch({ id: 'engine_a', upstream, url: at('meta/') }),
    token: tokenSearch({ id: 'engine_b', upstream, url: at('token/web'), token: SECRET }),
    key: keySearch({ id: 'engine_b', upstream, url: at('key/v1'), key: SECRET, engine: 'cx-1' }),
  }
  return { engines, asked, observations: upstream.observations }
}
const kinds = Object.keys(BODIES) as Kind[]

suite('search engines over the wire', () => {
  test('each is asked as it wishes, and read in its own words', async (t) => {
    const { engines, asked } = await start(t, { status: 200 })
    for (const kind of kinds) {
      const { found, total } = await engines[kind].search('orla & vent', NEVER)
      assert.deepEqual(found, [{ title: 'Orlavent Ltd', url: PAGE.url, snippet: 'Lamps & more' }], kind)
      assert.equal(total, kind === 'key' ? 1230 : null)
    }
    assert.deepEqual(
      asked.map(({ url }) => [url.pathname, Object.fromEntries(url.searchParams)]),
      [
        ['/meta/search', { q: 'orla & vent', format: 'json' }],
        ['/token/web', { q: 'orla & vent', count: '20' }],
        ['/key/v1', { key: SECRET, cx: 'cx-1', q: 'orla & vent' }],
      ],
    )
    assert.deepEqual(
      asked.map(({ headers }) => headers['x-subscription-token']),
      [undefined, SECRET, undefined],
    )
  })

  test('nothing found is an answer', async (t) => {
    const rows: [Kind, string][] = [
      ['meta', '{"results":[]}'],
      ['token', '{"type":"search"}'],
      ['key', '{"searchInformation":{"totalResults":"0"}}'],
    ]
    for (const [kind, body] of rows) {
      const { engines } = await start(t, { status: 200, body })
      assert.deepEqual((await engines[kind].search('x', NEVER)).found, [], kind)
    }
    const { engines } = await start(t, {
      status: 200,
      body: '{"results":[],"unresponsive_engines":[["one","timeout"]]}',
    })
    await assert.rejects(engines.meta.search('x', NEVER), failing('unavailable'))
  })

  const failures: [string, Says, UpstreamFailure, Kind[]?][] = [
    ['401', { status: 401 }, 'auth_error'],
    ['403', { status: 403 }, 'auth_error'],
    ['500', { status: 500 }, 'unavailable'],
    ['503', { status: 503 }, 'unavailable'],
    ['404', { status: 404 }, 'unavailable'],
    ['a redirect', { status: 302, headers: { location: 'http://10.0.0.1/' } }, 'unavailable'],
    ['somebody else’s page', { status: 200, body: '<html>portal</html>' }, 'unavailable'],
    ['half of it', { status: 200, body: '{"results":[{"title":"Orla' }, 'unavailable'],
    ['too much of it', { status: 200, body: `{"results":[${' '.repeat(200_000)}]}` }, 'unavailable'],
    ['another shape', { status: 200, body: '{"results":{"a":1},"web":{"results":1},"items":"x"}' }, 'unavailable'],
    ['no object', { status: 200, body: '[1]' }, 'unavailable'],
    ['nothing', { status: 200, body: '' }, 'unavailable'],
    ['a reset', 'reset', 'unavailable'],
    ['an end in the middle', 'cut', 'unavailable'],
    ['429', { status: 429, headers: { 'retry-after': '60' } }, 'rate_limited'],
    [
      'a token it does not know',
      { status: 422, body: '{"error":{"code":"SUBSCRIPTION_TOKEN_INVALID"}}' },
      'auth_error',
      ['token'],
    ],
    ['a question it cannot read', { status: 422, body: '{"error":{"code":"VALIDATION"}}' }, 'unavailable', ['token']],
    [
      'a key it does not know',
      { status: 400, body: '{"error":{"details":[{"reason":"API_KEY_INVALID"}]}}' },
      'auth_error',
      ['key'],
    ],
    ['a bad question', { status: 400, body: '{}' }, 'unavailable', ['key']],
  ]
  for (const [what, says, failure, those = kinds] of failures)
    test(`${what} is ${failure}, and no secret is in what is said of it`, async (t) => {
      const { engines, observations } = await start(t, says)
      for (const kind of those) {
        const error = await engines[kind].search('orlavent', NEVER).then(
          () => assert.fail(`${kind} answered`),
          (thrown: unknown) => thrown,
        )
        assert.ok(error instanceof UpstreamError, inspect(error))
        assert.equal(error.failure, failure, kind)
        assert.ok(!inspect(error, { depth: 9, showHidden: true }).includes(SECRET), kind)
      }
      assert.ok(!inspect(observations, { depth: 9 }).includes(SECRET))
    })

  test('who is told to stay away stays away, and says until when', async (t) => {
    const { engines, asked } = await start(t, { status: 429, headers: { 'retry-after': '60' } })
    for (const kind of kinds)
      await assert.rejects(
        engines[kind].search('x', NEVER),
        (error) => error instanceof UpstreamError && error.retryAfterMs === 60_000,
      )
    assert.equal(asked.length, 1)
  })

  test('one that does not answer is given up in time, or when nobody waits any more', async (t) => {
    const { engines } = await start(t, 'hang', { timeoutMs: 20 })
    for (const kind of kinds) await assert.rejects(engines[kind].search('x', NEVER), failing('timeout'))
    const gone = new AbortController()
    const patient = await start(t, 'hang')
    const answer = patient.engines.token.search('x', gone.signal)
    gone.abort(new Error('gone'))
    await assert.rejects(answer, /gone/)
  })
})

suite('what engines send', () => {
  const fields = { title: 'title', url: 'url', snippet: 'text' }
  const read = (title: string, url = 'https://x.example/') => parseResults([{ title, url, text: title }], fields)[0]

  test('comes out without mark-up, however it was hidden, and without what steers a terminal', () => {
    const rows: [string, string][] = [
      ['<strong>Orla</strong>vent', 'Orlavent'],
      ['&lt;script&gt;alert(1)&lt;/script&gt; x', 'alert(1) x'],
      ['&#60;img src=x onerror=alert(1)&#62;', ''],
      ['&#x3C;b&#x3E;bold', 'bold'],
      ['<<b>script>x', 'script x'],
      ['<img src=x onerror=alert(1)', 'img src=x onerror=alert(1)'],
      ['a\u0000b\u001b[31mc\r\nd\u0085e', 'a b [31mc d e'],
      ['&#27;[2J&#0;x', '[2J x'],
      ['left\u202Eright\u2028x\u200b', 'left right x'],
      ['\ud800x', '\ufffdx'],
      ['1 < 2 &amp; 3 &quot;x&quot;', '1 2 & 3 "x"'],
      ['&unknown; &#99999999;', '&unknown; &#99999999;'],
    ]
    for (const [given, plain] of rows) assert.equal(read(given)?.title, plain, given)
  })

  test('has only links that a browser may follow', () => {
    for (const url of [
      'javascript:alert(1)',
      ' javascript:alert(1)',
      'java\nscript:alert(1)',
      'data:text/html,x',
      'vbscript:x',
      'file:///etc/passwd',
      'https://user:word@x.example/',
      '//x.example/',
      `https://x.example/${'a'.repeat(2100)}`,
      '',
    ])
      assert.equal(read('x', url), undefined, url)
    assert.equal(read('x', 'https://x.example/"><script>\n')?.url, 'https://x.example/%22%3E%3Cscript%3E')
  })

  test('is read whatever it is, and never more than a page of it', () => {
    fc.assert(
      fc.property(fc.array(fc.anything()), (list) => {
        for (const { url } of parseResults(list, fields)) assert.match(url, /^https?:/)
      }),
    )
    const entry = fc.record({
      title: fc.string({ unit: 'binary' }),
      text: fc.anything(),
      url: fc.constant('https://x.example/'),
    })
    fc.assert(
      fc.property(entry, (one) => {
        const [found] = parseResults([one], fields)
        assert.ok(found)
        assert.doesNotMatch(`${found.title}${found.snippet}`, /[<>\p{Cc}\p{Cs}\u202a-\u202e]/u)
      }),
    )
    const many = Array.from({ length: 500 }, (_, at) => ({ title: 't', url: `https://x.example/${at}`, text: 's' }))
    assert.equal(parseResults(many, fields).length, 20)
  })

  test('a long text does not take long', () => {
    for (const piece of ['<', '<a', '&', '&#', '<a <a>', '\u0000'])
      assert.ok((read(piece.repeat(1_000_000 / piece.length))?.title.length ?? 0) <= 2000)
  })
})
