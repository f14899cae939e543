import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { CATEGORY_OF, categoryOf } from './category.ts'
import { emptyParts, parseLabel } from './label.ts'
import { createPronouncer, learnSpelling } from './pronounce.ts'
import { createSegmenter } from './segmentation.ts'
import { bundledWords } from './sources/bundled.ts'

const words = bundledWords()
const segment = createSegmenter(words)
const pronounce = createPronouncer(learnSpelling(words))
const parts = emptyParts()

/** `greenleaf` → `green leaf`; letters that form no word end with a question mark. */
function cut(label: string): string {
  parseLabel(label, parts)
  const { count, starts, ends, places } = segment(parts.letters, parts.letterCount)
  const text = String.fromCharCode(...parts.letters.subarray(0, parts.letterCount).map((letter) => letter + 97))
  return Array.from({ length: count }, (_, at) => text.slice(starts[at], ends[at]) + (places[at]! < 0 ? '?' : '')).join(
    ' ',
  )
}

function ease(label: string): number {
  parseLabel(label, parts)
  return pronounce(parts.letters, parts.letterCount).mean
}

test('every word of the list is found at its own place, and other texts are not found', () => {
  const misplaced = words.text.filter((word, place) => words.place(word) !== place)
  assert.deepEqual(misplaced, [])
  assert.equal(new Set(words.text).size, words.text.length)
  for (const stranger of ['', 'qzxv', 'greenleaf', 'a'.repeat(40), 'é'])
    assert.equal(words.place(stranger), -1, stranger)
})

test('more frequent words cost less, and dictionary words are marked', () => {
  assert.ok(words.cost[words.place('the')]! < words.cost[words.place('insurance')]!)
  assert.ok(words.cost[words.place('insurance')]! < words.cost[words.place('gardenia')]!)
  assert.equal(words.inDictionary[words.place('house')], 1)
  assert.equal(words.inDictionary[words.place('london')], 0)
})

test('every word of the category taxonomy is in the word list', () => {
  const unknown = [...CATEGORY_OF.keys()].filter((word) => words.place(word) < 0)
  assert.deepEqual(unknown, [])
})

suite('a name is split into its words', () => {
  const cuts = {
    greenleaf: 'green leaf',
    carinsurance: 'car insurance',
    fintechhub: 'fintech hub',
    expertsexchange: 'experts exchange',
    'green-leaf': 'green leaf',
    gre3enleaf: 'green leaf',
    questforcoolstuff: 'quest for cool stuff',
    xqzcar: 'xqz? car',
    fdjksalfjdkl: 'fdjksalfjdkl?',
    'xn--caf-dma': 'cafe',
    888: '',
    ['q'.repeat(63)]: `${'q'.repeat(63)}?`,
  }
  for (const [label, expected] of Object.entries(cuts)) test(label, () => assert.equal(cut(label), expected))
})

test('pronounceable names score higher than unpronounceable letters', () => {
  for (const easy of ['lumora', 'velino', 'carter', 'brightpath']) {
    for (const hard of ['xkqzvj', 'crnvrt', 'fdjksl']) assert.ok(ease(easy) > ease(hard) + 1, `${easy} against ${hard}`)
  }
})

test('the category is that of the last word that has one', () => {
  assert.equal(categoryOf(['car', 'insurance']), 'insurance')
  assert.equal(categoryOf(['insurance', 'car']), 'automotive')
  assert.equal(categoryOf(['purple', 'cloud', 'thing']), 'technology')
  assert.equal(categoryOf(['purple']), null)
  assert.equal(categoryOf([]), null)
})
