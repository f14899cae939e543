import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { BRAND, refusal, startPresence } from './presence.fixture.ts'

suite('failures, timeouts and caching of GET /v1/name-search-presence', () => {
  test('a failing engine does not affect the other, and its error reveals nothing internal', async (t) => {
    for (const failure of ['timeout', 'rate_limited', 'unavailable', 'auth_error'] as const) {
      const { search } = await startPresence(t, { engine_a: failure, engine_b: BRAND })
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

  test('503 if all engines fail, and if none is configured', async (t) => {
    const failed = await startPresence(t, { engine_a: 'unavailable', engine_b: 'auth_error' })
    const reply = await failed.search('name=orlavent')
    assert.deepEqual(refusal(reply), [503, 'service_unavailable'])
    assert.deepEqual(
      reply.body.errors.map(({ engine }) => engine),
      ['engine_a', 'engine_b'],
    )
    const none = await startPresence(t, {})
    assert.deepEqual(refusal(await none.search('name=orlavent')), [503, 'service_unavailable'])
    const other = await startPresence(t, { engine_a: BRAND })
    assert.deepEqual(refusal(await other.search('name=orlavent&engines=engine_b')), [503, 'service_unavailable'])
    assert.deepEqual([none.asked, other.asked], [[], []])
  })

  test('an engine that is not configured is an error only if requested', async (t) => {
    const { search } = await startPresence(t, { engine_a: BRAND })
    assert.deepEqual((await search('name=orlavent')).body.errors, [])
    const { status, body } = await search('name=orlavent&engines=engine_b,engine_a')
    assert.deepEqual([status, body.errors.map(({ engine }) => engine)], [200, ['engine_b']])
  })

  test('the timeout applies to engines and registry alike, and is capped', async (t) => {
    const { search } = await startPresence(t, { engine_a: 'silent', engine_b: BRAND }, { registered: 'silent' })
    const { status, body } = await search('name=orlavent&timeout=5')
    assert.deepEqual([status, body.errors[0]!.engine, body.signals.domain_registered], [200, 'engine_a', false])
    assert.match(body.errors[0]!.message, /in time/)
    assert.equal(
      (await startPresence(t, { engine_a: [] }).then((one) => one.search('name=x&timeout=99999999'))).status,
      200,
    )
  })

  test('an unknown registration is reported as unknown, and cached briefly', async (t) => {
    // The registry fails, or replies that it does not know.
    for (const registered of ['unavailable', null] as const) {
      const { search, clock, asked } = await startPresence(t, { engine_a: BRAND }, { registered })
      const { status, body } = await search('name=orlavent')
      assert.deepEqual([status, body.errors], [200, []])
      assert.partialDeepStrictEqual(body.signals, { domain_registered: false, domain_registered_unknown: true })
      assert.match(body.summary, /\.com is taken is unknown/)
      clock.advance(30_000)
      assert.equal((await search('name=orlavent')).body.cache_hit, false)
      assert.equal(asked.length, 4)
    }
  })

  test('the registration is known if the registry says so, or if the name cannot be a label', async (t) => {
    for (const registered of [true, false]) {
      const { search } = await startPresence(t, { engine_a: BRAND }, { registered })
      const { body } = await search('name=orlavent')
      assert.equal(body.signals.domain_registered, registered)
      assert.ok(!('domain_registered_unknown' in body.signals))
      assert.doesNotMatch(body.summary, /unknown/)
    }
    const { search } = await startPresence(t, { engine_a: BRAND }, { registered: null })
    const { body } = await search(`name=${'x'.repeat(80)}`)
    assert.equal(body.signals.domain_registered_unknown, undefined)
  })

  test('results are cached for ten minutes by name and engines, failures for half a minute', async (t) => {
    const { search, asked, clock, presence } = await startPresence(t, { engine_a: BRAND, engine_b: [] })
    await search('name=Orlavent')
    clock.advance(599_999)
    const again = await search('name=orlavent&engines=engine_b,engine_a')
    assert.deepEqual([again.body.cache_hit, again.body.name, asked.length], [true, 'orlavent', 3])
    clock.advance(1)
    assert.deepEqual([(await search('name=orlavent')).body.cache_hit, asked.length], [false, 6])
    assert.equal((await search('name=orlavent&engines=engine_a')).body.cache_hit, false)
    assert.equal((await search('name=orla+vent')).body.cache_hit, false)
    assert.equal(presence.size, 3)
    const failed = await startPresence(t, { engine_a: BRAND, engine_b: 'unavailable' })
    await failed.search('name=orlavent')
    failed.clock.advance(29_999)
    assert.equal((await failed.search('name=orlavent')).body.cache_hit, true)
    failed.clock.advance(1)
    assert.equal((await failed.search('name=orlavent')).body.cache_hit, false)
  })

  test('a request with a short timeout does not affect the cached result', async (t) => {
    let isSlow = true
    const before = async (who: string, signal: AbortSignal) => {
      if (who !== 'registry' && isSlow) await new Promise((_, fail) => signal.addEventListener('abort', fail))
    }
    const { search, asked } = await startPresence(t, { engine_a: BRAND }, { before })
    const hasty = search('name=orlavent&timeout=50')
    while (asked.length < 2) await new Promise(setImmediate)
    isSlow = false
    assert.equal((await search('name=orlavent')).status, 200)
    assert.equal((await hasty).status, 503)
    const { status, body } = await search('name=orlavent')
    assert.deepEqual([status, body.cache_hit], [200, true])
  })

  test('a registry that timed out by a short timeout is queried again', async (t) => {
    let isSlow = true
    const before = async (who: string, signal: AbortSignal) => {
      if (who === 'registry' && isSlow) await new Promise((_, fail) => signal.addEventListener('abort', fail))
    }
    const { search } = await startPresence(t, { engine_a: BRAND }, { before, registered: true })
    assert.equal((await search('name=orlavent&timeout=5')).body.signals.domain_registered, false)
    isSlow = false
    assert.equal((await search('name=orlavent')).body.signals.domain_registered, true)
  })

  test('concurrent requests for one name share one search', async (t) => {
    const { search, asked } = await startPresence(t, { engine_a: [], engine_b: [] })
    await Promise.all([search('name=orlavent'), search('name=Orlavent'), search('name=orlavent')])
    assert.equal(asked.length, 3)
  })
})
