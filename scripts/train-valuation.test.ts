import assert from 'node:assert/strict'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import type { ModelFile } from '../src/valuation/model.ts'
import { bundledWords } from '../src/valuation/sources/bundled.ts'
import { evalValuation } from './eval-valuation.ts'
import { trainValuation } from './train-valuation.ts'
import { createDice } from './valuation/dice.ts'
import type { BothMetrics } from './valuation/report.ts'

/**
 * Invented sales in an invented market: retail brings ten times an auction, .com twice another TLD, each word beyond
 * the first lowers the price by a third, a coined name brings half, and noise does the rest.
 */
function inventSales(count: number, seed: number): string {
  const { text } = bundledWords()
  const dice = createDice(seed)
  const rows = Array.from({ length: count }, () => {
    const length = 1 + Math.floor(dice() * 3)
    const isCoined = dice() < 0.25
    const part = () => (isCoined ? syllable(dice) : text[100 + Math.floor(dice() * 3000)]!)
    const label = Array.from({ length: isCoined ? length + 2 : length }, part).join('')
    const isCom = dice() < 0.6
    const isRetail = dice() < 0.5
    const noise = Math.exp((dice() + dice() + dice() - 1.5) * 0.8)
    const price = Math.ceil(
      300 * (isCom ? 2 : 1) * (isRetail ? 10 : 1) * (isCoined ? 0.5 : 1) * 0.67 ** (length - 1) * noise,
    )
    const day = `20${15 + Math.floor(dice() * 5)}-0${1 + Math.floor(dice() * 9)}-11`
    return `${label}.${isCom ? 'com' : 'net'},${price},${day},${isRetail ? 'Shop' : 'Hammer'},${isRetail ? 'retail' : 'auction'}`
  })
  return ['domain,price_usd,date,venue,context', ...rows].join('\n')
}

const syllable = (dice: () => number) => 'vzkxjwgf'[Math.floor(dice() * 8)]! + 'aeiou'[Math.floor(dice() * 5)]!

async function scratch(t: TestContext): Promise<(name: string) => string> {
  const folder = await mkdtemp(join(tmpdir(), 'onoma-valuation-'))
  t.after(() => rm(folder, { recursive: true }))
  return (name) => join(folder, name)
}

const silent = () => {}

suite('training and evaluation', () => {
  test('a model trained on invented sales meets its targets on names it was not trained on', async (t) => {
    const path = await scratch(t)
    await writeFile(path('sales.csv'), inventSales(1400, 1))
    await writeFile(path('others.csv'), inventSales(900, 2))
    assert.equal(await trainValuation([path('sales.csv'), '--out', path('model.json'), '--effort', '0.1'], silent), 0)
    const model = JSON.parse(await readFile(path('model.json'), 'utf8')) as ModelFile
    const { known, open } = model.heldOut as BothMetrics

    assert.equal(model.rows.trained + model.rows.heldOut, 1400)
    assert.match(model.date, /^2019-0\d-11$/)
    assert.ok(known.rankScore > 0.8, `known ${known.rankScore}`)
    assert.ok(open.rankScore > 0.55 && open.rankScore < known.rankScore, `alone ${open.rankScore}`)
    assert.ok(known.medianFactor < 1.7, `${known.medianFactor}`)
    for (const { calibrationError, bandCoverage } of [known, open]) {
      assert.ok(calibrationError < 0.12, `calibration error ${calibrationError}`)
      assert.ok(bandCoverage > 0.48 && bandCoverage < 0.72, `coverage ${bandCoverage}`)
    }
    assert.ok(!JSON.stringify(model).includes('.com'), 'the model must not carry rows')

    const lines: string[] = []
    const measure = (file: string, ...more: string[]) =>
      evalValuation([path(file), '--model', path('model.json'), ...more], (line) => lines.push(line))
    assert.equal(await measure('sales.csv', '--svg', path('plot.svg')), 0)
    assert.match(lines[1]!, /^1400 sales read, 0 rows invalid, 1[12]\d\d skipped/)
    assert.match(await readFile(path('plot.svg'), 'utf8'), /^<svg [\s\S]+<circle[\s\S]+<\/svg>\n$/)
    lines.length = 0
    assert.equal(await measure('others.csv'), 0)
    const skipped = Number(/(\d+) skipped/.exec(lines[1]!)?.[1])
    assert.ok(skipped < 360, `${skipped} of 900 unknown names were skipped`)
  })

  test('the same sales give the same model, to the byte', async (t) => {
    const path = await scratch(t)
    await writeFile(path('sales.csv'), inventSales(550, 3))
    for (const out of ['one.json', 'other.json']) {
      assert.equal(await trainValuation([path('sales.csv'), '--out', path(out), '--effort', '0.02'], silent), 0)
    }
    assert.equal(await readFile(path('one.json'), 'utf8'), await readFile(path('other.json'), 'utf8'))
  })

  test('a file with too few sales is rejected with the reason, and a missing argument with the usage', async (t) => {
    const path = await scratch(t)
    await writeFile(path('few.csv'), inventSales(20, 1))
    const lines: string[] = []
    assert.equal(await trainValuation([path('few.csv')], (line) => lines.push(line)), 1)
    assert.match(lines.at(-1)!, /has 20 sales; a model needs at least 500/)
    assert.equal(await trainValuation([], silent), 1)
    assert.equal(await evalValuation([], silent), 1)
  })
})
