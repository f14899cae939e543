import assert from 'node:assert/strict'
import { describe, test, type TestContext } from 'node:test'
import { manualClock } from '../../src/kernel/clock.ts'
import { UpstreamError, type UpstreamFailure } from '../../src/kernel/errors.ts'
import { seededRandom } from '../../src/kernel/random.ts'
import { type EngineId, Presence } from '../../src/presence/contract.ts'
import { presenceRoutes } from '../../src/presence/routes.ts'
import type { Found, SearchEngine } from '../../src/presence/search-engine.ts'
import { createPresence } from '../../src/presence/service.ts'
import { type Reply, startDoor } from '../support/door.ts'

type Says = readonly Found[] | UpstreamFailure | 'silent'
type Body = ReturnType<typeof Presence.parse> & { error?: string; message?: string }

const BRAND: Found[] = [
  { title: 'Orlavent | Home', url: 'https://orlavent.com/', snippet: 'A company founded in 1990.' },
  { title: 'Orlavent | LinkedIn', url: 'https://www.linkedin.com/company/orlavent', snippet: '' },
  { title: 'Orlavent on the App Store', url: 'https://apps.apple.com/app/orlavent/id1', snippet: 'Download.' },
  { title: 'Why we like Orlavent', url: 'https://paper.example/1', snippet: '' },
  { title: 'Weather', url: 'https://paper.example/2', snippet: 'in Orlavent' },
]

type World = {
  readonly registered?: boolean | null | UpstreamFailure | 'silent'
  /** Handed to each engine and the registry before they answer. */
  readonly before?: (who: string, signal: AbortSignal) => Promise<void>
}

async function start(t: TestContext, says: Partial<Record<EngineId, Says>>, world: World = {}) {
  const clock = manualClock()
  const asked: string[] = []
  const silence = (signal: AbortSignal) =>
    new Promise<never>((_, fail) => signal.addEventListener('abort', () => fail(signal.reason)))
  const engines = Object.entries(says).map(([id, one]): SearchEngine => ({
    id: id as EngineId,
    async search(words, signal) {
      asked.push(`${id} ${words}`)
      await world.before?.(id, signal)
      if (one === 'silent') return silence(signal)
      if (typeof one === 'string') throw new UpstreamError(one, 'secret.host said no')
      return { found: one, total: id === 'engine_b' ? 1230 : null }
    },
  }))
  const presence = createPresence({
    engines,
    async isRegistered(label, signal) {
      asked.push(`registry ${label}`)
      await world.before?.('registry', signal)
      const { registered = false } = world
      if (registered === 'silent') return silence(signal)
      if (typeof registered === 'string') throw new UpstreamError(registered, 'no')
      return registered
    },
    commonnessOf: (word) => ({ green: 0.43, leaf: 0.26 })[word] ?? 0,
    clock,
    random: seededRandom(1),
  })
  const door = await startDoor(presenceRoutes(presence))
  t.after(() => door.stop())
  const search = async (query: string) => {
    const reply = await door.get(`/v1/name-search-presence?${query}`)
    return { ...reply, body: reply.body as Body }
  }
  return { search, asked, clock, door, presence }
}
const refusal = ({ status, body }: Reply) => [status, (body as { error: string }).error]

