import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { DomainName } from '../kernel/names.ts'
import { loadBundledRegistrars, type Registrar } from './links.ts'
import type { PriceList } from './price-list.ts'
import { createPriceTable } from './price-table.ts'

const [bundled, ...others] = loadBundledRegistrars()
const without = (registrar: Registrar) => ({ registrar, list: null })
const listOf = (day: string, prices: PriceList['prices']): PriceList => ({ asOf: Date.parse(day), prices })

test('without a list, the prices of the file hold, and its day', () => {
  const table = createPriceTable({ registrars: [bundled!, ...others].map(without) })
  assert.equal(table.asOf, bundled!.prices?.asOf)
  assert.equal(table.usual('com')?.registration, bundled!.prices?.registration.get('com'))
  assert.equal(table.usual('net'), undefined)
})

test('the cheapest first year of all registrars counts, with the renewal of the same one', () => {
  const dear = listOf('2026-11-15', new Map([['net', { registration: 12, renewal: 13 }]]))
  const cheap = listOf('2026-11-16', new Map([['net', { registration: 3, renewal: 20 }]]))
  const table = createPriceTable({
    registrars: [
      { registrar: bundled!, list: dear },
      { registrar: others[0]!, list: cheap },
    ],
  })
  assert.deepEqual(table.usual('net'), { registration: 3, renewal: 20 })
  assert.equal(table.asOf, '2026-11-15')
})

test('a premium name has the price of the registrar that was asked, and no other', () => {
  const quotes = new Map([
    ['gold.com', { premium: true, registration: 1250, renewal: 49.5 }],
    ['silver.com', { premium: true, registration: null, renewal: null }],
    ['plain.com', { premium: false, registration: null, renewal: null }],
  ])
  const table = createPriceTable({ registrars: [without(bundled!)], knownQuote: (domain) => quotes.get(domain) })
  assert.deepEqual(table.premium('gold.com' as DomainName), { registration: 1250, renewal: 49.5 })
  for (const domain of ['silver.com', 'plain.com', 'other.com'])
    assert.equal(table.premium(domain as DomainName), undefined, domain)
})
