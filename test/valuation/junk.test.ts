import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { bundledAppraiser, bundledWords } from '../../src/valuation/sources/bundled.ts'

const { appraise, markets } = bundledAppraiser()
const words = bundledWords()

const TLDS = ['com', 'net', 'org', 'io', 'ai', 'de', 'co.uk', 'xyz', 'shop', 'nosuchtld']
const ENDS = ['low', 'mid', 'high'] as const
/** About a registration's price, in dollars. */
const MAX_JUNK_USD = 30
/** Maximum share of the value that remains with each hyphen. */
const HYPHEN_FACTOR = 2 / 3
/** No cap goes below the price of a registration. */
const MAX_FLOOR_USD = 16

const LETTERS = 'abcdefghijklmnopqrstuvwxyz'.split('')
const VOWELS = 'aeiouy'.split('')
const CONSONANTS = LETTERS.filter((letter) => !VOWELS.includes(letter))
const DIGITS = '0123456789'.split('')
const text = (units: readonly string[], minLength: number, maxLength: number) =>
  fc.string({ unit: fc.constantFrom(...units), minLength, maxLength })

/** Uses a fixed seed, so that failures are reproducible. */
const holds = <Ts extends [unknown, ...unknown[]]>(property: fc.IPropertyWithHooks<Ts>, numRuns = 3000) =>
  fc.assert(property, { numRuns, seed: 13 })

const changesOf = (label: string) => label.match(/(?<=\d)[a-z]|(?<=[a-z])\d/g)?.length ?? 0
const isKnown = (word: string) => words.place(word) >= 0

/** Whether adjacent letters contain a known word of three letters or more. */
function containsWord(label: string): boolean {
  const runs = label.match(/[a-z]{3,}/g) ?? []
  return runs.some((run) =>
    Array.from(run).some((_, from) =>
      Array.from(run.slice(from + 2)).some((__, more) => isKnown(run.slice(from, from + 3 + more))),
    ),
  )
}

const highestMid = (label: string) => Math.max(...TLDS.map((tld) => appraise({ label, tld }).mid))

/** Common dictionary words of four letters or more, so that they can be split. */
const dictionaryWord = fc.nat(9999).map((place) => {
  const isWord = (at: number) => words.inDictionary[at] === 1 && words.text[at]!.length >= 4
  let at = place
  while (!isWord(at)) at++
  return words.text[at]!
})
const anyTld = fc.constantFrom(...TLDS)