describe('GET /v1/name-search-presence', () => {
  test('puts what all engines say into one answer of the contract', async (t) => {
    const { search, asked } = await start(t, { engine_a: BRAND, engine_b: BRAND.slice(0, 2) }, { registered: true })
    const { status, body } = await search('name=%20Orla%20%20Vent')
    assert.equal(status, 200)
    Presence.parse(body)
    assert.equal(body.name, 'Orla Vent')
    assert.deepEqual(body.signals, {
      exact_phrase_found: true,
      brand_exists: true,
      company_exists: true,
      product_exists: true,
      domain_registered: true,
      social_handles_found: ['linkedin.com/company/orlavent'],
      notable_individuals: [],
    })
    assert.deepEqual(
      body.engines.map((one) => [one.engine, one.exact_hits, one.loose_hits, one.total_results_estimate]),
      [
        ['engine_a', 4, 1, 5],
        ['engine_b', 2, 0, 1230],
      ],
    )
    assert.deepEqual(
      body.engines[0]!.top_matches.map(({ type, relevance }) => `${type} ${relevance}`),
      ['domain high', 'company high', 'product high', 'brand medium', 'brand low'],
    )
    assert.deepEqual([body.errors, body.cache_hit], [[], false])
    assert.deepEqual(asked.toSorted(), ['engine_a Orla Vent', 'engine_b Orla Vent', 'registry orlavent'])
  })

  test('a name nobody has is clean', async (t) => {
    const { search } = await start(t, { engine_a: [], engine_b: [] })
    const { body } = await search('name=Qorvintha')
    assert.deepEqual([body.score, body.status, body.signals.exact_phrase_found], [0, 'clean', false])
    assert.match(body.summary, /Qorvintha/)
  })

  test('common words are not high because they are everywhere', async (t) => {
    const found = Array.from({ length: 10 }, (_, at) => ({
      title: `Why a green leaf turns yellow, part ${at}`,
      url: `https://blog${at}.example/`,
      snippet: 'green leaf',
    }))
    const { search } = await start(t, { engine_a: found, engine_b: found })
    const { body } = await search('name=green%20leaf')
    assert.ok(body.score <= 30, String(body.score))
    assert.equal(body.engines[0]!.exact_hits, 10)
  })

  test('a name of a resort, a bank and a restaurant is a company’s, and not low', async (t) => {
    const found = [
      { title: 'Silver Creek Resort & Spa', url: 'https://www.silvercreekresort.com/', snippet: 'Rooms and a pool.' },
      { title: 'Silver Creek Bank | Banking', url: 'https://silvercreekbank.com/', snippet: 'Open an account.' },
      { title: 'Silver Creek Restaurant, Ellery', url: 'https://guide.example/r/1', snippet: 'See the menu.' },
      { title: 'Silver creek at dawn', url: 'https://blog.example/1', snippet: 'Pictures.' },
    ]
    // One of them is known to one engine only.
    const { search } = await start(t, { engine_a: found.slice(1), engine_b: [found[0]!, found[3]!] })
    const { body } = await search('name=silver%20creek')
    assert.deepEqual([body.signals.company_exists, body.signals.brand_exists], [true, true])
    assert.ok(body.score > 30 && body.score <= 60, String(body.score))
    const types = body.engines.flatMap(({ top_matches }) =>
      top_matches.map(({ title, type }) => [title.slice(13, 17), type]),
    )
    assert.ok(
      types.some(([title, type]) => title === 'Bank' && type === 'company'),
      JSON.stringify(types),
    )
  })

  test('a name that only forums speak of is nobody’s', async (t) => {
    const found = [
      { title: 'Silver Creek - Page 2', url: 'https://forum.example/viewtopic.php?t=1', snippet: 'A company I knew.' },
      {
        title: 'Silver Creek : r/fishing',
        url: 'https://www.reddit.com/r/fishing/comments/1/x/',
        snippet: '3 comments',
      },
    ]
    const { search } = await start(t, { engine_a: found, engine_b: found })
    const { body } = await search('name=silver%20creek')
    assert.deepEqual([body.signals.company_exists, body.signals.brand_exists], [false, false])
    assert.deepEqual([body.signals.exact_phrase_found, body.engines[0]!.top_matches], [true, []])
    assert.ok(body.score <= 30, String(body.score))
  })

  test('one engine that fails does not spoil the answer of the other, and nothing internal is told of it', async (t) => {
    for (const failure of ['timeout', 'rate_limited', 'unavailable', 'auth_error'] as const) {
      const { search } = await start(t, { engine_a: failure, engine_b: BRAND })
      const { status, body, text } = await search('name=orlavent')
      assert.equal(status, 200)
      assert.deepEqual(
        body.errors.map(({ engine }) => engine),
        ['engine_a'],
      )
      assert.match(body.errors[0]!.message, /^engine_a /)
      assert.deepEqual(
        body.engines.map(({ engine }) => engine),
        ['engine_b'],
      )
      assert.match(body.summary, /answered/)
      assert.ok(!text.includes('secret.host'))
    }
  })

  test('503 where all fail, and where none is set up', async (t) => {
    const failed = await start(t, { engine_a: 'unavailable', engine_b: 'auth_error' })
    const reply = await failed.search('name=orlavent')
    assert.deepEqual(refusal(reply), [503, 'service_unavailable'])
    assert.deepEqual(
      reply.body.errors.map(({ engine }) => engine),
      ['engine_a', 'engine_b'],
    )
    const none = await start(t, {})
    assert.deepEqual(refusal(await none.search('name=orlavent')), [503, 'service_unavailable'])
    const other = await start(t, { engine_a: BRAND })
    assert.deepEqual(refusal(await other.search('name=orlavent&engines=engine_b')), [503, 'service_unavailable'])
    assert.deepEqual([none.asked, other.asked], [[], []])
  })

  test('one that is not set up is missed only by who names it', async (t) => {
    const { search } = await start(t, { engine_a: BRAND })
    assert.deepEqual((await search('name=orlavent')).body.errors, [])
    const { status, body } = await search('name=orlavent&engines=engine_b,engine_a')
    assert.deepEqual([status, body.errors.map(({ engine }) => engine)], [200, ['engine_b']])
  })

  test('a timeout holds for engines and registry alike, and is never longer than the longest', async (t) => {
    const { search } = await start(t, { engine_a: 'silent', engine_b: BRAND }, { registered: 'silent' })
    const { status, body } = await search('name=orlavent&timeout=5')
    assert.deepEqual([status, body.errors[0]!.engine, body.signals.domain_registered], [200, 'engine_a', false])
    assert.match(body.errors[0]!.message, /in time/)
    assert.equal((await start(t, { engine_a: [] }).then((one) => one.search('name=x&timeout=99999999'))).status, 200)
  })

  test('what the registry cannot tell is called unknown, and not kept for long', async (t) => {
    // It fails, or it answers and does not know.
    for (const registered of ['unavailable', null] as const) {
      const { search, clock, asked } = await start(t, { engine_a: BRAND }, { registered })
      const { status, body } = await search('name=orlavent')
      assert.deepEqual([status, body.errors], [200, []])
      assert.partialDeepStrictEqual(body.signals, { domain_registered: false, domain_registered_unknown: true })
      assert.match(body.summary, /\.com is taken is unknown/)
      clock.advance(30_000)
      assert.equal((await search('name=orlavent')).body.cache_hit, false)
      assert.equal(asked.length, 4)
    }
  })

  test('what the registry says, and what can be no label, is known', async (t) => {
    for (const registered of [true, false]) {
      const { search } = await start(t, { engine_a: BRAND }, { registered })
      const { body } = await search('name=orlavent')
      assert.equal(body.signals.domain_registered, registered)
      assert.ok(!('domain_registered_unknown' in body.signals))
      assert.doesNotMatch(body.summary, /unknown/)
    }
    const { search } = await start(t, { engine_a: BRAND }, { registered: null })
    const { body } = await search(`name=${'x'.repeat(80)}`)
    assert.equal(body.signals.domain_registered_unknown, undefined)
  })

  test('results are kept ten minutes by name and engines, a failure half a minute', async (t) => {
    const { search, asked, clock, presence } = await start(t, { engine_a: BRAND, engine_b: [] })
    await search('name=Orlavent')
    clock.advance(599_999)
    const again = await search('name=orlavent&engines=engine_b,engine_a')
    assert.deepEqual([again.body.cache_hit, again.body.name, asked.length], [true, 'orlavent', 3])
    clock.advance(1)
    assert.deepEqual([(await search('name=orlavent')).body.cache_hit, asked.length], [false, 6])
    assert.equal((await search('name=orlavent&engines=engine_a')).body.cache_hit, false)
    assert.equal((await search('name=orla+vent')).body.cache_hit, false)
    assert.equal(presence.size, 3)
    const failed = await start(t, { engine_a: BRAND, engine_b: 'unavailable' })
    await failed.search('name=orlavent')
    failed.clock.advance(29_999)
    assert.equal((await failed.search('name=orlavent')).body.cache_hit, true)
    failed.clock.advance(1)
    assert.equal((await failed.search('name=orlavent')).body.cache_hit, false)
  })

  test('only the wording differs from one answer to the next', async (t) => {
    const { search } = await start(t, { engine_a: BRAND })
    const answers = await Promise.all(Array.from({ length: 12 }, () => search('name=orlavent')))
    assert.ok(new Set(answers.map(({ body }) => body.summary)).size > 1)
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify([body.score, body.signals]))).size, 1)
  })

  test('who asks in a hurry neither keeps an answer from others nor takes theirs away', async (t) => {
    let isSlow = true
    const before = async (who: string, signal: AbortSignal) => {
      if (who !== 'registry' && isSlow) await new Promise((_, fail) => signal.addEventListener('abort', fail))
    }
    const { search, asked } = await start(t, { engine_a: BRAND }, { before })
    const hasty = search('name=orlavent&timeout=50')
    while (asked.length < 2) await new Promise(setImmediate)
    isSlow = false
    assert.equal((await search('name=orlavent')).status, 200)
    assert.equal((await hasty).status, 503)
    const { status, body } = await search('name=orlavent')
    assert.deepEqual([status, body.cache_hit], [200, true])
  })

  test('a registry that was given too little time is asked again', async (t) => {
    let isSlow = true
    const before = async (who: string, signal: AbortSignal) => {
      if (who === 'registry' && isSlow) await new Promise((_, fail) => signal.addEventListener('abort', fail))
    }
    const { search } = await start(t, { engine_a: BRAND }, { before, registered: true })
    assert.equal((await search('name=orlavent&timeout=5')).body.signals.domain_registered, false)
    isSlow = false
    assert.equal((await search('name=orlavent')).body.signals.domain_registered, true)
  })

  test('the same question asked by many at once is asked once', async (t) => {
    const { search, asked } = await start(t, { engine_a: [], engine_b: [] })
    await Promise.all([search('name=orlavent'), search('name=Orlavent'), search('name=orlavent')])
    assert.equal(asked.length, 3)
  })

  test('what is wrong with a question is said before anybody is asked', async (t) => {
    const { search, asked, door } = await start(t, { engine_a: BRAND })
    const rows: [string, string][] = [
      ['', 'missing_parameter'],
      ['name=', 'missing_parameter'],
      ['name=---', 'invalid_name'],
      ['name=a%00b', 'invalid_name'],
      ['name=a%0d%0ab', 'invalid_name'],
      ['name=a%C2%85b', 'invalid_name'],
      ['name=a%E2%80%AEb', 'invalid_name'],
      [`name=${'x'.repeat(101)}`, 'invalid_name'],
      ['name=x&engines=engine_z', 'invalid_parameter'],
      ['name=x&engines=,', 'invalid_parameter'],
      ['name=x&timeout=0', 'invalid_parameter'],
      ['name=x&timeout=-1', 'invalid_parameter'],
      ['name=x&timeout=soon', 'invalid_parameter'],
    ]
    for (const [query, code] of rows) assert.deepEqual(refusal(await search(query)), [400, code], query)
    const posted = await door.get('/v1/name-search-presence?name=x', { method: 'POST' })
    assert.deepEqual(refusal(posted), [405, 'method_not_allowed'])
    assert.equal(asked.length, 0)
    // The longest name can be looked for, but is no label.
    assert.equal((await search(`name=${'x'.repeat(100)}`)).status, 200)
    assert.deepEqual(asked, [`engine_a ${'x'.repeat(100)}`])
  })
})
