import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { Presence } from '../../src/presence/contract.ts'
import { BRAND, refusal, startPresence } from './presence.fixture.ts'

suite('GET /v1/name-search-presence', () => {
  test('merges the results of all engines into one response', async (t) => {
    const { search, asked } = await startPresence(
      t,
      { engine_a: BRAND, engine_b: BRAND.slice(0, 2) },
      { registered: true },
    )
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

  test('a name that is not found is clean', async (t) => {
    const { search } = await startPresence(t, { engine_a: [], engine_b: [] })
    const { body } = await search('name=Qorvintha')
    assert.deepEqual([body.score, body.status, body.signals.exact_phrase_found], [0, 'clean', false])
    assert.match(body.summary, /Qorvintha/)
  })

  test('common words are not rated high for being common', async (t) => {
    const found = Array.from({ length: 10 }, (_, at) => ({
      title: `Why a green leaf turns yellow, part ${at}`,
      url: `https://blog${at}.example/`,
      snippet: 'green leaf',
    }))
    const { search } = await startPresence(t, { engine_a: found, engine_b: found })
    const { body } = await search('name=green%20leaf')
    assert.ok(body.score <= 30, String(body.score))
    assert.equal(body.engines[0]!.exact_hits, 10)
  })

  test('a name shared by a resort, a bank and a restaurant counts as a company, and is not low', async (t) => {
    const found = [
      { title: 'Silver Creek Resort & Spa', url: 'https://www.silvercreekresort.com/', snippet: 'Rooms and a pool.' },
      { title: 'Silver Creek Bank | Banking', url: 'https://silvercreekbank.com/', snippet: 'Open an account.' },
      { title: 'Silver Creek Restaurant, Ellery', url: 'https://guide.example/r/1', snippet: 'See the menu.' },
      { title: 'Silver creek at dawn', url: 'https://blog.example/1', snippet: 'Pictures.' },
    ]
    // Only one engine knows the resort.
    const { search } = await startPresence(t, { engine_a: found.slice(1), engine_b: [found[0]!, found[3]!] })
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

  test('a name found only in forums is neither a company nor a brand', async (t) => {
    const found = [
      { title: 'Silver Creek - Page 2', url: 'https://forum.example/viewtopic.php?t=1', snippet: 'A company I knew.' },
      {
        title: 'Silver Creek : r/fishing',
        url: 'https://www.reddit.com/r/fishing/comments/1/x/',
        snippet: '3 comments',
      },
    ]
    const { search } = await startPresence(t, { engine_a: found, engine_b: found })
    const { body } = await search('name=silver%20creek')
    assert.deepEqual([body.signals.company_exists, body.signals.brand_exists], [false, false])
    assert.deepEqual([body.signals.exact_phrase_found, body.engines[0]!.top_matches], [true, []])
    assert.ok(body.score <= 30, String(body.score))
  })

  test('only the wording of the summary varies', async (t) => {
    const { search } = await startPresence(t, { engine_a: BRAND })
    const answers = await Promise.all(Array.from({ length: 12 }, () => search('name=orlavent')))
    assert.ok(new Set(answers.map(({ body }) => body.summary)).size > 1)
    assert.equal(new Set(answers.map(({ body }) => JSON.stringify([body.score, body.signals]))).size, 1)
  })

  test('invalid requests are refused before any engine is queried', async (t) => {
    const { search, asked, door } = await startPresence(t, { engine_a: BRAND })
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
    // A name of the maximum length is searched, but cannot be a label.
    assert.equal((await search(`name=${'x'.repeat(100)}`)).status, 200)
    assert.deepEqual(asked, [`engine_a ${'x'.repeat(100)}`])
  })
})
