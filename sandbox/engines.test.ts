import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite, test, type TestContext } from 'node:test'
import { manualClock, systemClock } from '../src/kernel/clock.ts'
import { seededRandom } from '../src/kernel/random.ts'
import { createUpstream } from '../src/kernel/upstream/client.ts'
import { createPresence } from '../src/presence/service.ts'
import { github } from '../src/presence/sources/open/github.ts'
import { gleif } from '../src/presence/sources/open/gleif.ts'
import { itunes } from '../src/presence/sources/open/itunes.ts'
import { openKnowledge } from '../src/presence/sources/open/open-knowledge.ts'
import { wikimedia } from '../src/presence/sources/open/wikimedia.ts'
import { metasearch } from '../src/presence/sources/metasearch.ts'
import { tokenSearch } from '../src/presence/sources/token-search.ts'
import { engines } from './engines.ts'
import { OUTCOME_WORDS } from './outcome.ts'
import { startWorld } from './world.ts'

const NEVER = new AbortController().signal

async function presenceIn(t: TestContext, seed = 1) {
  const { upstream, settings } = await startEngines(t, seed)
  const token = settings['ONOMA_ENGINE_B_KEY']!
  return createPresence({
    engines: [
      metasearch({ id: 'engine_a', upstream, url: settings['ONOMA_ENGINE_A_URL']! }),
      tokenSearch({ id: 'engine_b', upstream, url: settings['ONOMA_ENGINE_B_URL']!, token }),
    ],
    isRegistered: async () => null,
    commonnessOf: () => 0,
    clock: systemClock,
    random: seededRandom(1),
  })
}

async function startEngines(t: TestContext, seed: number) {
  // Scripted delays return at once; only the timeout of the search is real.
  const world = await startWorld([engines], { seed, wait: async () => {} })
  const upstream = createUpstream({
    name: 'engines',
    userAgent: 'test',
    clock: manualClock(),
    allow: (address) => address === '127.0.0.1',
    timeoutMs: 30_000,
    maxBytes: 1_000_000,
    connections: 4,
    maxQueue: 10,
  })
  t.after(async () => {
    await upstream.close()
    await world.stop()
  })
  return { upstream, settings: world.settings, addresses: world.simulators[0]!.addresses }
}

suite('the search engines of the sandbox', () => {
  test('have many, few or no results depending on the name, equal for equal seeds', async (t) => {
    const names = Array.from({ length: 24 }, (_, at) => `orchard ${at}`)
    const statuses = async (seed: number) => {
      const presence = await presenceIn(t, seed)
      const found: string[] = []
      for (const name of names) {
        const { status, errors } = await presence.search({ name }, NEVER, 'test')
        assert.deepEqual(errors, [])
        found.push(status)
      }
      return found
    }
    const first = await statuses(1)
    assert.ok(new Set(first).size >= 3, first.join())
    assert.deepEqual(await statuses(1), first)
    assert.notDeepEqual(await statuses(2), first)
  })

  test('have a name that several businesses share, and one that only occurs in forums', async (t) => {
    const presence = await presenceIn(t)
    const shared = await presence.search({ name: 'shared lagoon' }, NEVER, 'test')
    assert.deepEqual([shared.status, shared.signals.company_exists], ['medium', true])
    const forum = await presence.search({ name: 'forum lagoon' }, NEVER, 'test')
    const { company_exists, brand_exists, exact_phrase_found } = forum.signals
    assert.deepEqual([company_exists, brand_exists, exact_phrase_found], [false, false, true])
    assert.deepEqual(
      forum.engines.flatMap(({ top_matches }) => top_matches),
      [],
    )
  })

  test('play every scripted outcome, for one engine or both', async (t) => {
    for (const word of OUTCOME_WORDS) {
      // A new world for each word: after a 429 the client sends no further requests.
      const presence = await presenceIn(t)
      const timeout = word === 'hang' ? 500 : 15_000
      const { errors } = await presence.search({ name: `b-${word}-orchard`, timeout }, NEVER, 'test')
      const isAnswered = word === 'slow' || word === 'drip'
      assert.deepEqual(
        errors.map(({ engine }) => engine),
        isAnswered ? [] : ['engine_b'],
        word,
      )
    }
    const presence = await presenceIn(t)
    assert.equal((await presence.search({ name: 'a-broken-orchard' }, NEVER, 'test')).errors[0]!.engine, 'engine_a')
    await assert.rejects(presence.search({ name: 'broken orchard' }, NEVER, 'test'), { code: 'service_unavailable' })
  })
})

suite('the open services of the sandbox', () => {
  test('are read by the engine that needs no key, and know some names and not others', async (t) => {
    const { upstream, addresses } = await startEngines(t, 1)
    const clock = manualClock()
    const services = { upstream, userAgent: 'test', gateway: addresses['open knowledge']! }
    const sources = [
      ...wikimedia(services, clock),
      gleif(services, clock),
      github({ ...services, token: null, clock }),
      itunes(services, clock),
    ]
    const presence = createPresence({
      engines: [openKnowledge({ id: 'engine_a', sources, clock })],
      isRegistered: async () => false,
      commonnessOf: () => 0,
      clock,
      random: seededRandom(1),
    })
    const scores: number[] = []
    for (let at = 0; at < 16; at++) {
      clock.advance(60_000)
      const { score, engines: found } = await presence.search({ name: `orchard ${at}` }, NEVER, 'test')
      assert.deepEqual(found[0]!.coverage, {
        answered: ['wikidata', 'wikipedia', 'gleif', 'github', 'itunes'],
        failed: [],
      })
      scores.push(score)
    }
    assert.ok(Math.min(...scores) <= 10 && Math.max(...scores) > 60, scores.join())
  })

  /** The paths of all members, such as `search.[].label`. */
  const shapeOf = (value: unknown, path = ''): readonly string[] =>
    typeof value !== 'object' || value === null
      ? [path]
      : Object.entries(value).flatMap(([key, inner]) => shapeOf(inner, `${path}.${Array.isArray(value) ? '[]' : key}`))

  test('have the shapes of the recorded providers', async (t) => {
    const { upstream, addresses } = await startEngines(t, 1)
    const rows: [file: string, path: string, parameter: string][] = [
      ['wikidata', 'www.wikidata.org/w/api.php', 'search'],
      ['wikipedia', 'en.wikipedia.org/w/api.php', 'srsearch'],
      ['gleif', 'api.gleif.org/api/v1/lei-records', 'filter[entity.legalName]'],
      ['github-users', 'api.github.com/search/users', 'q'],
      ['github-repositories', 'api.github.com/search/repositories', 'q'],
      ['itunes', 'itunes.apple.com/search', 'term'],
    ]
    for (const [file, path, parameter] of rows) {
      const recorded = readFileSync(new URL(`../test/providers/presence/${file}.json`, import.meta.url), 'utf8')
      const known = new Set(shapeOf(JSON.parse(recorded)))
      const shapes: string[] = []
      for (let at = 0; at < 16; at++) {
        const url = new URL(`${addresses['open knowledge']}/${path}`)
        url.searchParams.set(parameter, `orchard ${at}`)
        shapes.push(...shapeOf((await upstream.request({ url })).json()))
      }
      assert.ok(
        shapes.some((member) => member.includes('[]')),
        `${file}: nothing found`,
      )
      assert.deepEqual(
        shapes.filter((member) => !known.has(member)),
        [],
        file,
      )
    }
  })
})
