import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { calibrationBins, calibrationError, medianFactor, rankScore } from './metrics.ts'
import { readSales, yearOf } from './sales.ts'
import { recallNames, rememberNames } from './seen-names.ts'
import { foldOf, HELD_OUT, isHeldOut } from './split.ts'

/** The definition: compares all pairs. */
function slowRankScore(estimates: Float64Array, prices: Float64Array): number {
  let right = 0
  let pairs = 0
  for (let one = 0; one < prices.length; one++) {
    for (let other = 0; other < prices.length; other++) {
      if (prices[one]! >= prices[other]!) continue
      pairs++
      right += estimates[one]! < estimates[other]! ? 1 : estimates[one] === estimates[other] ? 0.5 : 0
    }
  }
  return pairs === 0 ? 0.5 : right / pairs
}

test('the rank score equals the count over all pairs', () => {
  const pairs = fc.array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 9 })), { maxLength: 40 })
  fc.assert(
    fc.property(pairs, (rows) => {
      const estimates = Float64Array.from(rows, ([estimate]) => estimate)
      const prices = Float64Array.from(rows, ([, price]) => price)
      assert.ok(Math.abs(rankScore(estimates, prices) - slowRankScore(estimates, prices)) < 1e-9)
    }),
  )
})

test('the median factor and the calibration error match their definitions', () => {
  const logs = Float64Array.of(0, 0, 0)
  assert.equal(medianFactor(logs, Float64Array.of(Math.log(2), Math.log(0.25), Math.log(8))), Math.exp(Math.log(4)))
  const bins = calibrationBins(Float64Array.of(0.25, 0.25, 0.85, 1), Uint8Array.of(1, 0, 1, 1))
  assert.deepEqual(
    bins.map(({ count }) => count),
    [0, 0, 2, 0, 0, 0, 0, 0, 1, 1],
  )
  assert.ok(Math.abs(calibrationError(bins) - (2 * 0.25 + 0.15 + 0) / 4) < 1e-9)
})

test('a CSV of sales may have quotes and lack optional columns, and invalid rows are counted', () => {
  const { sales, rejected } = readSales(
    'price_usd,domain,venue\r\n1200,Example.co.uk,"Shop, Ltd"\r\n0,free.com,\r\nabc,word.com,\r\n99,nodot,\r\n\r\n50,x.com,\r\n',
  )
  assert.equal(rejected, 3)
  assert.deepEqual(sales[0]!.name, { label: 'example', tld: 'co.uk' })
  assert.deepEqual(sales[0]!.context, { market: 'other', venue: 'shop, ltd', year: null })
  assert.equal(sales[1]!.context.venue, null)
  assert.throws(() => readSales('name,price\nx.com,1'), /columns domain and price_usd/)
})

test('a date is a day, a year or a span of years', () => {
  assert.equal(yearOf('2019-07-01'), 2019.5)
  assert.equal(yearOf('2015'), 2015.5)
  assert.equal(yearOf('2023..2026'), 2025)
  assert.equal(yearOf('soon'), null)
})

test('the split by name has the right sizes', () => {
  const names = Array.from({ length: 4000 }, (_, at) => `name${at}.com`)
  const heldOut = names.filter(isHeldOut).length / names.length
  assert.ok(Math.abs(heldOut - HELD_OUT) < 0.02, `${heldOut} held out`)
  for (let fold = 0; fold < 4; fold++) {
    const share = names.filter((name) => foldOf(name, 4) === fold).length / names.length
    assert.ok(Math.abs(share - 0.25) < 0.03)
  }
})

test('names trained on are always recognized, other names almost never', () => {
  const names = Array.from({ length: 2000 }, (_, at) => `seen${at}.com`)
  const wasSeen = recallNames(rememberNames(new Set(names)))
  assert.ok(names.every(wasSeen))
  const mistaken = Array.from({ length: 2000 }, (_, at) => `stranger${at}.com`).filter(wasSeen).length
  assert.ok(mistaken < 60, `${mistaken} of 2000 other names`)
})
