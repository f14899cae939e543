import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { createDice } from '../../scripts/valuation/dice.ts'
import { inventJunk } from '../../scripts/valuation/junk.ts'
import { createReader } from '../../src/valuation/sight.ts'
import { bundledAppraiser, bundledWords } from '../../src/valuation/sources/bundled.ts'

const { appraise, markets } = bundledAppraiser()
const words = bundledWords()
const reader = createReader(words)
const TLDS = ['com', 'net', 'org', 'io', 'ai', 'de', 'co.uk', 'xyz', 'shop', 'nosuchtld']

/** Names of all kinds: one word, two, three, brands, short letters, numbers, mixed, junk. */
function manyNames(count: number, seed: number): { label: string; tld: string }[] {
  const dice = createDice(seed)
  const word = () => words.text[Math.floor(words.text.length ** dice())]!
  const oneOf = (letters: string) => letters[Math.floor(dice() * letters.length)]!
  const letters = (length: number) => Array.from({ length }, () => oneOf('abcdefghijklmnopqrstuvwxyz')).join('')
  const number = () => String(Math.floor(10 ** (1 + dice() * 5)))
  const brand = () => Array.from({ length: 3 }, () => oneOf('bcdfglmnprstvz') + oneOf('aeiou')).join('')
  const junk = inventJunk(words, 50, seed)
  const kinds = [
    () => word() + word(),
    word,
    () => word() + word(),
    () => `${word()}-${word()}`,
    () => word() + word() + word(),
    brand,
    () => letters(2 + Math.floor(dice() * 3)),
    number,
    () => word() + number(),
    () => letters(1) + number(),
    () => junk[Math.floor(dice() * junk.length)]!,
  ]
  return Array.from({ length: count }, (_, at) => ({
    label: kinds[at % kinds.length]!().slice(0, 50),
    tld: TLDS[Math.floor(dice() * TLDS.length)]!,
  }))
}

const randomLetters = (length: number, dice: () => number) =>
  Array.from({ length }, () => String.fromCharCode(97 + Math.floor(dice() * 26))).join('')

/**
 * Whether all letters, ignoring hyphens and digits, belong to known words of two letters or more, and no word is repeated right
 * after itself. Such a name may be worth more than a part of it.
 */
function isMadeOfWords(label: string): boolean {
  const { segments } = appraise({ label: label.replaceAll(/[^a-z]/g, ''), tld: 'com' })
  return segments.every((word, at) => word.length > 1 && words.place(word) >= 0 && word !== segments[at - 1])
}

/** In a label with hyphens or digits a new word raises the clarity, so the longer label may be worth more: `b2b` + `news`. */
function bringsWord(label: string, longer: string): boolean {
  if (/^[a-z]*$/.test(label)) return false
  const before = { ...reader.look(label).evidence() }
  const after = reader.look(longer).evidence()
  return after.strongestWithin > before.strongestWithin || after.within > before.within
}

/** Whether the doubled name is split in the middle or is not made of words; `ma` doubled is the word `mama`. */
function isPlainRepetition(label: string): boolean {
  if (label.length > 31) return false
  const { segments } = appraise({ label: label + label, tld: 'com' })
  const half = segments.slice(0, segments.length / 2).join('')
  return !isMadeOfWords(label + label) || half + half === segments.join('')
}

/** Fails if `after` is worth more than `before` in any of the three amounts. */
function assertNotHigher(before: string, after: string, tld: string): void {
  const [one, other] = [appraise({ label: before, tld }), appraise({ label: after, tld })]
  for (const end of ['low', 'mid', 'high'] as const) {
    assert.ok(other[end] <= one[end], `${after}.${tld} ${end} ${other[end]} is above ${before}.${tld} ${one[end]}`)
  }
}

