import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { comparablesOf, likenessOf } from './comparables.ts'
import type { Likeness, Sale } from './sales-book.ts'

/** `pet food.com #pets`: words, TLD, trade. */
function likeness(text: string): Likeness {
  const [name = '', trade] = text.split(' #')
  const [words = '', ...tld] = name.split('.')
  return { label: words.replaceAll(' ', ''), tld: tld.join('.'), words: words.split(' '), category: trade ?? null }
}

function sale(text: string, date = '2024-05-06', price = 1000): Sale {
  const { label, tld, ...rest } = likeness(text)
  return { ...rest, label, tld, domain: `${label}.${tld}`, price, date, source: 'Example Auctions' }
}

const shown = (name: string, sales: readonly Sale[]) => comparablesOf(likeness(name), sales).map(({ domain }) => domain)

suite('comparables', () => {
  const closer: [string, string, string, string][] = [
    ['the same word', 'pet food.com', 'pet shop.com', 'red shop.com'],
    ['the longer shared word', 'cheap insurance.com', 'my insurance.com', 'cheap computers.com'],
    ['one or many of the same', 'home loan.com', 'home loans.com', 'home store.com'],
    ['both words, turned around', 'pet food.com', 'food pet.com', 'pet shop.com'],
    ['the same label elsewhere', 'pet food.com', 'pet food.net', 'pet foods.com'],
    ['the trade, without a shared word', 'cat toys.com #pets', 'dog beds.com #pets', 'red beds.com'],
    ['the TLD', 'brightly.io', 'lovingly.io', 'lovingly.com'],
    ['the length', 'bright.com', 'loving.com', 'lovinglyloving.com'],
    ['the number of words', 'bluesky.com', 'redwood.com', 'red sky.com'],
  ]
  for (const [what, name, near, far] of closer)
    test(`rank higher by ${what}`, () => {
      const [a, b] = [likenessOf(likeness(name), likeness(near)), likenessOf(likeness(name), likeness(far))]
      assert.ok(a > b, `${near} ${a}, ${far} ${b}`)
    })

  test("begin with the name's own past sale", () => {
    const sales = [sale('pet foods.com'), sale('pet food.net', '2026-01-01'), sale('pet food.com', '2009-01-01')]
    assert.deepEqual(shown('pet food.com', sales), ['petfood.com', 'petfood.net', 'petfoods.com'])
  })

  test('include only the latest sale of a domain', () => {
    const sales = [
      sale('pet food.com', '2011-01-01', 1),
      sale('pet food.com', '2021-01-01', 2),
      sale('pet food.com', '2016-01-01', 3),
    ]
    assert.deepEqual(
      comparablesOf(likeness('pet shop.com'), sales).map(({ price }) => price),
      [2],
    )
  })

  test('exclude sales that have nothing in common with the name', () =>
    assert.deepEqual(shown('pet food.com', [sale('brightly.io')]), []))

  test('of equal similarity are sorted by date, latest first', () => {
    const sales = [sale('loving.com', '2020-01-01'), sale('living.com', '2022-01-01'), sale('losing.com', '2021-01-01')]
    assert.deepEqual(shown('bright.com', sales), ['living.com', 'losing.com', 'loving.com'])
  })

  const word = fc.constantFrom('pet', 'pets', 'food', 'shop', 'loan', 'insurance', 'x')
  const name = fc.record({
    words: fc.array(word, { minLength: 1, maxLength: 3 }),
    tld: fc.constantFrom('com', 'io', 'co.uk'),
  })
  const anyLikeness = name.map((one): Likeness => ({
    ...one,
    label: one.words.join(''),
    category: one.words.includes('loan') ? 'finance' : null,
  }))
  const anySale = fc
    .tuple(anyLikeness, fc.constantFrom('2019-01-01', '2020-01-01', '2021-01-01'))
    .map(([one, date]): Sale => ({ ...one, domain: `${one.label}.${one.tld}`, price: 1, date, source: 'x' }))

  test('similarity is between 0 and 1, symmetric, and 1 only for the name itself', () => {
    fc.assert(
      fc.property(anyLikeness, anyLikeness, (a, b) => {
        const likeness = likenessOf(a, b)
        assert.ok(likeness >= 0 && likeness <= 1)
        assert.ok(Math.abs(likeness - likenessOf(b, a)) < 1e-9)
        assert.equal(likeness === 1, a.label === b.label && a.tld === b.tld)
      }),
    )
  })

  test('are the latest sales of at most five domains, in an order that does not depend on the input order', () => {
    fc.assert(
      fc.property(anyLikeness, fc.array(anySale, { maxLength: 20 }), (name, sales) => {
        const found = comparablesOf(name, sales)
        assert.ok(found.length <= 5)
        assert.equal(new Set(found.map(({ domain }) => domain)).size, found.length)
        for (const { domain, date } of found)
          assert.ok(sales.every((sale) => sale.domain !== domain || sale.date <= date))
        const domains = (all: readonly Sale[]) => all.map(({ domain }) => domain)
        assert.deepEqual(domains(comparablesOf(name, sales.toReversed())), domains(found))
      }),
    )
  })
})
