import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { moneyToNumber, parseUsd } from '../../kernel/money.ts'
import { findFallBelow, premiumAt, premiumAttosAt, premiumCurve, premiumEndsAt, releasedAt } from './premium.ts'

const EXPIRY = 1_800_000_000
const DAY = 86_400
const RELEASE = releasedAt(EXPIRY)
const dollarsAfter = (seconds: number) => moneyToNumber(premiumAt(EXPIRY, RELEASE + seconds))

test('the premium starts at 100 million dollars after 90 days, halves daily and ends after 21 days', () => {
  const end = 100_000_000 / 2 ** 21
  assert.equal(RELEASE, EXPIRY + 90 * DAY)
  assert.equal(premiumEndsAt(EXPIRY), RELEASE + 21 * DAY)
  for (let day = 0; day <= 20; day++) {
    assert.ok(Math.abs(dollarsAfter(day * DAY) - (100_000_000 / 2 ** day - end)) < 1e-5, `day ${day}`)
  }
  for (const seconds of [-1, -90 * DAY, 21 * DAY, 22 * DAY, 1e9])
    assert.equal(dollarsAfter(seconds), 0, String(seconds))
})

test('between whole days it is exponential, in steps of 1/65536 day', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 21 * DAY - 1 }), (elapsed) => {
      const steps = Math.floor((elapsed / DAY) * 65_536)
      const exact = 100_000_000 * 0.5 ** (steps / 65_536) - 100_000_000 / 2 ** 21
      const counted = dollarsAfter(elapsed)
      assert.ok(Math.abs(counted - exact) <= 1e-9 * 100_000_000 * 0.5 ** (elapsed / DAY) + 1e-5, `${counted} ${exact}`)
    }),
    { numRuns: 500 },
  )
})

test('it uses the factors of the oracle on the chain and matches it exactly', () => {
  // One step, two steps and half a day: the oracle's constants 1, 2 and 16 on a hundred million dollars.
  const start = 10n ** 26n
  const end = start >> 21n
  assert.equal(premiumAttosAt(EXPIRY, RELEASE), start - end)
  assert.equal(premiumAttosAt(EXPIRY, RELEASE + 2), (start * 999_989_423_469_314_432n) / 10n ** 18n - end)
  assert.equal(premiumAttosAt(EXPIRY, RELEASE + 3), (start * 999_978_847_050_491_904n) / 10n ** 18n - end)
  assert.equal(premiumAttosAt(EXPIRY, RELEASE + DAY / 2), (start * 707_106_781_186_547_584n) / 10n ** 18n - end)
})

test('it never rises', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 21 * DAY }), (elapsed) => {
      assert.ok(premiumAttosAt(EXPIRY, RELEASE + elapsed) >= premiumAttosAt(EXPIRY, RELEASE + elapsed + 1))
    }),
    { numRuns: 500 },
  )
})

test('findFallBelow is the first second at which the premium is below the limit', () => {
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 99_999_900 }), (dollars) => {
      const limit = parseUsd(String(dollars))
      const at = findFallBelow(EXPIRY, limit, EXPIRY)
      assert.ok(at !== null)
      assert.ok(premiumAttosAt(EXPIRY, at) < limit * 10n ** 12n)
      assert.ok(premiumAttosAt(EXPIRY, at - 1) >= limit * 10n ** 12n)
      assert.equal(findFallBelow(EXPIRY, limit, at - 1), at)
      assert.equal(findFallBelow(EXPIRY, limit, at), null, 'it is below already')
    }),
    { numRuns: 200 },
  )
})

test('findFallBelow is null if the premium starts below the limit or the limit is zero', () => {
  assert.equal(findFallBelow(EXPIRY, parseUsd('100000000'), EXPIRY), null)
  assert.equal(findFallBelow(EXPIRY, parseUsd('0'), EXPIRY), null)
  assert.equal(findFallBelow(EXPIRY, parseUsd('0.000001'), RELEASE), premiumEndsAt(EXPIRY))
})

test('the curve has one point per day, plus the current value while the premium is running', () => {
  const before = premiumCurve(EXPIRY, EXPIRY)
  assert.equal(before.length, 22)
  assert.deepEqual([before[0]?.at, before.at(-1)?.at, before.at(-1)?.usd], [RELEASE, premiumEndsAt(EXPIRY), 0n])
  const now = RELEASE + 3 * DAY + 5
  const during = premiumCurve(EXPIRY, now)
  assert.equal(during.length, 23)
  assert.deepEqual(during[4], { at: now, usd: premiumAt(EXPIRY, now) })
  assert.equal(premiumCurve(EXPIRY, RELEASE + 3 * DAY).length, 22, 'now is a day of the curve')
  assert.equal(premiumCurve(EXPIRY, premiumEndsAt(EXPIRY) + 1).length, 22)
})
