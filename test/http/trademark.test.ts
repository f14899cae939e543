import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { generateRegister } from '../../sandbox/trademark/generator.ts'
import { parseFetchOptions } from '../../src/app/commands/trademark-fetch-options.ts'
import { importTrademarks } from '../../src/app/commands/trademark-import.ts'
import { systemClock } from '../../src/kernel/clock.ts'
import { createTrademarks } from '../../src/trademark/service.ts'
import { trademarkRoutes } from '../../src/trademark/routes.ts'
import { openIndex } from '../../src/trademark/engine/open.ts'
import { recordsSource } from '../../src/trademark/engine/build/file-source.ts'
import { ingest } from '../../src/trademark/engine/build/ingest.ts'
import { recordOf } from '../../src/trademark/sources/records.fixture.ts'
import type { SearchIndex } from '../../src/trademark/search-index.ts'
import { type Reply, startDoor } from '../support/door.ts'

type Envelope = {
  results: {
    serial_number: string
    mark_text: string
    match_score: number
    class_numbers: string[]
    renewal_date: string
    group_count?: number
  }[]
  total: number
  total_is_lower_bound?: true
  limit: number
  offset: number
  query: string
  index_info: { total_documents: number; snapshot: string }
}
const refusal = ({ status, body }: Reply) => [status, (body as { error: string }).error]
const marksIn = ({ body }: Reply) => (body as Envelope).results.map(({ mark_text }) => mark_text)

const RECORDS = [
  recordOf({ serial: '70000001', mark: 'ACME', classes: ['009'], owner: 'Acme Ltd', goods: 'rockets and anvils' }),
  recordOf({ serial: '70000002', mark: 'AKME', classes: ['025'], owner: 'Other Inc', goods: 'hats' }),
  recordOf({ serial: '70000003', mark: 'ZEBRA CROSSING', classes: ['009'], owner: 'Zebra GmbH', goods: 'lamps' }),
]

describe('trademark search', () => {
  let folder: string
  let index: SearchIndex
  let door: Awaited<ReturnType<typeof startDoor>>
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
    await ingest(folder, [recordsSource('records', RECORDS)], { clock: systemClock })
    index = openIndex(folder)
    door = await startDoor(trademarkRoutes(createTrademarks({ index: () => index, clock: systemClock })))
  })
  after(async () => {
    await door.stop()
    await index.close()
    rmSync(folder, { recursive: true })
  })

  test('finds the same mark first, then marks that sound alike, in the response format of the contract', async () => {
    const reply = await door.get('/v1/trademark/search?q=acme')
    const body = reply.body as Envelope
    assert.deepEqual(marksIn(reply).slice(0, 2), ['ACME', 'AKME'])
    assert.equal(body.results[0]!.match_score, 1)
    assert.ok(body.results[1]!.match_score < 1)
    assert.deepEqual([body.limit, body.offset, body.query, body.index_info.total_documents], [10, 0, 'acme', 3])
    assert.match(body.results[0]!.renewal_date, /^\d{4}-\d\d-\d\dT00:00:00Z$/)
  })

  test('a class is accepted in every notation, and an unknown one is rejected', async () => {
    for (const given of ['9', '09', '009']) {
      assert.deepEqual(marksIn(await door.get(`/v1/trademark/search?q=acme&class=${given}`)), ['ACME'], given)
    }
    for (const given of ['0', '46', 'C', '9a']) {
      assert.deepEqual(refusal(await door.get(`/v1/trademark/search?q=acme&class=${given}`)), [
        400,
        'invalid_parameter',
      ])
    }
  })

  test('goods and owners are found by their words', async () => {
    assert.deepEqual(marksIn(await door.get('/v1/trademark/search/description?q=anvils')), ['ACME'])
    assert.deepEqual(marksIn(await door.get('/v1/trademark/search/owner?q=zebra')), ['ZEBRA CROSSING'])
  })

  test('a limit above 100 is 100, and paging ends at 10,000', async () => {
    assert.equal(((await door.get('/v1/trademark/search?q=acme&limit=500')).body as Envelope).limit, 100)
    const far = '/v1/trademark/search?q=acme&limit=100&offset=9950'
    assert.deepEqual(refusal(await door.get(far)), [400, 'invalid_parameter'])
  })

  test('missing and out-of-range parameters are rejected', async () => {
    assert.deepEqual(refusal(await door.get('/v1/trademark/search')), [400, 'missing_parameter'])
    assert.deepEqual(refusal(await door.get('/v1/trademark/search/expiring')), [400, 'missing_parameter'])
    for (const days of ['0', '3651', 'soon']) {
      const reply = await door.get(`/v1/trademark/search/expiring?days=${days}`)
      assert.deepEqual(refusal(reply), [400, 'invalid_parameter'], days)
    }
  })

  test('the status shows the index', async () => {
    const { body } = await door.get('/v1/trademark/search/status')
    const { available, total_documents } = body as { available: boolean; total_documents: number }
    assert.deepEqual([available, total_documents], [true, 3])
  })
})

