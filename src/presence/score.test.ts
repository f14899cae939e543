import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import { parseMatch } from './match.ts'
import { parseName } from './name.ts'
import { overallOf, rarityOf, statusOf, visibilityOf } from './score.ts'

const page = (url: string, title: string, snippet = '') => ({ url, title, snippet })
const score = (name: string, pages: ReturnType<typeof page>[], rarity: number, total: number | null = null) => {
  const sought = parseName(name)!
  return visibilityOf(
    pages.flatMap((one) => parseMatch(sought, one) ?? []),
    total,
    rarity,
  ).score
}
const sentences = Array.from({ length: 10 }, (_, at) =>
  page(`https://blog${at}.example/`, `Why a green leaf turns yellow, part ${at}`),
)
const brand = [
  page('https://www.greenleaf.com/', 'Green Leaf | Home', 'A company founded in 1990'),
  page('https://en.wikipedia.org/wiki/Green_Leaf', 'Green Leaf - Wikipedia', 'An international company'),
  page('https://www.linkedin.com/company/greenleaf', 'Green Leaf | LinkedIn'),
  page('https://x.com/greenleaf', 'Green Leaf (@greenleaf) / X'),
  page('https://www.instagram.com/greenleaf/', 'Green Leaf'),
  page('https://www.crunchbase.com/organization/green-leaf', 'Green Leaf - Profile'),
  ...sentences.slice(0, 4),
]

suite('the score', () => {
  test('has the status that the contract defines', () => {
    const rows = [
      [0, 'clean'],
      [10, 'clean'],
      [11, 'low'],
      [30, 'low'],
      [31, 'medium'],
      [60, 'medium'],
      [61, 'high'],
      [100, 'high'],
    ] as const
    for (const [points, status] of rows) assert.equal(statusOf(points), status)
  })

  test('of common words is high for a brand, not for sentences that contain them', () => {
    assert.ok(score('green leaf', sentences, 0.5) <= 30)
    assert.ok(score('green leaf', brand, 0.5) > 60)
    assert.ok(score('green leaf', sentences, 1) > score('green leaf', sentences, 0.5))
  })

  test('is 0 without results, and with results that do not match', () => {
    assert.equal(score('orlavent', [], 1), 0)
    assert.equal(score('orlavent', sentences, 1, 900_000), 0)
  })

  test('counts repeated sites less, and earlier results more', () => {
    const one = Array.from({ length: 8 }, (_, at) => page(`https://x.example/${at}`, `Orlavent again ${at}`))
    const many = one.map((each, at) => ({ ...each, url: `https://x${at}.example/` }))
    assert.ok(score('orlavent', one, 1) < score('orlavent', many, 1))
    const [first, rest] = [page('https://orlavent.com/', 'Orlavent'), sentences.slice(1)]
    assert.ok(score('orlavent', [first, ...rest], 1) > score('orlavent', [...rest, first], 1))
  })

  test('is an integer from 0 to 100, and a brand page scores at least as much as an unrelated page', () => {
    const pool = fc.constantFrom(...brand, ...sentences, page('https://www.wiktionary.org/x', 'green leaf'))
    fc.assert(
      fc.property(fc.array(pool, { maxLength: 12 }), fc.double({ min: 0, max: 1, noNaN: true }), (pages, rarity) => {
        const points = score('green leaf', pages, rarity, 1e15)
        assert.ok(Number.isInteger(points) && points >= 0 && points <= 100)
        const noise = page('https://noise.example/', 'Weather')
        assert.ok(
          score('green leaf', [...pages, noise], rarity, 1e15) <=
            score('green leaf', [...pages, brand[0]!], rarity, 1e15),
        )
      }),
    )
  })

  test('of all engines is between their mean and their maximum', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 2 }), (scores) => {
        const overall = overallOf(scores)
        const mean = scores.reduce((sum, one) => sum + one, 0) / scores.length
        assert.ok(overall >= Math.floor(mean) && overall <= Math.max(...scores))
      }),
    )
    assert.deepEqual([overallOf([]), overallOf([40]), overallOf([0, 100])], [0, 40, 80])
  })
})

suite('rarity', () => {
  const commonness = (word: string) => ({ green: 0.43, leaf: 0.26, the: 1 })[word] ?? 0
  const rarity = (name: string) => rarityOf(parseName(name)!, commonness)
  test('is that of the rarest word, and slightly higher with each further word', () => {
    assert.equal(rarity('orlavent'), 1)
    assert.equal(rarity('the'), 0)
    assert.ok(rarity('green') < rarity('leaf') && rarity('leaf') < rarity('green leaf') && rarity('green leaf') < 0.6)
    assert.equal(rarity('green orlavent'), 1)
  })
  test('of two joined words equals that of the two words', () => {
    assert.equal(rarity('greenleaf'), rarity('green leaf'))
    assert.equal(rarity('greenlea'), 1)
  })
  test('of short abbreviations and numbers is reduced', () => {
    for (const name of ['abt', 'Q7', '365', '2024']) assert.equal(rarity(name), 0.6, name)
    assert.equal(rarity('堂屋'), 1)
  })
})
