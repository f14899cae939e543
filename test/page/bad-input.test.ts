import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { Parser } from 'htmlparser2'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Service, startService } from '../../src/app/service.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }
const LABEL_OF_63 = 'a'.repeat(63)

suite('bad input to the pages, over HTTP', () => {
  let names: Names
  let service: Service
  before(async () => {
    names = await startNames({ seed: 3 })
    const env = { PORT: '0', ENS_PORT: '0', ONOMA_METRICS: 'off', ONOMA_SANDBOX: 'on', ONOMA_RATE_LIMIT: 'off' }
    service = await startService(loadConfig({ ...env, ...names.settings }), { log, timeoutScale: 100 })
  })
  after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    await names.stop()
  })

  /** Where a page leads to, if it leads elsewhere, and what it shows. */
  const open = async (path: string) => {
    const response = await fetch(service.url + path, { redirect: 'manual' })
    const text = await response.text()
    const seen = { title: '', sum: '', tags: [] as string[] }
    let into: 'title' | 'sum' | null = null
    const parser = new Parser({
      onopentag(name, attributes) {
        seen.tags.push(name)
        if (name === 'title') into = 'title'
        if (attributes['class'] === 'sum') into = 'sum'
      },
      ontext(part) {
        if (into) seen[into] += part
      },
      onclosetag(name) {
        if (name === 'title' || name === 'p') into = null
      },
    })
    parser.end(text)
    const location = response.headers.get('location')
    return { status: response.status, location: location === null ? null : decodeURIComponent(location), text, ...seen }
  }

  test('each name has one address, however it was written', async () => {
    for (const [asked, address] of [
      ['/n/acme.com', '/d/acme.com'],
      ['/n/acme.co.uk', '/d/acme.co.uk'],
      ['/d/acme', '/n/acme'],
      ['/d/vitalik.eth', '/n/vitalik.eth'],
      ['/n/acme.', '/n/acme'],
      ['/d/acme.com.', '/d/acme.com'],
      ['/n/%20acme%20', '/n/acme'],
      [`/n/${encodeURIComponent('https://acme.com:8080/about?us#now')}`, '/d/acme.com'],
      [`/n/${encodeURIComponent('bücher.de/')}`, '/d/bücher.de'],
      ['/n/acme.com?set=all', '/d/acme.com?set=all'],
      ['/n?q=acme.com', '/d/acme.com'],
      ['/n?q=%20', '/'],
      ['/n?q=...', '/'],
      ['/n/%2E%2E%2E', '/'],
      ['/n?q=https%3A%2F%2Facme.com%2F', '/d/acme.com'],
    ] as const) {
      const { status, location } = await open(asked)
      assert.deepEqual([status, location], [303, address], asked)
    }
  })

  test('what nobody can own is refused in a sentence, with a way on, and is never markup', async () => {
    for (const [asked, sentence, near] of [
      ['/n/ac%20me!', /It contains a space; a name has only letters, digits and hyphens\./, '/n/acme'],
      ['/n/-acme', /It has the label "-acme"/, '/n/acme'],
      [`/n/${'a'.repeat(253)}`, /It is 253 characters long; a name has at most 63\./, `/n/${LABEL_OF_63}`],
      [`/d/${[LABEL_OF_63, LABEL_OF_63, LABEL_OF_63, 'a'.repeat(57)].join('.')}.com`, /is a sub-domain of/, null],
      ['/d/www.acme.com', /www\.acme\.com is a sub-domain of acme\.com; ask for acme\.com\./, '/d/acme.com'],
      ['/d/acme.acme', /The TLD \.acme is not supported/, '/n/acme?set=all'],
      [`/n/${encodeURIComponent('<script>alert(1)</script>')}`, /It contains "<"/, '/n/scriptalert1script'],
      [`/n/${encodeURIComponent('"onfocus="alert(1)')}`, /It contains """/, '/n/onfocusalert1'],
      [`/n/${encodeURIComponent('\u202Emoc.live')}`, null, '/d/moc.live'],
      [`/n/${encodeURIComponent('\u2067acme')}`, /It is not ASCII and has no valid punycode form/, '/n/acme'],
      [`/n/${encodeURIComponent('a\0b')}`, /It contains a control character/, '/n/ab'],
      ['/n/%', /It contains "%"/, null],
      ['/n/%FF', /It contains "%"/, '/n/ff'],
    ] as const) {
      let page = await open(asked)
      if (page.location !== null) page = await open(encodeURI(page.location))
      assert.equal(page.status, 400, asked)
      if (sentence) assert.match(page.sum, sentence, asked)
      if (near !== null) assert.ok(page.text.includes(`class="btn" href="${near}"`), `${asked} leads to ${near}`)
      assert.match(page.text, /href="\/docs\/errors\/\w+"><code>400 \w+</, asked)
      assert.equal(page.tags.filter((tag) => tag === 'script').length, 1, asked)
      // A character that turns text around stays in the element that isolates it, or in an attribute.
      assert.doesNotMatch(page.sum, /[\u202A-\u202E\u2066-\u2069]/, asked)
      assert.doesNotMatch(page.title, /[\u202A-\u202E\u2066-\u2069]/, asked)
    }
  })

  test('emoji, right-to-left names and the longest ones have pages', async () => {
    for (const path of [
      `/n/${encodeURIComponent('😀')}`,
      `/d/${encodeURIComponent('بيتزا.com')}`,
      `/n/${LABEL_OF_63}`,
    ]) {
      const { status, title, text } = await open(path)
      assert.equal(status, 200, path)
      assert.match(title, /: .*\b(?:free|taken|unknown)\b/, path)
      assert.ok(text.endsWith('</html>\n'), path)
    }
  })

  test('10,000 lines with a BOM, CRLF, blank lines and repeats come back as a CSV with all of them', async () => {
    // Most of them are refused without a query: the registry is not what is tested.
    const lines = Array.from({ length: 10_000 }, (_, at) => `${at % 20 === 1 ? 'taken-' : 'no_'}list${at}.com`)
    const text = lines.flatMap((line, at) => (at % 10 === 0 ? [line, '', ' \t', line.toUpperCase()] : [line]))
    const body = new URLSearchParams({ names: `\uFEFF${text.join('\r\n')}\r\n`, as: 'csv', sort: 'line' })
    const response = await fetch(`${service.url}/bulk`, { method: 'POST', body })
    const [header, ...rows] = (await response.text()).trimEnd().split('\r\n')
    assert.equal(header, 'line,name,domain,state,note')
    assert.deepEqual(
      rows.map((row) => row.split(',')[1]),
      lines,
    )
    assert.match(rows[1]!, /^5,taken-list1\.com,taken-list1\.com,taken/, 'the line is that of the list as it was sent')
    assert.match(rows[2]!, /^6,no_list2\.com,no_list2\.com,invalid,/)
  })
})

test('a person who asks too often gets a page that says when to ask again', async (t) => {
  const names = await startNames({ seed: 3 })
  const env = { PORT: '0', ENS_PORT: '0', ONOMA_METRICS: 'off', ONOMA_SANDBOX: 'on', ONOMA_RATE_LIMIT: '1' }
  const service = await startService(loadConfig({ ...env, ...names.settings }), { log, timeoutScale: 100 })
  t.after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    await names.stop()
  })
  await (await fetch(`${service.url}/n/taken-first`)).text()
  const response = await fetch(`${service.url}/n/taken-second?state=free`)
  const text = await response.text()
  const seconds = response.headers.get('retry-after')
  assert.equal(response.status, 429)
  assert.match(seconds!, /^\d+$/)
  assert.match(text, /<span class="s sale"><i[^>]*><\/i>rate limit reached<\/span>/)
  assert.ok(text.includes(`href="/n/taken-second?state=free">Ask again in ${seconds} s</a>`))
  assert.doesNotMatch(text, /not a name/)
})