suite('the value of a name never rises', () => {
  test('with a hyphen at any position', () => {
    const dice = createDice(1)
    for (const { label, tld } of manyNames(4000, 21)) {
      if (label.length < 2) continue
      const at = 1 + Math.floor(dice() * (label.length - 1))
      assertNotHigher(label, `${label.slice(0, at)}-${label.slice(at)}`, tld)
    }
  })

  test('with a digit at any position', () => {
    const dice = createDice(2)
    for (const { label, tld } of manyNames(4000, 22)) {
      const at = Math.floor(dice() * (label.length + 1))
      assertNotHigher(label, `${label.slice(0, at)}${Math.floor(dice() * 10)}${label.slice(at)}`, tld)
    }
  })

  test('with one to six letters before or after it, unless the result is made of words', () => {
    const dice = createDice(3)
    let checked = 0
    for (const { label, tld } of manyNames(6000, 23)) {
      const letters = randomLetters(1 + Math.floor(dice() * 6), dice)
      for (const longer of [label + letters, letters + label]) {
        if (isMadeOfWords(longer) || bringsWord(label, longer)) continue
        assertNotHigher(label, longer, tld)
        checked++
      }
    }
    assert.ok(checked > 10_000, `only ${checked} were checked`)
  })

  test('above that of any part of it, if it is not made of words', () => {
    const dice = createDice(5)
    let checked = 0
    for (const { label, tld } of manyNames(2400, 26)) {
      if (!/^[a-z]{2,14}$/.test(label) || isMadeOfWords(label)) continue
      for (let from = 0; from < label.length; from++) {
        const to = from + 1 + Math.floor(dice() * (label.length - from))
        if (to - from === label.length) continue
        assertNotHigher(label.slice(from, to), label, tld)
        checked++
      }
    }
    assert.ok(checked > 1500, `only ${checked} were checked`)
  })

  test('if its last letter or the whole name is repeated', () => {
    for (const { label, tld } of manyNames(3000, 27)) {
      const last = label.at(-1)!
      if (!isMadeOfWords(label + last)) assertNotHigher(label, label + last, tld)
      if (isPlainRepetition(label)) assertNotHigher(label, label + label, tld)
    }
    for (const letter of 'aeknqsxz') {
      for (let count = 1; count < 12; count++) {
        const longer = letter.repeat(count + 1)
        if (!isMadeOfWords(longer)) assertNotHigher(letter.repeat(count), longer, 'com')
      }
    }
  })

  test('with a word next to letters that form no word', () => {
    const dice = createDice(6)
    for (let time = 0; time < 2000; time++) {
      const letters = randomLetters(2 + Math.floor(dice() * 6), dice)
      const word = words.text[Math.floor(words.text.length ** dice())]!
      const tld = TLDS[time % TLDS.length]!
      for (const longer of [letters + word, word + letters])
        if (!isMadeOfWords(longer)) assertNotHigher(letters, longer, tld)
    }
  })

  test('with a third word', () => {
    const dice = createDice(7)
    const word = () => words.text[Math.floor(words.text.length ** dice())]!
    let checked = 0
    for (let time = 0; time < 2000; time++) {
      const pair = word() + word()
      const longer = pair + word()
      const { segments } = appraise({ label: longer, tld: 'com' })
      if (segments.length < 3 || segments.slice(0, -1).join('') !== pair) continue
      assertNotHigher(pair, longer, TLDS[time % TLDS.length]!)
      checked++
    }
    assert.ok(checked > 1000, `only ${checked} were checked`)
  })

  test('with letters after a number', () => {
    const dice = createDice(8)
    for (const digits of ['7', '88', '123', '8888', '40404', '1234567']) {
      for (const letters of ['a', 'x', 'go', 'shop', 'insurance', 'greenleaf', randomLetters(5, dice)]) {
        for (const tld of ['com', 'de', 'io']) assertNotHigher(digits, digits + letters, tld)
      }
    }
  })
})

test('an estimate is three ordered whole dollar amounts, with confidence and liquidity from 0 to 1', () => {
  for (const name of manyNames(3000, 24)) {
    const { low, mid, high, confidence, liquidity } = appraise(name)
    assert.ok([low, mid, high].every(Number.isInteger), name.label)
    assert.ok(low > 0 && low <= mid && mid <= high, `${name.label}: ${low} ${mid} ${high}`)
    for (const share of [confidence, liquidity]) assert.ok(share >= 0 && share <= 1)
  }
})

