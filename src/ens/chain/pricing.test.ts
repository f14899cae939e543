import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  formatCheckPrice,
  validEthUsd,
  formatPrice,
  renewalRent,
  weiToUsd,
  withBuffer,
  yearlyUsd,
  yearsToSeconds,
} from './pricing.ts'

const ETH_3000 = 3000n * 10n ** 8n

test('a price is given in wei, ether and dollars', () => {
  const rent = { base: 1_666_666_666_666_667n, premium: 10n ** 18n }
  assert.deepEqual(formatPrice(rent, ETH_3000), {
    base_wei: '1666666666666667',
    premium_wei: '1000000000000000000',
    total_wei: '1001666666666666667',
    total_eth: '1.001666666666666667',
    usd_estimate: 3005,
  })
  assert.deepEqual(formatCheckPrice(rent.base, ETH_3000, 640), {
    wei: '1666666666666667',
    eth: '0.001666666666666667',
    usdEstimate: 5,
  })
})

test('without a rate, dollars of a rent are left out, and those of a check come from the price table', () => {
  assert.ok(!('usd_estimate' in formatPrice({ base: 1n, premium: 0n })))
  assert.equal(formatCheckPrice(1n, validEthUsd(0n), 640).usdEstimate, 640)
})

test('a missing, zero or negative feed answer is no rate', () => {
  for (const answer of [undefined, 0n, -1n, -(2n ** 255n)]) assert.equal(validEthUsd(answer), undefined)
  assert.equal(validEthUsd(ETH_3000), ETH_3000)
})

test('dollars are rounded to the cent, half up', () => {
  const ether = 10n ** 18n
  const rows: [wei: bigint, usd: number][] = [
    [0n, 0],
    [ether, 3000],
    [ether / 3000n, 1],
    [(5n * 10n ** 15n) / 3000n, 0],
    [(5n * 10n ** 15n) / 3000n + 1n, 0.01],
  ]
  for (const [wei, usd] of rows) assert.equal(weiToUsd(wei, ETH_3000), usd, String(wei))
})

test('the buffer is 10%, rounded up', () => {
  for (const [wei, buffered] of [
    [0n, 0n],
    [1n, 2n],
    [10n, 11n],
    [11n, 13n],
    [1000n, 1100n],
  ] as const)
    assert.equal(withBuffer(wei), buffered)
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 2n ** 200n }), (wei) => {
      const buffered = withBuffer(wei)
      assert.ok(buffered * 10n >= wei * 11n && (buffered - 1n) * 10n < wei * 11n)
    }),
  )
})

test('a renewal has no premium', () =>
  assert.deepEqual(renewalRent({ base: 5n, premium: 7n }), { base: 5n, premium: 0n }))

test('a year has 365 days, and the rent depends on the length of the label', () => {
  assert.equal(yearsToSeconds(1), 31_536_000)
  assert.equal(yearsToSeconds(100), 3_153_600_000)
  assert.deepEqual(['abc', 'abcd', 'abcde', 'a'.repeat(63)].map(yearlyUsd), [640, 160, 5, 5])
})
