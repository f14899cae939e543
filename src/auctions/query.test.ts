import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type AuctionsQuery, toListingQuery } from './query.ts'

const NOW = Date.UTC(2026, 10, 15) + 250
const second = Math.floor(NOW / 1000)
const question = (input: Partial<AuctionsQuery>) =>
  toListingQuery({ hot: false, limit: 50, offset: 0, ...input }, ['source_a', 'source_b'], NOW)

suite('the index query', () => {
  test('defaults to all auctions, soonest end first', () => {
    assert.deepEqual(question({}), {
      now: second,
      sources: ['source_a', 'source_b'],
      sort: 'ends',
      descending: false,
      limit: 50,
      offset: 0,
    })
  })

  const sorts: [Partial<AuctionsQuery>, string, boolean][] = [
    [{ sort: 'ending_soon' }, 'ends', false],
    [{ sort: 'most_bids' }, 'bids', true],
    [{ sort: 'price_asc' }, 'price', false],
    [{ sort: 'price_desc' }, 'price', true],
    [{ sort: 'quality' }, 'quality', true],
    [{ sort: 'newest' }, 'newest', true],
    [{ sort: 'price' }, 'price', false],
    [{ sort: 'price', order: 'desc' }, 'price', true],
    [{ sort: 'end_time' }, 'ends', false],
    [{ sort: 'bids' }, 'bids', true],
    [{ sort: 'bids', order: 'asc' }, 'bids', false],
    [{ sort: 'quality_score' }, 'quality', true],
    // `order` does not apply: the name of the sort includes the direction.
    [{ sort: 'price_asc', order: 'desc' }, 'price', false],
    [{ order: 'desc' }, 'ends', false],
  ]
  for (const [input, key, descending] of sorts) {
    test(`is sorted by ${key} for ${JSON.stringify(input)}`, () => {
      const { sort, descending: down } = question(input)
      assert.deepEqual([sort, down], [key, descending])
    })
  }

  test('uses the defaults of hot, unless parameters are explicit', () => {
    const { minQuality, minBids, sort } = question({ hot: true })
    assert.deepEqual([minQuality, minBids, sort], [60, 1, 'quality'])
    const own = question({ hot: true, quality_min: 0, min_bids: 3, sort: 'newest' })
    assert.deepEqual([own.minQuality, own.minBids, own.sort], [0, 3, 'newest'])
  })

  test('rounds prices to cents so that nothing outside the range matches', () => {
    const { minPrice, maxPrice } = question({ min_price: 9.991, max_price: 9.999 })
    assert.deepEqual([minPrice, maxPrice], [1000, 999])
    for (const price of [0.07, 0.29, 1.1, 69.99, 4.35]) {
      const exact = question({ min_price: price, max_price: price })
      assert.deepEqual([exact.minPrice, exact.maxPrice], [Math.round(price * 100), Math.round(price * 100)])
    }
  })

  const texts: [string, string | undefined][] = [
    ['Cloud', 'cloud'],
    ['c', 'c'],
    [' cloud.CO ', 'cloud.co'],
    ['%_"', '%_"'],
    // The Kelvin sign is not ASCII, although its lower case is.
    ['\u212a', '\u212a'],
    ['', undefined],
    ['  ', undefined],
  ]
  for (const [text, contains] of texts) {
    test(`contains for q=${JSON.stringify(text)} ${JSON.stringify(contains)}`, () => {
      assert.equal(question({ q: text }).contains, contains)
      assert.equal(question({ keyword: text }).contains, contains)
    })
  }

  test('prefers q to keyword, keeps only configured sources, removes the dot of a TLD and computes the end', () => {
    assert.deepEqual(question({ q: 'one', keyword: 'two' }).contains, 'one')
    assert.deepEqual(question({ source: 'source_b' }).sources, ['source_b'])
    assert.deepEqual(question({ source: 'source_c' }).sources, [])
    assert.equal(question({ tld: '.COM' }).tld, 'com')
    assert.equal(question({ ending_within: '3d' }).endsBy, second + 3 * 86_400)
  })
})