test('random letters and junk are worth about a registration', () => {
  const junk = 'fdjksalfjdkl xkqzvjwp qwzxkvpt asdkjhqwe blurbxqz hjkrtbvzq wqrtzxplk ngtrvbxcz'.split(' ')
  for (const label of junk) {
    for (const tld of ['com', 'net', 'de', 'io']) {
      const { mid, high, liquidity } = appraise({ label, tld })
      assert.ok(mid <= 25, `${label}.${tld} at ${mid}`)
      assert.ok(high <= 60 && liquidity < 0.2)
    }
  }
})

test('nine of ten names of random letters are worth at most 20 dollars', () => {
  const dice = createDice(4)
  const mids = Array.from({ length: 1000 }, () => {
    const letters = Array.from({ length: 7 + Math.floor(dice() * 8) }, () =>
      String.fromCharCode(97 + Math.floor(dice() * 26)),
    )
    return appraise({ label: letters.join(''), tld: 'com' }).mid
  })
  const cheap = mids.filter((mid) => mid <= 20).length
  assert.ok(cheap >= 900, `${cheap} of 1000 are cheap`)
})

suite('good names keep their value', () => {
  const good: [string, number][] = [
    ['insurance.com', 20_000],
    ['hotels.com', 20_000],
    ['kx.com', 8000],
    ['cloud.io', 3000],
    ['nova.ai', 5000],
    ['greenleaf.com', 1500],
    ['carinsurance.com', 1500],
    ['lumora.com', 800],
    ['velora.app', 800],
    ['petfood.de', 1000],
    ['blue.org', 3000],
    ['nft.xyz', 2000],
    ['casa.es', 1000],
    ['coffee.shop', 1000],
    ['brightpath.co', 800],
    ['gardening.co.uk', 1000],
  ]
  for (const [domain, least] of good) {
    test(`${domain} is worth at least ${least} dollars`, () => {
      const dot = domain.indexOf('.')
      const { mid, liquidity } = appraise({ label: domain.slice(0, dot), tld: domain.slice(dot + 1) })
      assert.ok(mid >= least, `${mid}`)
      assert.ok(liquidity > 0.5)
    })
  }
})

test('the wholesale price is at most the estimate, and the retail price at least', () => {
  for (const name of manyNames(500, 25)) {
    const { low, mid, high } = appraise(name)
    const { wholesale, retail } = markets(name, 2026)
    const inOrder = [low, wholesale, mid, retail, high]
    assert.deepEqual(
      inOrder.toSorted((a, b) => a - b),
      inOrder,
      name.label,
    )
  }
})

suite('factors and key factors follow from the name', () => {
  const cases: [string, string[], object][] = [
    [
      'insurance.com',
      ['dot_com', 'dictionary_word', 'high_search_volume', 'brandable'],
      { category: 'insurance', is_dictionary_word: true, length: 9 },
    ],
    ['kx.io', ['short_length', 'premium_tld'], { is_dictionary_word: false, category: null }],
    [
      'carinsurance.net',
      ['high_search_volume', 'premium_tld', 'exact_match'],
      { category: 'insurance', is_dictionary_word: false },
    ],
    ['lumora.com', ['short_length', 'dot_com', 'brandable'], { category: null }],
    ['purple-leaf.club', ['exact_match', 'hyphenated'], { has_hyphens: true, has_numbers: false, length: 11 }],
    ['888.com', ['short_length', 'dot_com', 'numeric'], { has_numbers: true, has_hyphens: false }],
    ['bestcheapinsurancequotes.com', ['dot_com', 'long_name'], { length: 24, category: 'insurance' }],
    ['xn--mnchen-3ya.de', ['premium_tld'], { length: 7, has_hyphens: false, has_numbers: false, tld: 'de' }],
    ['gardening.co.uk', ['dictionary_word', 'brandable', 'premium_tld'], { tld: 'co.uk', category: 'home' }],
    ['fdjksalfjdkl.net', ['premium_tld'], { category: null }],
  ]
  for (const [domain, factors, keyFactors] of cases) {
    test(domain, () => {
      const dot = domain.indexOf('.')
      const appraisal = appraise({ label: domain.slice(0, dot), tld: domain.slice(dot + 1) })
      assert.deepEqual(appraisal.factors, factors)
      assert.partialDeepStrictEqual(appraisal.keyFactors, keyFactors)
    })
  }
})
