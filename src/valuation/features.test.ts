import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import fc from 'fast-check'
import { AT, FEATURE_DIRECTIONS, FEATURE_NAMES } from './feature-names.ts'
import { createFeatures } from './features.ts'
import { createReader } from './sight.ts'
import { bundledWords } from './sources/bundled.ts'

const GOLDEN = new URL('../../test/golden/valuation-features.json', import.meta.url)
const NAMES =
  'greenleaf.com carinsurance.com insurance.com kx.com x.org vjqk.com lumora.com velino.io brightpath.co green-leaf.com greenleaf24.com 888.com 88888.net 4you.de web3.xyz fdjksalfjdkl.com xkqzvj.net gardenia.co.uk london.tv shopify.com zipply.app runners.club cooking.blog thequickbrownfox.org bestcheapinsurancequotesonline.info xn--mnchen-3ya.de xn--fiqs8s.cn a1-b2-c3.biz sellmyhouse.com.au moon.unknowntld'.split(
    ' ',
  )

const words = bundledWords()
const nothingLearned = {
  tlds: new Map(),
  words: new Float32Array(words.text.length),
  wordsSeen: new Float32Array(words.text.length),
}
const reader = createReader(words)
const features = createFeatures(words, nothingLearned)

/** The features of a name without learned effects. */
function shown(domain: string): Record<string, number> {
  const dot = domain.indexOf('.')
  const row = new Float64Array(FEATURE_NAMES.length)
  features.write(reader.look(domain.slice(0, dot)), domain.slice(dot + 1), row)
  return Object.fromEntries(FEATURE_NAMES.map((name, at) => [name, Math.round(row[at]! * 1e4) / 1e4]))
}

test('the features of a few dozen names equal those in the golden file', () => {
  const seen = Object.fromEntries(NAMES.map((name) => [name, shown(name)]))
  if (process.env['ONOMA_UPDATE_GOLDEN'] === '1') {
    const lines = Object.entries(seen).map(([name, row]) => `  ${JSON.stringify(name)}: ${JSON.stringify(row)}`)
    writeFileSync(GOLDEN, `{\n${lines.join(',\n')}\n}\n`)
  }
  assert.deepEqual(seen, JSON.parse(readFileSync(GOLDEN, 'utf8')))
})

test('a hyphen or a digit changes only its count and the length', () => {
  const moved = (before: string, after: string) => {
    const [one, other] = [shown(before), shown(after)]
    return FEATURE_NAMES.filter((name) => one[name] !== other[name])
  }
  assert.deepEqual(moved('greenleaf.com', 'green-leaf.com'), ['length', 'hyphens'])
  assert.deepEqual(moved('greenleaf.com', 'gr7eenleaf.com'), ['length', 'digits'])
  assert.deepEqual(moved('1234.com', '12345.com'), ['length', 'digits'])
})

test('letters added before or after a name move the letter features only in the direction that lowers the value', () => {
  const letter = fc.constantFrom(...'abcdefghijklmnopqrstuvwxyz'.split(''))
  const letters = (minLength: number, maxLength: number) => fc.string({ unit: letter, minLength, maxLength })
  const lettersOf = (label: string) => {
    const row = new Float64Array(FEATURE_NAMES.length)
    features.writeByLetters(reader.look(label), 'com', row)
    return row
  }
  fc.assert(
    fc.property(letters(1, 12), letters(0, 6), letters(0, 6), (label, before, behind) => {
      const [one, other] = [lettersOf(label), lettersOf(before + label + behind)]
      for (const [at, direction] of FEATURE_DIRECTIONS.entries()) {
        const move = other[at]! - one[at]!
        assert.ok(direction === 0 ? move === 0 : move * direction <= 1e-9, `${FEATURE_NAMES[at]} moves by ${move}`)
      }
    }),
    { numRuns: 2000 },
  )
})

test('each feature has its own index in the row', () => {
  assert.deepEqual(
    Object.values(AT),
    FEATURE_NAMES.map((_, at) => at),
  )
})
