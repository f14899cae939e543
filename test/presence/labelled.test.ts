import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { before, suite, test } from 'node:test'
import { metasearchBody, tokenSearchBody } from '../../sandbox/engine-shapes.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { type Random, seededRandom } from '../../src/kernel/random.ts'
import type { Upstream } from '../../src/kernel/upstream/client.ts'
import { STATUSES } from '../../src/presence/contract.ts'
import { createPresence } from '../../src/presence/service.ts'
import { metasearch } from '../../src/presence/sources/metasearch.ts'
import { tokenSearch } from '../../src/presence/sources/token-search.ts'
import { pagesFor } from './result-pages.ts'
import { LABELLED, type Labelled, STORIES } from './names.ts'
import { asAnotherEngine } from './another-engine.ts'

/** Result lists generated for each name, so that no single one decides. */
const DRAWS = 4
const NEVER = new AbortController().signal

/** As the service counts it: by the place in the list of words, on a scale of logarithms. */
function readCommonness(): (word: string) => number {
  const file = readFileSync(new URL('../../data/words.json', import.meta.url), 'utf8')
  const words = (JSON.parse(file) as { letters: string }).letters.toLowerCase().split(' ')
  const places = new Map(words.map((word, at) => [word, at]))
  return (word) => {
    const at = places.get(word)
    return at === undefined ? 0 : 1 - Math.log(at + 1) / Math.log(words.length + 1)
  }
}

/** The wire is tested elsewhere: here the body is at hand. */
const answering = (body: unknown): Upstream => ({
  request: async () => ({
    status: 200,
    headers: {},
    body: new Uint8Array(),
    text: () => '',
    json: () => body,
    url: '',
    elapsedMs: 1,
  }),
  prepare() {},
  maxConcurrent: () => 1,
  close: async () => {},
})

const seedOf = (text: string) => Buffer.from(text).reduce((hash, byte) => Math.imul(hash, 31) + byte, 7)

async function scoreOf(labelled: Labelled, chance: Random, commonnessOf: (word: string) => number) {
  const { name } = labelled
  const pages = pagesFor(labelled, chance)
  const others = asAnotherEngine(pages, chance)
  const [a, b] = [answering(metasearchBody(name, pages)), answering(tokenSearchBody(name, others))]
  const presence = createPresence({
    engines: [
      metasearch({ id: 'engine_a', upstream: a, url: 'https://a.example' }),
      tokenSearch({ id: 'engine_b', upstream: b, url: 'https://b.example', token: 't' }),
    ],
    isRegistered: async () => false,
    commonnessOf,
    clock: manualClock(),
    random: seededRandom(1),
  })
  return presence.search({ name }, NEVER, 'test')
}

suite('a labelled set of result lists', () => {
  type Answer = Awaited<ReturnType<typeof scoreOf>>
  const rows: { labelled: Labelled; isSecond: boolean; score: number; isInBand: boolean; answer: Answer }[] = []

  before(async () => {
    const commonnessOf = readCommonness()
    for (const [at, labelled] of LABELLED.entries())
      for (let draw = 0; draw < DRAWS; draw++) {
        const score = await scoreOf(labelled, seededRandom(seedOf(labelled.name) + 7919 * draw), commonnessOf)
        const [least, most] = STORIES[labelled.story].map((one) => STATUSES.indexOf(one)) as [number, number]
        const place = STATUSES.indexOf(score.status)
        const isInBand = place >= least && place <= most
        rows.push({ labelled, isSecond: at % 2 === 1, score: score.score, isInBand, answer: score })
      }
  })

  const check = (which: (row: (typeof rows)[number]) => boolean) => {
    const chosen = rows.filter(which)
    const outside = chosen.filter(({ isInBand }) => !isInBand)
    const told = outside.map(({ labelled: { name, story }, score }) => `${name} (${story}) ${score}`)
    assert.ok(
      outside.length <= 0.05 * chosen.length,
      `${outside.length} of ${chosen.length} outside: ${told.join(', ')}`,
    )
  }

  test('is large, and has every story in both halves', () => {
    assert.ok(new Set(LABELLED.map(({ name }) => name)).size >= 140)
    assert.equal(rows.length, DRAWS * LABELLED.length)
    for (const half of [true, false]) {
      const own = rows.filter(({ isSecond }) => isSecond === half)
      assert.ok(own.length >= 40)
      assert.deepEqual(new Set(own.map(({ labelled }) => labelled.story)).size, Object.keys(STORIES).length)
    }
  })
  test('95 of 100 are in their band in the first half, which the weights were chosen by', () =>
    check(({ isSecond }) => !isSecond))
  test('95 of 100 are in their band in the second half', () => check(({ isSecond }) => isSecond))
  test('95 of 100 are in their band in the whole', () => check(() => true))
  test('97 of 100 of the first 119 names are', () => {
    const first = rows.slice(0, 119 * DRAWS)
    assert.ok(first.filter(({ isInBand }) => isInBand).length >= 0.97 * first.length)
  })

  for (const isHeldOut of [false, true]) {
    const half = isHeldOut ? 'held out' : 'tuned on'
    const answers = (story: Labelled['story']) => {
      const chosen = rows.filter(({ labelled }) => labelled.story === story && labelled.isHeldOut === isHeldOut)
      assert.equal(chosen.length, 6 * DRAWS)
      return chosen
    }
    test(`several firms of one name are firms (wordings ${half})`, () => {
      for (const { answer, isInBand } of answers('shared')) {
        assert.ok(answer.signals.company_exists && answer.signals.brand_exists, JSON.stringify(answer))
        assert.ok(isInBand, `${answer.name} ${answer.score}`)
      }
    })
    test(`forum posts are neither brands nor companies (wordings ${half})`, () => {
      for (const { answer, isInBand } of answers('chatter')) {
        const { brand_exists, company_exists } = answer.signals
        assert.deepEqual([brand_exists, company_exists, isInBand], [false, false, true], JSON.stringify(answer))
        const shown = answer.engines.flatMap((engine) => engine.top_matches.map(({ url }) => url))
        for (const url of shown) assert.doesNotMatch(url, /forum|board|reddit|community|stackexchange|status|groups/)
      }
    })
  }
})
