import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { loadConfig } from '../../src/app/settings/config.ts'
import { type Names, startNames } from '../../sandbox/names/start.ts'
import { type Service, startService } from '../../src/app/service.ts'

const log = { debug() {}, info() {}, warn() {}, error() {} }

/** With nothing configured but the registries: pages must work for a service with everything off. */
suite('lists and the status without a script, over HTTP', () => {
  let names: Names
  let service: Service
  before(async () => {
    names = await startNames({ seed: 3 })
    const env = { PORT: '0', ENS_PORT: '0', ONOMA_METRICS: 'off', ONOMA_SANDBOX: 'on', ONOMA_RATE_LIMIT: '1000' }
    service = await startService(loadConfig({ ...env, ...names.settings }), { log, timeoutScale: 100 })
  })
  after(async () => {
    await service.stop({ lingerMs: 0, graceMs: 0 })
    await names.stop()
  })
  const send = async (fields: Record<string, string>, init: RequestInit = {}) => {
    const answer = await fetch(`${service.url}/bulk`, { method: 'POST', body: new URLSearchParams(fields), ...init })
    return { status: answer.status, headers: answer.headers, text: await answer.text() }
  }

  test('rows come back as HTML, and names are never markup', async () => {
    const { status, headers, text } = await send({ names: 'taken-shop.com\r\n<script>alert(1)</script>\r\n"><b>x.com' })
    assert.equal(status, 200)
    assert.equal(headers.get('content-type'), 'text/html; charset=utf-8')
    assert.ok(text.includes('<a href="/d/taken-shop.com">taken-shop.com</a>'))
    assert.doesNotMatch(text, /<script>alert|<b>x/)
    assert.match(text, /<title>Bulk: 1 taken, 2 invalid<\/title>/)
  })

  test('a CSV comes back as a file', async () => {
    const { headers, text } = await send({ names: 'taken-shop.com\nfree-shop.com', as: 'csv', sort: 'line', state: '' })
    assert.equal(headers.get('content-disposition'), 'attachment; filename="onoma.csv"')
    assert.equal(
      text,
      'line,name,domain,state,note\r\n1,taken-shop.com,taken-shop.com,taken,\r\n2,free-shop.com,free-shop.com,free,\r\n',
    )
  })

  test('a list that is empty, too long or too large is refused on the same page', async () => {
    const empty = await send({ names: ' \r\n ' })
    assert.equal(empty.status, 400)
    assert.match(empty.text, /The list is empty: paste names or domains, one a line\./)
    const many = await send({
      names:
        'acme\nbolt\ncorp\ndune\necho\nfern\ngale\nhill\niris\njade\nkelp\nlime\nmoss\nnova\nopal\npine\nquay\nreed\nsage\ntide',
      set: 'all',
    })
    assert.match(many.text, /These are 10,220 domains \(20 names under several TLDs\)/)
    const large = await send({ names: 'a'.repeat(2 * 1024 * 1024) })
    assert.equal(large.status, 400)
    assert.match(large.text, /The body is larger than 1048576 bytes/)
    const json = await send({}, { body: '{}', headers: { 'content-type': 'application/json' } })
    assert.match(json.text, /The body must be a form/)
  })

  test('choices that do not exist are ignored', async () => {
    const { status, text } = await send({ names: 'free-shop', set: 'nonsense', state: '<i>', sort: '__proto__' })
    assert.equal(status, 200)
    assert.ok(text.includes('<a href="/d/free-shop.com">free-shop.com</a>'))
    const page = await fetch(`${service.url}/bulk?state=free&names=%3Cscript%3E`)
    const markup = await page.text()
    assert.match(markup, /<option value="free" selected>/)
    assert.ok(!markup.includes('&lt;script&gt;'), 'a link cannot fill the list')
  })

  test('a name with letters outside ASCII is looked up as the DNS writes it, and shown as it was typed', async () => {
    const page = async (path: string) => (await fetch(`${service.url}${path}`)).text()
    const name = await page(`/n/${encodeURIComponent('bücher')}`)
    assert.match(name, /<h1 class="head"><bdi>bücher<\/bdi><\/h1>/)
    assert.ok(name.includes('href="/d/xn--bcher-kva.com"'))
    assert.doesNotMatch(name, /is not ASCII/)
    const domain = await page(`/d/${encodeURIComponent('بيتزا.com')}`)
    assert.match(domain, /<bdi>بيتزا<span>\.com<\/span><\/bdi>/)
    assert.match(domain, /slot="state"/)
  })

  test('the status says what is off and how to switch it on', async () => {
    const markup = await (await fetch(`${service.url}/status`)).text()
    for (const setting of ['ONOMA_AUCTIONS', 'ONOMA_METRICS']) assert.ok(markup.includes(setting), setting)
    assert.match(markup, /No auction source is configured/)
  })

  test('the wallet of the play money signs only transfers that are well-formed', async () => {
    const post = async (body: object) => {
      const headers = { 'content-type': 'application/json' }
      const answer = await fetch(`${service.url}/v1/sandbox/wallet`, {
        method: 'POST',
        headers,
        body: JSON.stringify(body),
      })
      return { status: answer.status, body: (await answer.json()) as Record<string, unknown> }
    }
    const transfer = {
      to: `0x${'70'.repeat(20)}`,
      value: '20000',
      validAfter: 1,
      validBefore: 2,
      nonce: `0x${'2b'.repeat(32)}`,
    }
    const signed = await post(transfer)
    assert.equal(signed.status, 200)
    assert.match(String(signed.body['signature']), /^0x[\da-f]{128}1[bc]$/)
    for (const wrong of [{ to: '0x1' }, { value: '-1' }, { value: '1e3' }, { nonce: '0x' }, { validBefore: -1 }])
      assert.equal((await post({ ...transfer, ...wrong })).status, 400, JSON.stringify(wrong))
  })
})
