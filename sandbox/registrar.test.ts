import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { parsePorkbunPrices } from '../src/registrars/sources/porkbun-prices.ts'
import { registrar } from './registrar.ts'
import { jsonShape, xmlShape } from './shape.fixture.ts'
import { startWorld, type World } from './world.ts'

const fixture = (file: string) => readFileSync(new URL(`../test/fixtures/prices/${file}`, import.meta.url), 'utf8')
const json = (text: string) => JSON.parse(text) as Record<string, unknown>

suite('the registrar of the sandbox answers in the shapes of the fixtures', () => {
  let world: World
  let base: string
  before(async () => {
    world = await startWorld([registrar], { seed: 1, wait: async () => {} })
    base = new URL(world.settings['ONOMA_PRICES_URL']!).origin
  })
  after(() => world.stop())
  const post = async (path: string, body: object) => {
    const response = await fetch(`${base}/api/json/v3/${path}`, { method: 'POST', body: JSON.stringify(body) })
    return response.text()
  }

  test('the price list, with all TLDs of the catalogue and one of Handshake', async () => {
    const list = json(await post('pricing/get', {})) as { pricing: Record<string, unknown> }
    const wanted = json(fixture('porkbun-pricing.json')) as { pricing: Record<string, unknown> }
    for (const tld of ['com', 'invented'])
      assert.deepEqual(jsonShape(list.pricing[tld]), jsonShape(wanted.pricing[tld]), tld)
    const { prices, refused } = parsePorkbunPrices(list)
    assert.deepEqual([prices.size, refused, prices.has('invented')], [511, [], false])
  })

  test('the checks of Porkbun and Namecheap', async () => {
    const keys = { apikey: 'sandbox-key', secretapikey: 'sandbox-key' }
    const checked = await post('domain/checkDomain/premium-shop.com', keys)
    assert.deepEqual(jsonShape(json(checked)), jsonShape(json(fixture('porkbun-check.json'))))
    const ask = async (key: string) =>
      (await fetch(`${base}/xml.response?ApiKey=${key}&DomainList=premium-shop.com`)).text()
    assert.deepEqual(xmlShape(await ask('sandbox-key')), xmlShape(fixture('namecheap-check.xml')))
    assert.deepEqual(xmlShape(await ask('wrong')), xmlShape(fixture('namecheap-error.xml')))
  })
})
