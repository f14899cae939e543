import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { Agent, request } from 'undici'
import { detectParking } from '../src/intel/detection.ts'
import { KIND_WORDS } from './pages/kinds.ts'
import { OFFERS } from './pages/offers.ts'
import { pages } from './pages.ts'
import { startWorld, type World } from './world.ts'

/** Kinds whose first page is the final one: no script and no redirect. */
const PARKED = ['parked', 'registered', 'placeholder', 'frameset', 'forsale', 'expired']
const IN_USE = ['shop', 'blog', 'soon', 'bare', 'news', 'article', 'hobby']

suite('the web of the sandbox', () => {
  let world: World
  let agent: Agent
  let url: string
  before(async () => {
    world = await startWorld([pages], { wait: async () => {} })
    agent = new Agent()
    url = `http://127.0.0.1:${world.settings['ONOMA_SANDBOX_PAGES']}`
  })
  after(async () => {
    await agent.destroy()
    await world.stop()
  })
  const visit = async (host: string, path = '/') => {
    const { statusCode, headers, body } = await request(url + path, { headers: { host }, dispatcher: agent })
    return { status: statusCode, headers, html: await body.text() }
  }
  const isParked = async (host: string, path = '/') => {
    const { status, html } = await visit(host, path)
    const at = `http://${host}${path}`
    const seen = { finalUrl: at, hops: [at], status, firstBody: html, html, title: '', text: '', hosts: [host] }
    return detectParking({ host, capture: seen, nameservers: [], addresses: [] }).parked
  }

  test('a word in the name selects the kind of page, whatever the random parts', async () => {
    for (let each = 0; each < 10; each += 1) {
      for (const word of PARKED) assert.ok(await isParked(`taken-${word}-harbour${each}.com`), `${word} ${each}`)
      for (const word of IN_USE) assert.ok(!(await isParked(`taken-${word}-harbour${each}.com`)), `${word} ${each}`)
    }
  })

  test('a language code in the name sets the language of a for-sale page, and all of them are parked', async () => {
    for (const [lang, claim] of OFFERS) {
      const host = `taken-forsale-${lang}-harbour.com`
      const { html } = await visit(host)
      assert.ok(html.includes(`<html lang="${lang}">`) && html.includes(`${host} ${claim}`), lang)
      assert.ok(await isParked(host), lang)
    }
  })

  test('every kind of page and every language is in docs/sandbox.md', () => {
    const docs = readFileSync(new URL('../docs/sandbox.md', import.meta.url), 'utf8')
    const table = docs.slice(docs.indexOf('| word in the name |')).split('\n\n')[0]!
    assert.deepEqual(
      [...table.matchAll(/^\| `([a-z]+)` \|/gm)].map((match) => match[1]),
      KIND_WORDS,
    )
    for (const [lang] of OFFERS) assert.match(table, new RegExp(`\`${lang}\``))
  })

  test('the first page of a lander redirects by script, and a moved site redirects to www', async () => {
    assert.match((await visit('taken-lander-x.com')).html, /location\.href = "\/lander"/)
    assert.ok(await isParked('taken-lander-x.com', '/lander'))
    const moved = await visit('taken-moved-x.com', '/a')
    assert.deepEqual([moved.status, moved.headers['location']], [301, 'http://www.taken-moved-x.com/a'])
    assert.ok(!(await isParked('www.taken-moved-x.com')))
  })

  test('without a word the page is random but fixed per name, and all kinds occur', async () => {
    assert.equal((await visit('harbour.com')).html, (await visit('HARBOUR.com:80')).html)
    const all = await Promise.all(Array.from({ length: 200 }, (_, at) => visit(`name${at}.com`)))
    const shapes = new Set(
      all.map(({ status, html }) => `${status} ${html.replace(/<title>.*?<\/title>/, '').slice(60, 330)}`),
    )
    assert.ok(shapes.size >= KIND_WORDS.length)
    assert.ok(all.some(({ status }) => status === 301))
  })

  test('a word after the state of the name scripts the outcome', async () => {
    assert.equal((await visit('taken-broken502-shop.com')).status, 502)
    assert.equal((await visit('broken-shop.com')).status, 500)
    assert.equal((await visit('taken-redirect-shop.com')).headers['location'], 'http://10.0.0.1/')
    await assert.rejects(visit('taken-reset-shop.com'))
    assert.match((await visit('taken-slow-shop.com')).html, /<h1>/)
  })

  test('any Host header gets an answer, without unescaped markup', async () => {
    for (const host of [
      'x',
      '127.0.0.1',
      '[::1]:80',
      'a..b',
      '<script>alert(1)</script>-forsale-x.com',
      '-',
      '.',
      'xn--bcher-kva.example',
    ]) {
      const { status, html } = await visit(host)
      assert.ok(status < 500, host)
      assert.doesNotMatch(html, /<script>alert/)
    }
  })
})