suite('junk is worth about a registration', () => {
  for (const [label, tld] of [
    ['x7k9q2m4', 'com'],
    ['q1w8z3x7', 'io'],
    ['ri-ver', 'com'],
    ['insu-rance', 'com'],
    ['7h2k9d4j1', 'ai'],
  ] as const)
    test(`${label}.${tld}`, () => {
      const { mid, high, confidence } = appraise({ label, tld })
      assert.ok(mid <= MAX_JUNK_USD && high <= 2 * MAX_JUNK_USD, `${mid} to ${high}`)
      assert.ok(confidence < 0.1, `confidence ${confidence}`)
      assert.ok(markets({ label, tld }, 2026).retail <= 2 * MAX_JUNK_USD)
    })

  test('six or more random characters with three or more changes between letters and digits, under any TLD', () => {
    const mix = text([...LETTERS, ...DIGITS, ...DIGITS], 6, 16).filter(
      (label) => changesOf(label) >= 3 && !containsWord(label),
    )
    holds(
      fc.property(mix, (label) => {
        assert.ok(highestMid(label) <= MAX_JUNK_USD, `${label} at ${highestMid(label)}`)
      }),
    )
  })

  test('any name with four or more changes between letters and digits, even with words', () => {
    const run = fc.oneof(dictionaryWord, text(LETTERS, 1, 4))
    const runs = fc.array(fc.tuple(run, text(DIGITS, 1, 2)), { minLength: 3, maxLength: 4 })
    holds(
      fc.property(runs, (parts) => {
        const label = parts.flat().join('').slice(0, 40)
        assert.ok(changesOf(label) < 4 || highestMid(label) <= MAX_JUNK_USD, `${label} at ${highestMid(label)}`)
      }),
      1000,
    )
  })

  test('seven or more consonants without a vowel', () => {
    holds(
      fc.property(text(CONSONANTS, 7, 16), (label) => {
        assert.ok(highestMid(label) <= MAX_JUNK_USD, `${label} at ${highestMid(label)}`)
      }),
    )
  })

  test('at least 98% of names with one vowel among seven or more random consonants', () => {
    const labels = fc.sample(
      fc
        .tuple(text(CONSONANTS, 7, 12), fc.constantFrom(...VOWELS), fc.nat())
        .map(
          ([letters, vowel, at]) => letters.slice(0, at % letters.length) + vowel + letters.slice(at % letters.length),
        ),
      { numRuns: 2000, seed: 13 },
    )
    const dear = labels.filter((label) => highestMid(label) > MAX_JUNK_USD)
    assert.ok(dear.length <= labels.length * 0.02, dear.join(' '))
  })

  test('numbers of ten digits or more; with eight or nine at most 50 dollars', () => {
    holds(
      fc.property(text(DIGITS, 8, 16), (label) => {
        assert.ok(highestMid(label) <= (label.length < 10 ? 50 : MAX_JUNK_USD), `${label} at ${highestMid(label)}`)
      }),
      300,
    )
  })

  test('a word with a number of six digits or more: at most 50 dollars', () => {
    holds(
      fc.property(dictionaryWord, text(DIGITS, 6, 9), (word, number) => {
        const highest = Math.max(highestMid(word + number), highestMid(number + word))
        assert.ok(highest <= 50, `${word} and ${number} at ${highest}`)
      }),
      500,
    )
  })

  test('a name with four hyphens', () => {
    const parts = fc.array(dictionaryWord, { minLength: 5, maxLength: 5 }).map((all) => all.join('-').slice(0, 63))
    holds(
      fc.property(parts, (label) => {
        assert.ok(label.endsWith('-') || label.split('-').length < 5 || highestMid(label) <= MAX_JUNK_USD, label)
      }),
      300,
    )
  })
})

suite('names with meaningful digits keep their value', () => {
  const kept: [string, number][] = [
    ['888.com', 10_000],
    ['360.com', 10_000],
    ['12345.com', 1000],
    ['4u.com', 5000],
    ['5g.com', 5000],
    ['b2b.com', 2000],
    ['mp3.com', 2000],
    ['1st.com', 2000],
    ['24x7.com', 500],
    ['web3.com', 1500],
    ['24hours.com', 1500],
    ['365days.com', 500],
    ['1stchoice.com', 500],
    ['3dprinting.com', 500],
    ['b2bmarketing.com', 300],
    ['learn2trade.com', 500],
    ['top10hotels.com', 500],
    ['99designs.com', 1000],
    ['welcome2018.com', 250],
    ['4x4parts.com', 100],
  ]
  for (const [domain, least] of kept)
    test(`${domain} is worth at least ${least} dollars`, () => {
      const [label = '', tld = ''] = domain.split('.')
      const { mid } = appraise({ label, tld })
      assert.ok(mid >= least, `${mid}`)
    })
})

