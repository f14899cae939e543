import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, suite, test } from 'node:test'
import { parseXmlReply } from '../src/aftermarket/sources/xml-records.ts'
import { aftermarket } from './aftermarket.ts'
import { jsonShape, xmlShape } from './shape.fixture.ts'
import { startWorld, type World } from './world.ts'

const fixture = (file: string) => readFileSync(new URL(`../test/fixtures/aftermarket/${file}`, import.meta.url), 'utf8')

suite('the marketplaces of the sandbox answer in the shapes of the fixtures', () => {
  let world: World
  before(async () => {
    world = await startWorld([aftermarket], { seed: 1, wait: async () => {} })
  })
  after(() => world.stop())

  const setting = (name: string) => world.settings[`ONOMA_AFTERMARKET_SOURCE_${name}`]!
  const ask = async (letter: string, query: Record<string, string>, headers: Record<string, string> = {}) => {
    const response = await fetch(`${setting(`${letter}_URL`)}?${new URLSearchParams(query).toString()}`, { headers })
    return response.text()
  }
  /** The first answer about invented names that the check accepts. */
  const firstOf = async (load: (domain: string) => Promise<string>, isWanted: (text: string) => boolean) => {
    for (let at = 0; at < 50; at++) {
      const text = await load(`name${at}.io`)
      if (isWanted(text)) return text
    }
    throw new Error('no such answer')
  }

  test('Sedo', async () => {
    const access = { partnerid: setting('A_PARTNER_ID'), signkey: setting('A_SIGN_KEY') }
    const text = await ask('A', { ...access, 'domainlist[0]': 'acme.io' })
    assert.deepEqual(xmlShape(text), xmlShape(fixture('sedo-look-alikes.xml')))
    assert.equal(parseXmlReply(text, 'item').records.length, 2)
    const fault = await ask('A', { ...access, signkey: 'wrong', 'domainlist[0]': 'acme.io' })
    assert.deepEqual(xmlShape(fault), xmlShape(fixture('sedo-fault.xml')))
  })

  test('Dynadot', async () => {
    const access = { key: setting('B_KEY'), command: 'get_listing_item', currency: 'usd' }
    const load = (domain: string) => ask('B', { ...access, domain })
    const isListed = (text: string) => text.includes('<Listing>')
    assert.deepEqual(xmlShape(await firstOf(load, isListed)), xmlShape(fixture('dynadot-listed.xml')))
    const error = await ask('B', { ...access, key: 'wrong', domain: 'acme.io' })
    assert.deepEqual(xmlShape(error), xmlShape(fixture('dynadot-error.xml')))
  })

  test('Fastly', async () => {
    const load = (domain: string) => ask('C', { domain, scope: 'estimate' }, { 'fastly-key': setting('C_KEY') })
    for (const [file, isListed] of [
      ['fastly-listed.json', true],
      ['fastly-not-listed.json', false],
    ] as const) {
      const text = await firstOf(load, (one) => one.includes('offers') === isListed)
      assert.deepEqual(jsonShape(JSON.parse(text)), jsonShape(JSON.parse(fixture(file))))
    }
  })

  test('Porkbun', async () => {
    const headers = { 'x-api-key': setting('D_KEY'), 'x-secret-api-key': setting('D_SECRET_KEY') }
    const text = await ask('D', { query: 'acme', 'tlds[]': 'io' }, headers)
    assert.deepEqual(jsonShape(JSON.parse(text)), jsonShape(JSON.parse(fixture('porkbun-listed.json'))))
    const error = await ask('D', { query: 'acme', 'tlds[]': 'io' })
    assert.deepEqual(jsonShape(JSON.parse(error)), jsonShape(JSON.parse(fixture('porkbun-error.json'))))
  })
})
