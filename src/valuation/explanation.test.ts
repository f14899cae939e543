import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { Appraisal } from './appraiser.ts'
import { FACTORS } from './contract.ts'
import { explain } from './explanation.ts'
import type { Sale } from './sales-book.ts'

type Facts = Parameters<typeof explain>[0]

const sale: Sale = {
  domain: 'petfoods.com',
  label: 'petfoods',
  tld: 'com',
  price: 4200,
  date: '2021-03-04',
  source: 'Example Auctions',
  words: ['pet', 'foods'],
  category: 'pets',
}
const appraisal: Appraisal = {
  low: 900,
  mid: 2400,
  high: 7100,
  confidence: 0.34,
  liquidity: 0.9,
  factors: ['dot_com', 'exact_match'],
  keyFactors: {
    length: 7,
    tld: 'com',
    is_dictionary_word: false,
    has_hyphens: false,
    has_numbers: false,
    category: 'pets',
  },
  segments: ['pet', 'food'],
}
const facts: Facts = {
  domain: 'petfood.com',
  appraisal,
  markets: { wholesale: 480, retail: 3100 },
  comparables: [sale],
}

const amount = fc.integer({ min: 1, max: 90_000_000 })
const anyFacts = fc
  .record({
    band: fc.tuple(amount, amount, amount, amount, amount).map((all) => all.toSorted((a, b) => a - b)),
    confidence: fc.integer({ min: 0, max: 100 }).map((share) => share / 100),
    factors: fc.subarray([...FACTORS]),
    comparables: fc.array(fc.record({ price: amount, isOwn: fc.boolean() }), { maxLength: 3 }),
    isCheap: fc.boolean(),
  })
  .map(({ band, confidence, factors, comparables, isCheap }): Facts => {
    const [low, wholesale, mid, retail, high] = (
      isCheap ? band.map((one) => one % 60).toSorted((a, b) => a - b) : band
    ) as [number, number, number, number, number]
    return {
      domain: 'petfood.com',
      appraisal: { ...appraisal, low, mid, high, confidence, factors },
      markets: { wholesale, retail },
      comparables: comparables.map(({ price, isOwn }) => ({ ...sale, price, ...(isOwn && { domain: 'petfood.com' }) })),
    }
  })

const figuresIn = (text: string) =>
  [...text.matchAll(/\$([\d,]+)/g)].map(([, digits]) => Number(digits!.replaceAll(',', '')))

suite('the explanation', () => {
  test('states the price, the markets, the reasons, the most similar sale and the confidence', () => {
    assert.equal(
      explain(facts),
      'petfood.com would bring about $2,400, most likely between $900 and $7,100. ' +
        'A reseller at an auction would pay about $480, somebody who needs this very name about $3,100. ' +
        'What speaks for it: it is a .com and its two words say what they mean. ' +
        'The most similar sale we know of is petfoods.com for $4,200 (Example Auctions, 2021-03-04). ' +
        'About 3 of 10 sales of such names bring between half and twice the middle figure. ' +
        'The model sees the name alone, not its visitors, links or history.',
    )
  })

  test('says if the name itself was sold', () => {
    const text = explain({ ...facts, comparables: [{ ...sale, domain: 'petfood.com' }] })
    assert.match(text, /It was sold itself for \$4,200 \(Example Auctions, 2021-03-04\)\./)
    assert.doesNotMatch(text, /most similar/)
  })

  test('contains only amounts of the response', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const { low, mid, high } = facts.appraisal
        const known = new Set([
          low,
          mid,
          high,
          facts.markets.wholesale,
          facts.markets.retail,
          facts.comparables[0]?.price,
        ])
        for (const figure of figuresIn(explain(facts))) assert.ok(known.has(figure), `$${figure}`)
      }),
    )
  })

  test('gives exactly the reasons of the factors, for or against the name', () => {
    const raising = new Set<string>(FACTORS.slice(0, 7))
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const text = explain(facts)
        const { factors } = facts.appraisal
        assert.equal(
          text.includes('What speaks for it:'),
          factors.some((factor) => raising.has(factor)),
        )
        assert.equal(
          text.includes('What it loses by:'),
          factors.some((factor) => !raising.has(factor)),
        )
        const alone = (factor: (typeof FACTORS)[number]) =>
          /(?:speaks for it|loses by): (.*?)\./.exec(
            explain({ ...facts, appraisal: { ...facts.appraisal, factors: [factor] } }),
          )![1]!
        for (const factor of FACTORS) {
          const reasons =
            (/speaks for it: (.*?)\.(?: |$)/.exec(text)?.[1] ?? '') + (/loses by: (.*?)\./.exec(text)?.[1] ?? '')
          if (factor !== 'dot_com') assert.equal(reasons.includes(alone(factor)), factors.includes(factor), factor)
        }
      }),
    )
  })

  test('states market prices only if the reseller pays less than the end user and the name is worth selling', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const told = /A reseller at an auction would pay about \$([\d,]+), .* about \$([\d,]+)\./.exec(explain(facts))
        if (!told) return
        const [wholesale, retail] = [told[1]!, told[2]!].map((digits) => Number(digits.replaceAll(',', '')))
        assert.ok(wholesale! < retail!)
        assert.ok(facts.appraisal.mid >= 50)
      }),
    )
  })

  test('states no market prices if the reseller would pay as much as the end user or more', () => {
    for (const markets of [
      { wholesale: 2400, retail: 2400 },
      { wholesale: 3100, retail: 480 },
    ])
      assert.doesNotMatch(explain({ ...facts, markets }), /reseller/)
  })

  test('says that a name is hardly worth its registration exactly if it is below 50 dollars', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        assert.equal(explain(facts).includes('hardly more than what a registration costs'), facts.appraisal.mid < 50)
      }),
    )
  })

  test('states the confidence in tenths', () => {
    fc.assert(
      fc.property(anyFacts, (facts) => {
        const text = explain(facts)
        const { confidence } = facts.appraisal
        const told = /About (\d) of 10/.exec(text)
        if (told) assert.ok(Math.abs(Number(told[1]) / 10 - confidence) <= 0.0501)
        else
          assert.ok(text.includes('would be luck') ? confidence < 0.05 : confidence >= 0.95 && /Nearly all/.test(text))
      }),
    )
  })
})
