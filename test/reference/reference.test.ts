import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { OPERATIONS } from '../../sdk/operations.js'
import { composeRoutes } from '../../src/app/compose.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { ERRORS } from '../../src/kernel/errors.ts'
import { createSite } from '../../src/surfaces/docs/site.ts'
import { parsePage, startReferenceService } from '../support/reference-service.ts'

const { routes, close } = composeRoutes(loadConfig({}))
const endpoints = routes.map(({ endpoint }) => endpoint)

suite('the reference at /docs', () => {
  let service: Awaited<ReturnType<typeof startReferenceService>>
  before(async () => {
    service = await startReferenceService()
  })
  after(async () => {
    await service.stop()
    await close()
  })
  const page = async (path: string) => {
    const { status, text } = await service.get(path)
    assert.equal(status, 200, path)
    return parsePage(text)
  }

  test('every endpoint has a page with its fields, its example in every way in, and its errors', async () => {
    for (const endpoint of endpoints) {
      const { text } = await page(`/docs/${endpoint.name}`)
      const has = (part: string) => assert.ok(text.includes(part), `/docs/${endpoint.name} lacks ${part}`)
      has(`${endpoint.method} ${endpoint.path}`)
      has(`${endpoint.summary}.`)
      for (const field of Object.keys(endpoint.input.shape)) has(field)
      has(`curl ${endpoint.method === 'POST' ? '-X POST ' : ''}'${service.url}/`)
      has(endpoint.deprecated ? `await fetch('${service.url}/` : `await onoma.${endpoint.name}(`)
      assert.equal(endpoint.name in OPERATIONS, !endpoint.deprecated, `the SDK and ${endpoint.name}`)
      if (endpoint.command !== undefined) has(`npx @onoma-names/server ${endpoint.command}`)
      if (endpoint.tool) has(`"name": "${endpoint.name}"`)
      for (const failure of endpoint.errors) has(typeof failure === 'string' ? failure : failure.code)
    }
  })

  test('no page has anything that the content security policy blocks, and every link on every page leads somewhere', async () => {
    const pages = new Map<string, ReturnType<typeof parsePage>>()
    const anchors: { from: string; to: string; id: string }[] = []
    const queue = ['/docs', '/docs?q=rate', '/docs?q=zzzz']
    for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
      if (pages.has(path)) continue
      const { status, headers, text } = await service.get(path)
      assert.notEqual(status, 404, path)
      const isReference = path.startsWith('/docs')
      if (isReference) assert.equal(status, 200, path)
      const isPage = isReference && String(headers['content-type']).startsWith('text/html')
      const parts = isPage ? parsePage(text) : { links: [], ids: new Set<string>(), blocked: [], text: '' }
      if (isPage) assert.match(String(headers['content-security-policy']), /default-src 'none'.*style-src 'self'/)
      assert.deepEqual(parts.blocked, [], path)
      pages.set(path, parts)
      for (const link of parts.links) {
        const { pathname, search, hash, origin } = new URL(link, service.url + path)
        if (origin !== new URL(service.url).origin) continue
        queue.push(pathname + search)
        if (hash !== '') anchors.push({ from: path, to: pathname + search, id: decodeURIComponent(hash.slice(1)) })
      }
    }
    assert.ok(pages.size > endpoints.length + Object.keys(ERRORS).length)
    assert.deepEqual(
      anchors.filter(({ to, id }) => !pages.get(to)!.ids.has(id)),
      [],
    )
  })

  test('every error code has a page that says what to do and which endpoints send it', async () => {
    for (const [code, { status, meaning }] of Object.entries(ERRORS)) {
      const { text, links } = await page(`/docs/errors/${code}`)
      for (const part of [meaning.replaceAll('`', ''), `usually HTTP ${status}`, 'What to do'])
        assert.ok(text.includes(part), `${code} lacks ${part}`)
      const senders = endpoints.filter(({ errors }) =>
        errors.some((failure) => (typeof failure === 'string' ? failure : failure.code) === code),
      )
      for (const { name } of senders) assert.ok(links.includes(`/docs/${name}`), `${code} lacks ${name}`)
    }
  })

  test('a problem document links to the page about its code, at both listeners; the default body is unchanged', async () => {
    const ask = async (url: string, accept: string) => JSON.parse((await service.get(url, { accept })).text) as object
    for (const [url, code] of [
      [`${service.url}/v1/check?name=-bad&tld=com`, 'invalid_name'],
      [`${service.url}/nothing`, 'not_found'],
      [`${service.ensUrl}/nothing`, 'not_found'],
    ] as const) {
      const problem = (await ask(url, 'application/problem+json')) as { type: string }
      assert.equal(problem.type, `${service.url}/docs/errors/${code}`)
      assert.equal((await service.get(problem.type)).status, 200)
      assert.deepEqual(Object.keys(await ask(url, 'application/json')), ['error', 'message'])
    }
  })

  test('an example that is a POST runs without a script, and its answer is on the page', async () => {
    const answered = await service.get('/docs/checkBulk', {}, 'POST')
    assert.equal(answered.status, 200)
    assert.match(answered.text, /Answer<\/span>, <code>200 OK/)
    assert.match(answered.text, /&quot;domain&quot;: &quot;example\.com&quot;/)
    const refused = await service.get('/docs/prepareEnsRegister', {}, 'POST')
    assert.match(refused.text, /Answer<\/span>, <code>[45]00/)
    assert.match(refused.text, /&quot;error&quot;: &quot;\w+&quot;/)
    assert.equal((await service.get('/docs/nothing', {}, 'POST')).status, 404)
  })

  test('a search finds endpoints, errors and guides by all words, and shows what was asked as text', async () => {
    const found = async (query: string) => {
      const { text } = await service.get(`/docs?q=${encodeURIComponent(query)}`)
      return parsePage(text, 'found')
    }
    assert.equal((await found('bulk')).links[0], '/docs/checkBulk')
    assert.equal((await found('rate_limit_exceeded')).links[0], '/docs/errors/rate_limit_exceeded')
    assert.ok((await found('reverse proxy')).links.includes('/docs/guides/self-hosting'))
    // By a heading before guides that only mention the word.
    assert.equal((await found('docker')).links[0], '/docs/guides/self-hosting')
    assert.equal((await found('windsurf')).links[0], '/docs/guides/mcp')
    assert.match((await found('zzzz bulk')).text, /Nothing here has all of these words/)
    const hostile = await service.get(`/docs?q=${encodeURIComponent('"><script>alert(1)</script>')}`)
    assert.doesNotMatch(hostile.text, /<script>/)
    assert.match(hostile.text, /&lt;script&gt;/)
    assert.match((await page('/docs?q=%20')).text, /No account, no key/)
  })

  test('a person gets a page where there is none, a program the usual error', async () => {
    for (const path of ['/docs/nothing', '/docs/errors/nothing', '/docs/guides/nothing', '/docs/guides/README']) {
      const person = await service.get(path, { accept: 'text/html,*/*' })
      assert.deepEqual([person.status, person.headers['content-type']], [404, 'text/html; charset=utf-8'], path)
      const program = await service.get(path)
      assert.deepEqual(
        [program.status, (JSON.parse(program.text) as { error: string }).error],
        [404, 'not_found'],
        path,
      )
    }
    assert.equal((await service.get('/docs/errors/')).status, 200)
  })

  test('every guide is served, with its tables, its picture and links to the other guides', async () => {
    const names = readdirSync(new URL('../../docs/', import.meta.url), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.md') && file !== 'README.md')
      .map((file) => file.slice(0, -'.md'.length))
    assert.ok(names.length > 20)
    for (const name of names) assert.match((await service.get(`/docs/guides/${name}`)).text, /<h1/, name)
    const { links } = await page('/docs/guides/valuation')
    assert.ok(links.includes('/docs/guides/valuation-calibration.svg'))
    const picture = await service.get('/docs/guides/valuation-calibration.svg')
    assert.equal(picture.headers['content-type'], 'image/svg+xml')
    const { text } = await page('/docs/guides/verdicts')
    assert.ok(text.includes(`curl '${service.url}/v1/check?`), 'a command asks another service')
    assert.ok((await page('/docs/guides/errors')).links.includes('/docs/errors/invalid_name'))
    assert.ok((await page('/docs/guides')).links.includes('/docs/guides/certainty'))
  })

  test('pages are compressed, and cached by clients until they change', async () => {
    const { headers } = await service.get('/docs', { 'accept-encoding': 'br' })
    assert.deepEqual([headers['content-encoding'], headers['cache-control']], ['br', 'public, max-age=300'])
    assert.equal((await service.get('/docs', { 'if-none-match': String(headers['etag']) })).status, 304)
  })
})

