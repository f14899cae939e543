import assert from 'node:assert/strict'
import { test } from 'node:test'
import { loadCatalogue } from '../../src/tlds/catalogue.ts'
import { createDescriber } from '../../src/valuation/describe.ts'
import { bundledWords } from '../../src/valuation/sources/bundled.ts'
import { starterSales } from '../../src/valuation/sources/starter.ts'

const { suffixes } = loadCatalogue()
const sales = starterSales(createDescriber(bundledWords()))

test('the starter set has a few dozen valid sales with price, date and source', () => {
  assert.ok(sales.length >= 30 && sales.length <= 60)
  assert.equal(new Set(sales.map(({ domain }) => domain)).size, sales.length)
  for (const { domain, label, tld, price, date, source } of sales) {
    assert.equal(domain, `${label}.${tld}`)
    assert.ok(suffixes.has(tld), domain)
    assert.ok(Number.isInteger(price) && price > 0, domain)
    assert.equal(new Date(`${date}T00:00:00Z`).toISOString().slice(0, 10), date)
    assert.ok(date < '2026-11-15' && source.length > 2, domain)
  }
})