suite('a hyphen', () => {
  const pair = fc.tuple(dictionaryWord, dictionaryWord, anyTld)

  /** Fails if `label` is above `cap` by more than rounding in any of the three amounts. */
  function assertAtMost(label: string, tld: string, cap: Record<(typeof ENDS)[number], number>, why: string): void {
    const appraisal = appraise({ label, tld })
    for (const end of ENDS) {
      const most = Math.max(MAX_FLOOR_USD, cap[end] * 1.01 + 1)
      assert.ok(appraisal[end] <= most, `${label}.${tld} ${end} ${appraisal[end]} is above ${cap[end]}: ${why}`)
    }
  }

  test('between two words takes off at least a third of the value', () => {
    holds(
      fc.property(pair, ([one, other, tld]) => {
        const joined = appraise({ label: one + other, tld })
        const cap = {
          low: joined.low * HYPHEN_FACTOR,
          mid: joined.mid * HYPHEN_FACTOR,
          high: joined.high * HYPHEN_FACTOR,
        }
        assertAtMost(`${one}-${other}`, tld, cap, 'the same without the hyphen')
      }),
    )
  })

  test('caps a name at the value of its best part', () => {
    const part = fc.oneof(dictionaryWord, text(LETTERS, 1, 8), text([...LETTERS, ...DIGITS], 2, 8))
    holds(
      fc.property(fc.array(part, { minLength: 2, maxLength: 4 }), anyTld, (parts, tld) => {
        const values = parts.map((label) => appraise({ label, tld }))
        const best = (end: (typeof ENDS)[number]) => Math.max(...values.map((value) => value[end]))
        const cap = { low: best('low'), mid: best('mid'), high: best('high') }
        assertAtMost(parts.join('-'), tld, cap, 'its best part')
      }),
    )
  })

  test('inside a word makes it nearly worthless if no word is left on either side', () => {
    let checked = 0
    holds(
      fc.property(dictionaryWord, fc.nat(), anyTld, (word, lot, tld) => {
        const at = 1 + (lot % (word.length - 1))
        const cut = `${word.slice(0, at)}-${word.slice(at)}`
        if (containsWord(cut)) return
        const { mid } = appraise({ label: cut, tld })
        assert.ok(mid <= 10 * MAX_JUNK_USD, `${cut}.${tld} at ${mid}`)
        assert.ok(mid <= Math.max(MAX_JUNK_USD, appraise({ label: word, tld }).mid / 20), `${cut}.${tld} at ${mid}`)
        checked++
      }),
    )
    assert.ok(checked > 500, `only ${checked} were checked`)
  })

  test('prevents the factor for a dictionary word, and that for a word pair unless it stands between the words', () => {
    holds(
      fc.property(dictionaryWord, dictionaryWord, fc.nat(), (one, other, lot) => {
        for (const label of [one, one + other]) {
          const at = 1 + (lot % (label.length - 1))
          const cut = `${label.slice(0, at)}-${label.slice(at)}`
          const { factors, keyFactors, segments } = appraise({ label: cut, tld: 'com' })
          assert.equal(keyFactors.is_dictionary_word, false)
          assert.ok(!factors.includes('dictionary_word') && factors.includes('hyphenated'), `${cut}: ${factors.join()}`)
          if (factors.includes('exact_match')) assert.deepEqual(cut.split('-'), segments)
        }
      }),
    )
  })
})

suite('a dictionary word', () => {
  test('is reported in factors and key factors, and is worth at least 100 dollars', () => {
    holds(
      fc.property(dictionaryWord, (word) => {
        const { factors, keyFactors, mid } = appraise({ label: word, tld: 'com' })
        assert.equal(factors.includes('dictionary_word'), keyFactors.is_dictionary_word)
        assert.ok(keyFactors.is_dictionary_word, word)
        assert.ok(mid >= 100, `${word} at ${mid}`)
      }),
      1000,
    )
  })

  test('is not reported for a label with any other character or word', () => {
    const anyLabel = fc.oneof(
      fc.tuple(dictionaryWord, dictionaryWord).map((pair) => pair.join('')),
      fc.tuple(dictionaryWord, text(DIGITS, 1, 3)).map((pair) => pair.join('')),
      text([...LETTERS, ...DIGITS, '-'], 1, 16),
    )
    holds(
      fc.property(anyLabel, (label) => {
        const { factors, keyFactors } = appraise({ label, tld: 'com' })
        const place = /^[a-z]{2,}$/.test(label) ? words.place(label) : -1
        const isOne = place >= 0 && words.inDictionary[place] === 1
        assert.equal(keyFactors.is_dictionary_word, factors.includes('dictionary_word'), label)
        assert.equal(keyFactors.is_dictionary_word, isOne, label)
      }),
    )
  })
})

test('any label has three ordered whole amounts, with the market prices between them', () => {
  holds(
    fc.property(text([...LETTERS, ...DIGITS, '-'], 1, 63), anyTld, (label, tld) => {
      const { low, mid, high, confidence, liquidity } = appraise({ label, tld })
      const { wholesale, retail } = markets({ label, tld }, 2026)
      assert.ok(low >= 8 && low <= wholesale && wholesale <= mid && mid <= retail && retail <= high, label)
      assert.ok([low, mid, high].every(Number.isInteger), label)
      for (const share of [confidence, liquidity]) assert.ok(share >= 0 && share <= 1, label)
    }),
    1500,
  )
})