test('a service installed without the guides has no link to one', () => {
  const guidesFolder = new URL('./no-such-folder/', import.meta.url)
  const site = createSite({
    routes,
    version: '0',
    publicUrl: 'http://x.example/',
    tlds: 1,
    rateLimit: 60,
    guidesFolder,
  })
  const paths = [
    '/docs',
    '/docs/errors',
    '/docs/errors/payment_required',
    '/docs/domainIntel',
    '/llms.txt',
    '/sitemap.xml',
  ]
  for (const path of paths)
    assert.doesNotMatch(String(site.find(path)!.body), /http:\/\/x\.example\/docs\/guides|href="\/docs\/guides/, path)
  assert.equal(site.find('/docs/guides'), undefined)
  assert.match(String(site.find('/llms.txt')!.body), /http:\/\/x\.example\/docs\/checkDomains/)
})

test('examples count against the rate limit, and pages against that of documents', async (t) => {
  const service = await startReferenceService({ ONOMA_RATE_LIMIT: '1', ONOMA_DOCUMENT_RATE_LIMIT: '3' })
  t.after(() => service.stop())
  assert.match((await service.get('/docs/checkBulk', {}, 'POST')).text, /200 OK/)
  assert.match((await service.get('/docs/checkBulk', {}, 'POST')).text, /rate_limit_exceeded/)
  assert.equal((await service.get('/docs')).status, 200)
  assert.equal((await service.get('/docs')).status, 429)
})
