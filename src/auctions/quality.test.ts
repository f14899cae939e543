import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { Metrics } from './auction.ts'
import { qualityScore } from './quality.ts'

const endsAt = Date.UTC(2026, 10, 20) / 1000
const scoreOf = (metrics: Metrics, bids = 0, nameScore: number | null = null) =>
  qualityScore({ metrics, bids, endsAt, nameScore })

/** All metrics at their maximum: a total weight of 106 with a name score, 86 without. */
const best: Metrics = {
  appraisal_a_value: 20_000,
  metric_a_dr: 100,
  metric_c_tf: 40,
  keyword_search_volume: 100_000,
  metric_b_score: 100,
  extensions_taken: 100,
  domain_age_years: 15,
  inbound_links: 1000,
}

suite('the quality score', () => {
  const table: [string, Metrics, number, number | null, number][] = [
    ['no metrics and no bids', {}, 0, null, 0],
    ['bids alone: at most 15', {}, 20, null, 15],
    ['more than 20 bids: no further increase', {}, 500, null, 15],
    ['one bid: bids count by their logarithm', {}, 1, null, 3],
    ['everything at its maximum', best, 20, 1, 100],
    ['everything but a name score and bids', best, 0, null, 85],
    // 0.85 × 1 × (0.6 + 0.4 × 22/60)
    ['a single high appraisal', { appraisal_b_value: 20_000 }, 0, null, 63],
    ['two appraisals: the higher counts', { appraisal_a_value: 1, appraisal_b_value: 20_000 }, 0, null, 63],
    // 0.85 × (log 201 / log 20001) × (0.6 + 0.4 × 22/60)
    ['an appraisal of 200 dollars', { appraisal_a_value: 200 }, 0, null, 34],
    // 0.85 × 0.5 × (0.6 + 0.4 × 14/60)
    ['a domain rating of 50', { metric_a_dr: 50 }, 0, null, 29],
    // trust 20 of 40, halved since citations are four times the trust: 0.85 × 0.25 × (0.6 + 0.4 × 10/60)
    ['citations without trust', { metric_c_tf: 20, metric_c_cf: 80 }, 0, null, 14],
    ['trust without citations', { metric_c_tf: 20 }, 0, null, 28],
    ['a name score alone', {}, 0, 1, 62],
    // 7.5 of 15 years, to the end of the auction: 0.85 × 0.5 × (0.6 + 0.4 × 8/60)
    ['a registration date', { registered_date: '2019-05-22' }, 0, null, 28],
    ['an age takes precedence over a date', { registered_date: '2019-05-22', domain_age_years: 0 }, 0, null, 0],
    ['backlinks: the largest count is used', { metric_a_backlinks: 3, metric_b_backlinks: 1000 }, 0, null, 54],
    ['a metric of zero', { metric_a_dr: 0 }, 0, null, 0],
  ]
  for (const [what, metrics, bids, nameScore, expected] of table) {
    test(`${what}: ${expected}`, () => assert.equal(scoreOf(metrics, bids, nameScore), expected))
  }

  test('is an integer from 0 to 100, whatever the metrics', () => {
    const number = fc.oneof(fc.nat(), fc.double({ min: 0, max: 1e12, noNaN: true }))
    const names = Object.keys(best).concat('metric_c_cf', 'appraisal_b_value')
    fc.assert(
      fc.property(fc.dictionary(fc.constantFrom(...names), number), fc.nat(), (metrics, bids) => {
        const score = scoreOf(metrics, bids)
        assert.ok(Number.isInteger(score) && score >= 0 && score <= 100)
      }),
    )
  })

  test('never falls with another bid', () => {
    fc.assert(
      fc.property(fc.nat(100), fc.nat(200), (dr, bids) =>
        assert.ok(scoreOf({ metric_a_dr: dr }, bids + 1) >= scoreOf({ metric_a_dr: dr }, bids)),
      ),
    )
  })
})
