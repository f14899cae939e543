import assert from 'node:assert/strict'
import { test } from 'node:test'
import { calibratedEnd, calibratedMid } from '../../src/valuation/estimate.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { bandShifts, type UnseenEstimate } from './levels.ts'
import type { Sale } from './sales.ts'

/** Sales that the trees underestimate, expensive names more than cheap ones. */
function invent(count: number): UnseenEstimate[] {
  const random = seededRandom(3)
  return Array.from({ length: count }, () => {
    const mid = 6 + 6 * random.fraction()
    const logPrice = mid + 2 * random.fraction() - 1 + (mid > 11.8 ? 1 : 0)
    const lost = mid - 6
    return { sale: { logPrice } as Sale, low: mid - 0.6 - 0.3 * lost, mid, high: mid + 0.6 - 0.05 * lost, believed: 1 }
  })
}

test('the band covers expensive names as often as cheap ones, and the mid estimate of the most expensive is raised', () => {
  const shifts = bandShifts(invent(20_000))
  const others = invent(20_000)
  for (const [from, to] of [
    [6, 7.5],
    [7.5, 9],
    [9, 10.5],
    [10.5, 11.7],
  ] as const) {
    const level = others.filter(({ mid }) => mid >= from && mid < to)
    const below = level.filter(({ sale, mid, low }) => sale.logPrice < calibratedEnd('low', shifts, mid, low))
    const above = level.filter(({ sale, mid, high }) => sale.logPrice > calibratedEnd('high', shifts, mid, high))
    for (const share of [below.length / level.length, above.length / level.length])
      assert.ok(share > 0.1 && share < 0.3, `${from} to ${to}: ${share}`)
    assert.equal(calibratedMid(shifts, from), from)
  }
  assert.ok(calibratedMid(shifts, 11.95) > 12.5)
})

test('calibration keeps the order of two names', () => {
  const shifts = bandShifts(invent(5_000))
  for (let mid = 5; mid < 13; mid += 0.01) {
    for (const which of ['low', 'high'] as const) {
      const [here, next] = [mid, mid + 0.01].map((said) => calibratedEnd(which, shifts, said, said))
      assert.ok(here! <= next!, `${which} at ${mid}`)
    }
    assert.ok(calibratedMid(shifts, mid) <= calibratedMid(shifts, mid + 0.01))
  }
})
