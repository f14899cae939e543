import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { seededRandom } from '../kernel/random.ts'
import { STATUSES } from './contract.ts'
import type { Signals } from './signals.ts'
import { summaryOf } from './summary.ts'

const signals: fc.Arbitrary<Signals> = fc.record({
  exact_phrase_found: fc.boolean(),
  brand_exists: fc.boolean(),
  company_exists: fc.boolean(),
  product_exists: fc.boolean(),
  domain_registered: fc.boolean(),
  social_handles_found: fc.subarray(['github.com/quorvex', 'x.com/quorvex', 'tiktok.com/@quorvex']),
  notable_individuals: fc.subarray(['Mira Talvane', 'Osric Benholt']),
  domain_registered_unknown: fc.boolean(),
})

/** The words of each clause, and the condition under which it may appear. */
const CLAUSES: readonly (readonly [RegExp, (one: Signals) => boolean])[] = [
  [/company/, (one) => one.company_exists],
  [/product/, (one) => one.product_exists],
  [/brand/, (one) => one.brand_exists],
  [/\.com (?:is registered)|holds its \.com/, (one) => one.domain_registered],
  [/\.com is taken is unknown/, (one) => one.domain_registered_unknown === true],
  [/handle/, (one) => one.social_handles_found.length > 0],
  [/person/, (one) => one.notable_individuals.length > 0],
  [/exact words were found|words themselves/, (one) => one.exact_phrase_found],
  [/not found|None of the results/, (one) => !one.exact_phrase_found],
]

suite('the summary', () => {
  test('states the signals, and nothing else', () => {
    fc.assert(
      fc.property(
        signals,
        fc.constantFrom(...STATUSES),
        fc.nat(),
        fc.integer({ min: 1, max: 2 }),
        (one, status, seed, answered) => {
          const text = summaryOf('Quorvex', { status, signals: one, asked: 2, answered }, seededRandom(seed))
          for (const [words, isSo] of CLAUSES) assert.ok(!words.test(text) || isSo(one), text)
          assert.equal(/company/.test(text), one.company_exists, text)
          assert.equal(/product/.test(text), one.product_exists, text)
          assert.equal(/\.com (?:is registered)|holds its \.com/.test(text), one.domain_registered, text)
          assert.equal(/handle/.test(text), one.social_handles_found.length > 0, text)
          assert.equal(
            /person \(Mira|person is known by it|person \(/.test(text),
            one.notable_individuals.length > 0,
            text,
          )
          assert.equal(/search engines? answered/.test(text), answered < 2, text)
          assert.ok(text.includes('Quorvex'))
          for (const name of text.match(/\((.+?)\)/g) ?? [])
            assert.ok([...one.social_handles_found, ...one.notable_individuals].includes(name.slice(1, -1)), text)
          assert.doesNotMatch(text, /\{|undefined|false|free|available|trademark/)
        },
      ),
    )
  })

  test('varies its wording by the random source, and is otherwise deterministic', () => {
    const told = {
      status: 'high' as const,
      signals: {
        exact_phrase_found: true,
        brand_exists: true,
        company_exists: true,
        product_exists: false,
        domain_registered: true,
        social_handles_found: [],
        notable_individuals: [],
      },
      asked: 1,
      answered: 1,
    }
    const texts = Array.from({ length: 40 }, (_, seed) => summaryOf('Quorvex', told, seededRandom(seed)))
    assert.ok(new Set(texts).size > 5)
    assert.equal(summaryOf('Quorvex', told, seededRandom(3)), texts[3])
  })

  test('contains the name unchanged, even with replacement patterns in it', () => {
    const none = { company_exists: false, product_exists: false, domain_registered: false, brand_exists: false }
    const told = { exact_phrase_found: false, social_handles_found: [], notable_individuals: [], ...none }
    const text = summaryOf("$& $' {name}", { status: 'clean', signals: told, asked: 1, answered: 1 }, seededRandom(1))
    assert.ok(text.includes("$& $' {name}"), text)
  })
})
