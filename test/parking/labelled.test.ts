import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { scoreParking } from '../../scripts/score/parking.ts'
import { firstPages, isHeldOut, labelledPages } from './labelled.ts'

const pages = labelledPages()

suite('parking detection on the labelled pages', () => {
  test('the labelled set is large and has no duplicate pages', () => {
    const parked = pages.filter((page) => page.parked)
    assert.ok(parked.length >= 180, `${parked.length} parked`)
    assert.ok(pages.length - parked.length >= 160, `${pages.length - parked.length} ordinary`)
    const seen = new Set(pages.map(({ evidence }) => JSON.stringify([evidence.host, evidence.capture])))
    assert.equal(seen.size, pages.length)
  })
  const sets: [string, typeof pages][] = [
    ['the half the weights may be set on', pages.filter(({ family }) => !isHeldOut(family))],
    ['the half that was held out', pages.filter(({ family }) => isHeldOut(family))],
    ['the first set, before further languages and frames', firstPages()],
    ['all of them', pages],
  ]
  for (const [name, set] of sets)
    test(`${name}: precision 0.99, recall 0.95, and calibrated confidence`, () => {
      const score = scoreParking(set)
      assert.ok(score.cases > 80, `${score.cases} pages`)
      assert.ok(score.precision >= 0.99, JSON.stringify(score.mistakes))
      assert.ok(score.recall >= 0.95, JSON.stringify(score.mistakes))
      assert.ok(score.calibrationError <= 0.12, `calibration error ${score.calibrationError}`)
    })
})
