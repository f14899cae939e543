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
 * As the name is cut into words, hyphens and digits aside, every letter is part of a known one of two letters or more, and none is said twice in a
 * row: another name, then, that may be worth more.
 */
function isMadeOfWords(label: string): boolean {
  const { segments } = appraise({ label: label.replaceAll(/[^a-z]/g, ''), tld: 'com' })
  return segments.every((word, at) => word.length > 1 && words.place(word) >= 0 && word !== segments[at - 1])
}

/** Beside hyphens and digits a word makes a label clearer, so letters that bring one may be worth more: `b2b` + `news`. */
function bringsWord(label: string, longer: string): boolean {
  if (/^[a-z]*$/.test(label)) return false
  const before = { ...reader.look(label).evidence() }
  const after = reader.look(longer).evidence()
  return after.strongestWithin > before.strongestWithin || after.within > before.within
}

/** Doubled, the name is cut where it was put together, or it is letters still (`ma` doubled is `mama`, a word). */
function isSaidAgain(label: string): boolean {
  if (label.length > 31) return false
  const { segments } = appraise({ label: label + label, tld: 'com' })
  const half = segments.slice(0, segments.length / 2).join('')
  return !isMadeOfWords(label + label) || half + half === segments.join('')
}

/** Fails when `after` is worth more than `before` in any of the three numbers. */
function assertNoDearer(before: string, after: string, tld: string): void {
  const [one, other] = [appraise({ label: before, tld }), appraise({ label: after, tld })]
  for (const end of ['low', 'mid', 'high'] as const) {
    assert.ok(other[end] <= one[end], `${after}.${tld} ${end} ${other[end]} is above ${before}.${tld} ${one[end]}`)
  }
}

suite('what never raises a value, over thousands of names', () => {
  test('a hyphen, wherever it is put', () => {
    const dice = createDice(1)
    for (const { label, tld } of manyNames(4000, 21)) {
      if (label.length < 2) continue
      const at = 1 + Math.floor(dice() * (label.length - 1))
      assertNoDearer(label, `${label.slice(0, at)}-${label.slice(at)}`, tld)
    }
  })

  test('a digit, wherever it is put', () => {
    const dice = createDice(2)
    for (const { label, tld } of manyNames(4000, 22)) {
      const at = Math.floor(dice() * (label.length + 1))
      assertNoDearer(label, `${label.slice(0, at)}${Math.floor(dice() * 10)}${label.slice(at)}`, tld)
    }
  })

  test('one to six letters before or behind it, unless they make it words all through', () => {
    const dice = createDice(3)
    let asked = 0
    for (const { label, tld } of manyNames(6000, 23)) {
      const letters = randomLetters(1 + Math.floor(dice() * 6), dice)
      for (const longer of [label + letters, letters + label]) {
        if (isMadeOfWords(longer) || bringsWord(label, longer)) continue
        assertNoDearer(label, longer, tld)
        asked++
      }
    }
    assert.ok(asked > 10_000, `only ${asked} were asked`)
  })

  test('any part of a name that is not made of words is worth as much', () => {
    const dice = createDice(5)
    let asked = 0
    for (const { label, tld } of manyNames(2400, 26)) {
      if (!/^[a-z]{2,14}$/.test(label) || isMadeOfWords(label)) continue
      for (let from = 0; from < label.length; from++) {
        const to = from + 1 + Math.floor(dice() * (label.length - from))
        if (to - from === label.length) continue
        assertNoDearer(label.slice(from, to), label, tld)
        asked++
      }
    }
    assert.ok(asked > 1500, `only ${asked} were asked`)
  })

  test('its last letter once more, and the whole name once more', () => {
    for (const { label, tld } of manyNames(3000, 27)) {
      const last = label.at(-1)!
      if (!isMadeOfWords(label + last)) assertNoDearer(label, label + last, tld)
      if (isSaidAgain(label)) assertNoDearer(label, label + label, tld)
    }
    for (const letter of 'aeknqsxz') {
      for (let count = 1; count < 12; count++) {
        const longer = letter.repeat(count + 1)
        if (!isMadeOfWords(longer)) assertNoDearer(letter.repeat(count), longer, 'com')
      }
    }
  })

  test('a word next to letters that form no word', () => {
    const dice = createDice(6)
    for (let time = 0; time < 2000; time++) {
      const letters = randomLetters(2 + Math.floor(dice() * 6), dice)
      const word = words.text[Math.floor(words.text.length ** dice())]!
      const tld = TLDS[time % TLDS.length]!
      for (const longer of [letters + word, word + letters])
        if (!isMadeOfWords(longer)) assertNoDearer(letters, longer, tld)
    }
  })

  test('a third word', () => {
    const dice = createDice(7)
    const word = () => words.text[Math.floor(words.text.length ** dice())]!
    let asked = 0
    for (let time = 0; time < 2000; time++) {
      const pair = word() + word()
      const longer = pair + word()
      const { segments } = appraise({ label: longer, tld: 'com' })
      if (segments.length < 3 || segments.slice(0, -1).join('') !== pair) continue
      assertNoDearer(pair, longer, TLDS[time % TLDS.length]!)
      asked++
    }
    assert.ok(asked > 1000, `only ${asked} were asked`)
  })

  test('letters put to a number', () => {
    const dice = createDice(8)
    for (const digits of ['7', '88', '123', '8888', '40404', '1234567']) {
      for (const letters of ['a', 'x', 'go', 'shop', 'insurance', 'greenleaf', randomLetters(5, dice)]) {
        for (const tld of ['com', 'de', 'io']) assertNoDearer(digits, digits + letters, tld)
      }
    }
  })
})

test('an estimate is three whole dollar amounts in order, with shares from 0 to 1', () => {
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

test('nine of ten names made of random letters are worth no more than two registrations', () => {
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

suite('plainly good names are not crushed', () => {
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
    test(`${domain} is worth ${least} dollars at least`, () => {
      const dot = domain.indexOf('.')
      const { mid, liquidity } = appraise({ label: domain.slice(0, dot), tld: domain.slice(dot + 1) })
      assert.ok(mid >= least, `${mid}`)
      assert.ok(liquidity > 0.5)
    })
  }
})

test('what a reseller pays is not above the estimate, and what an end user pays is not below', () => {
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

suite('factors and key factors are what a reader can check', () => {
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
