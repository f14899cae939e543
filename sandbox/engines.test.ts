import assert from 'node:assert/strict'
import { suite, test, type TestContext } from 'node:test'
import { manualClock, systemClock } from '../src/kernel/clock.ts'
import { seededRandom } from '../src/kernel/random.ts'
import { createUpstream } from '../src/kernel/upstream/client.ts'
import { createPresence } from '../src/presence/service.ts'
import { metasearch } from '../src/presence/sources/metasearch.ts'
import { tokenSearch } from '../src/presence/sources/token-search.ts'
import { engines } from './engines.ts'
import { OUTCOME_WORDS } from './outcome.ts'
import { startWorld } from './world.ts'

const NEVER = new AbortController().signal

async function presenceIn(t: TestContext, seed = 1) {
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
  const { settings } = world
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
