import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  renewedExpiry,
  formatExpiry,
  GRACE_SECONDS,
  isRegistrable,
  toIsoTime,
  type RegistrationPhase,
  phaseAt,
} from './expiry.ts'

const EXPIRY = 1_800_000_000

const rows: [what: string, expires: bigint, now: number, phase: RegistrationPhase, available: boolean][] = [
  ['a name that was never registered', 0n, EXPIRY, 'unregistered', true],
  ['a second before expiry', BigInt(EXPIRY), EXPIRY - 1, 'active', false],
  ['at expiry', BigInt(EXPIRY), EXPIRY, 'in_grace', false],
  ['the last second of grace', BigInt(EXPIRY), EXPIRY + GRACE_SECONDS, 'in_grace', false],
  ['a second later', BigInt(EXPIRY), EXPIRY + GRACE_SECONDS + 1, 'past_grace', true],
]
for (const [what, expires, now, phase, available] of rows) {
  test(`${what} is ${phase}`, () => {
    assert.equal(phaseAt(expires, now), phase)
    assert.equal(isRegistrable(phase), available)
    const fields = formatExpiry(expires, now)
    assert.equal(fields === undefined, phase === 'unregistered')
    if (fields === undefined) return
    assert.equal(fields.is_expired, phase !== 'active')
    assert.equal(fields.in_grace_period, phase === 'in_grace')
  })
}

test('dates are ISO 8601, and the grace period is 90 days', () => {
  assert.deepEqual(formatExpiry(BigInt(EXPIRY), EXPIRY - 1), {
    expires_at: '2027-01-15T08:00:00.000Z',
    expires_at_unix: EXPIRY,
    grace_period_ends: '2027-04-15T08:00:00.000Z',
    is_expired: false,
    in_grace_period: false,
  })
})

test('a renewal extends the old expiry', () =>
  assert.equal(toIsoTime(renewedExpiry(BigInt(EXPIRY), 31_536_000)), '2028-01-15T08:00:00.000Z'))

test('an expiry after the year 9999 is capped', () => {
  for (const expires of [253_402_300_800n, 2n ** 64n - 1n, 2n ** 255n])
    assert.equal(toIsoTime(expires), '9999-12-31T23:59:59.000Z')
})