describe('pages of a trademark search', () => {
  const records = [...generateRegister({ size: 15_000, seed: 1 })]
  let folder: string
  let index: SearchIndex
  let door: Awaited<ReturnType<typeof startDoor>>
  before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
    await ingest(folder, [recordsSource('invented', records)], { clock: systemClock })
    index = openIndex(folder)
    door = await startDoor(trademarkRoutes(createTrademarks({ index: () => index, clock: systemClock })))
  })
  after(async () => {
    await door.stop()
    await index.close()
    rmSync(folder, { recursive: true })
  })

  /** All results, page by page, and the total. */
  async function allOf(query: string): Promise<{ results: Envelope['results']; total: number; isExact: boolean }> {
    const results: Envelope['results'] = []
    for (;;) {
      const { status, body } = await door.get(`/v1/trademark/search${query}&limit=100&offset=${results.length}`)
      assert.equal(status, 200)
      const page = body as Envelope
      results.push(...page.results)
      if (page.results.length === 0 || results.length >= page.total)
        return { results, total: page.total, isExact: page.total_is_lower_bound === undefined }
    }
  }
  const serials = ({ results }: { results: Envelope['results'] }) => results.map(({ serial_number }) => serial_number)

  test('have each result once, as many as the total, with scores that never rise', async () => {
    const { goods, owner } = records[7]!
    const word = (text: string) => text.split(/\W+/).find(({ length }) => length > 3)!
    for (const query of [
      '?q=star',
      '?q=star%20bridge&status=dead',
      '?q=star&class=9',
      `/description?q=${word(goods)}`,
      `/owner?q=${word(owner)}`,
      '/expiring?days=3650',
    ]) {
      const all = await allOf(query)
      assert.ok(all.total > 0, query)
      assert.equal(new Set(serials(all)).size, all.total, query)
      for (const [at, { match_score }] of all.results.entries())
        assert.ok(at === 0 || match_score <= all.results[at - 1]!.match_score, query)
    }
  })

  test('of a filtered search have only results of the unfiltered one, and totals add up', async () => {
    for (const q of ['star', 'star bridge', 'great', records[20]!.mark, 'grate starr']) {
      const query = `?q=${encodeURIComponent(q)}`
      const all = await allOf(query)
      assert.ok(all.isExact, q)
      const [live, dead, inClass] = [
        await allOf(`${query}&status=live`),
        await allOf(`${query}&status=dead`),
        await allOf(`${query}&class=9`),
      ]
      assert.equal(live.total + dead.total, all.total, q)
      const known = new Set(serials(all))
      for (const serial of [live, dead, inClass].flatMap(serials)) assert.ok(known.has(serial), `${q}: ${serial}`)
    }
  })

  test('with group=mark have each text once, with the number of its records', async () => {
    const [all, grouped] = [await allOf('?q=star'), await allOf('?q=star&group=mark')]
    const texts = grouped.results.map(({ mark_text }) => mark_text.toLowerCase())
    assert.equal(new Set(texts).size, grouped.total)
    assert.ok(grouped.total < all.total)
    assert.equal(
      grouped.results.reduce((sum, { group_count }) => sum + group_count!, 0),
      all.total,
    )
    assert.equal(grouped.results[0]!.serial_number, all.results[0]!.serial_number)
    assert.equal('group_count' in all.results[0]!, false)
    assert.deepEqual(refusal(await door.get('/v1/trademark/search?q=star&group=owner')), [400, 'invalid_parameter'])
  })
})

test('without an index searching is 503, and the status says so', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  const index = openIndex(folder)
  const door = await startDoor(trademarkRoutes(createTrademarks({ index: () => index, clock: systemClock })))
  t.after(async () => {
    await door.stop()
    await index.close()
    rmSync(folder, { recursive: true })
  })
  const refused = await door.get('/v1/trademark/search?q=acme')
  assert.deepEqual(refusal(refused), [503, 'service_unavailable'])
  const { message } = refused.body as { message: string }
  // The very command is a command that there is.
  const [, command] = /`onoma trademark fetch (--years \d+ --import)`/.exec(message)!
  assert.equal(parseFetchOptions(command!.split(' ')).import, true)
  assert.match(message, /ONOMA_TRADEMARK_OFFICE_KEY/)
  const { body } = await door.get('/v1/trademark/search/status')
  assert.equal((body as { available: boolean }).available, false)
})

test('a file that is not of the register is rejected with a message, and changes nothing', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const page = join(folder, 'page.zip')
  writeFileSync(page, '<html>Not found</html>')
  const said: string[] = []
  const needs = {
    config: { trademarkIndex: join(folder, 'index') },
    output: { write: (line: string) => said.push(line) },
  }
  const { signal } = new AbortController()
  assert.equal(await importTrademarks([page, join(folder, 'missing.zip')], { ...needs, signal }), false)
  assert.equal(said.length, 2)
  for (const line of said) assert.match(line, /not imported\. /)
})
