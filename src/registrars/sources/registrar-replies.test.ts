import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { UpstreamError, type UpstreamFailure } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import { parseNamecheapCheck } from './namecheap-check.ts'
import { parsePorkbunCheck } from './porkbun-check.ts'
import { parsePorkbunPrices } from './porkbun-prices.ts'

const name = 'acme.io' as DomainName
const fixture = (file: string) =>
  readFileSync(new URL(`../../../test/fixtures/prices/${file}`, import.meta.url), 'utf8')
const list = () => JSON.parse(fixture('porkbun-pricing.json')) as { pricing: Record<string, Record<string, unknown>> }
const fails = (run: () => unknown, failure: UpstreamFailure) =>
  assert.throws(run, (error) => error instanceof UpstreamError && error.failure === failure)

test('Porkbun prices: registration and renewal of every TLD, without names of Handshake', () => {
  const { prices, refused } = parsePorkbunPrices(list())
  assert.deepEqual(
    [...prices],
    [
      ['com', { registration: 11.08, renewal: 11.08 }],
      ['xyz', { registration: 2.04, renewal: 13.18 }],
      ['co.uk', { registration: 5.15, renewal: 5.15 }],
      ['rich', { registration: 2057.78, renewal: 2057.78 }],
    ],
  )
  assert.deepEqual(refused, [])
})

test('Porkbun prices: a price that is negative, zero or implausible is refused, and the others stay', () => {
  const wrong = ['-11.08', '0', '0.00', '1e3', '', 'free', '11.08 USD', '1.234,56', '99,99', '50000.01', '9'.repeat(40)]
  for (const price of wrong) {
    for (const field of ['registration', 'renewal']) {
      const { pricing } = list()
      pricing['com']![field] = price
      const { prices, refused } = parsePorkbunPrices({ status: 'SUCCESS', pricing })
      assert.deepEqual([prices.has('com'), prices.size, refused], [false, 3, ['com']], `${field} ${price}`)
    }
  }
})

test('Porkbun prices: another document is refused', () => {
  for (const body of [null, [], {}, { status: 'ERROR', message: 'no' }, { status: 'SUCCESS' }, { pricing: {} }])
    fails(() => parsePorkbunPrices(body), 'unavailable')
})

test('Porkbun check: a premium name has its prices, any other has none', () => {
  const reply = JSON.parse(fixture('porkbun-check.json')) as { response: object }
  assert.deepEqual(parsePorkbunCheck(reply), { premium: true, registration: 1250, renewal: 49.5 })
  const changed = (response: object) => ({ ...reply, response: { ...reply.response, ...response } })
  const ordinary = { premium: false, registration: null, renewal: null }
  assert.deepEqual(parsePorkbunCheck(changed({ premium: 'no' })), ordinary)
  assert.deepEqual(parsePorkbunCheck(changed({ avail: 'no' })), ordinary)
  assert.deepEqual(parsePorkbunCheck(changed({ price: '-5', additional: undefined })), {
    premium: true,
    registration: null,
    renewal: null,
  })
  fails(() => parsePorkbunCheck(changed({ premium: true })), 'unavailable')
  fails(() => parsePorkbunCheck({ status: 'ERROR', message: 'Invalid API key.' }), 'auth_error')
  fails(
    () => parsePorkbunCheck({ status: 'ERROR', message: '1 out of 1 checks within 10 seconds used.' }),
    'rate_limited',
  )
})

test('Namecheap check: a premium name has its prices, any other has none', () => {
  const xml = fixture('namecheap-check.xml')
  assert.deepEqual(parseNamecheapCheck(xml, name), { premium: true, registration: 1250, renewal: 49.5 })
  const ordinary = { premium: false, registration: null, renewal: null }
  assert.deepEqual(parseNamecheapCheck(xml.replace('IsPremiumName="true"', 'IsPremiumName="false"'), name), ordinary)
  assert.deepEqual(parseNamecheapCheck(xml.replace('Available="true"', 'Available="false"'), name), ordinary)
  assert.deepEqual(parseNamecheapCheck(xml.replace('"1250.0000"', '"-1.0000"'), name).registration, null)
  fails(() => parseNamecheapCheck(fixture('namecheap-error.xml'), name), 'auth_error')
  fails(() => parseNamecheapCheck(xml, 'other.io' as DomainName), 'unavailable')
  for (const text of ['', 'no', '<a>', '<html/>', '<!DOCTYPE x><ApiResponse Status="OK"/>', '<a>'.repeat(10_000)])
    fails(() => parseNamecheapCheck(text, name), 'unavailable')
})

test('any other input is an upstream error', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.string(), (value, text) => {
      for (const parse of [
        () => parsePorkbunPrices(value),
        () => parsePorkbunCheck(value),
        () => parseNamecheapCheck(text, name),
      ])
        assert.throws(parse, UpstreamError)
    }),
  )
})
