import assert from 'node:assert/strict'
import { after, before, beforeEach, suite, test } from 'node:test'
import { type IntelDoor, startIntelDoor } from './intel.fixture.ts'

suite('the domain parameter of GET /v1/intel', () => {
  let door: IntelDoor
  before(async () => {
    door = await startIntelDoor()
  })
  after(() => door.stop())
  beforeEach(() => door.reset())

  const SPELLINGS: readonly (readonly [given: string, domain: string])[] = [
    ['shop.example', 'shop.example'],
    [' Shop.Example. ', 'shop.example'],
    ['http://shop.example', 'shop.example'],
    ['HTTPS://shop.example/', 'shop.example'],
    ['https://shop.example/a/b?c=d#e', 'shop.example'],
    ['shop.example/path', 'shop.example'],
    ['shop.example?x=http://other.example', 'shop.example'],
    ['https://shop.example:443/', 'shop.example'],
    ['ftp://shop.example', 'shop.example'],
    ['www.shop.example', 'www.shop.example'],
    ['https://a.b.shop.example/x', 'a.b.shop.example'],
    ['https://xn--bcher-kva.example/', 'xn--bcher-kva.example'],
  ]
  for (const [given, domain] of SPELLINGS) {
    test(`${JSON.stringify(given)} means ${domain}`, async () => {
      const { status, body, text } = await door.buyIntel(given)
      assert.equal(status, 200, text)
      assert.equal((body as { domain: string }).domain, domain)
      assert.deepEqual([new Set(door.checked), door.visited], [new Set([domain]), [domain]])
    })
  }

  test('an invalid domain is refused before payment is requested', async () => {
    const refused: readonly (readonly [query: string, code: string])[] = [
      ['', 'missing_parameter'],
      ['?domain=', 'missing_parameter'],
      ['?domain=%20', 'missing_parameter'],
      ['?domain', 'missing_parameter'],
      ['?domain=shop', 'invalid_domain'],
      ['?domain=http://', 'invalid_domain'],
      ['?domain=localhost', 'invalid_domain'],
      ['?domain=127.0.0.1', 'invalid_domain'],
      ['?domain=http://127.0.0.1/', 'invalid_domain'],
      ['?domain=http://[::1]/', 'invalid_domain'],
      ['?domain=0x7f000001', 'invalid_domain'],
      ['?domain=2130706433', 'invalid_domain'],
      ['?domain=http://user:word@shop.example/', 'invalid_domain'],
      ['?domain=shop.example:8080', 'invalid_domain'],
      ['?domain=file:///etc/passwd', 'invalid_domain'],
      ['?domain=javascript:alert(1)', 'invalid_domain'],
      ['?domain=data:text/html,x', 'invalid_domain'],
      ['?domain=shop.example%0d%0aHost:%20x', 'invalid_domain'],
      ['?domain=shop.example%00', 'invalid_domain'],
      ['?domain=shop%5c.example', 'invalid_domain'],
      ['?domain=http://http://shop.example', 'invalid_domain'],
      [`?domain=${'a'.repeat(64)}.example`, 'invalid_domain'],
      [`?domain=${'a.'.repeat(200)}example`, 'invalid_domain'],
    ]
    for (const [query, code] of refused) {
      const { status, body } = await door.get(`/v1/intel${query}`)
      assert.deepEqual([status, (body as { error: string }).error], [400, code], query)
    }
    assert.deepEqual([door.checked, door.visited], [[], []])
  })
})
