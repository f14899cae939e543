import assert from 'node:assert/strict'
import type { RequestListener } from 'node:http'
import { suite, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { OFFICE_KEY, startOffice } from '../../sandbox/trademark/office.ts'
import { manualClock } from '../../src/kernel/clock.ts'
import { createUpstream } from '../../src/kernel/upstream/client.ts'
import { serve, upstreamFor, failing } from '../../src/kernel/upstream/loopback.fixture.ts'
import { createEnrich } from '../../src/trademark/enrich.ts'
import type { TrademarkRecord } from '../../src/trademark/record.ts'
import { trademarkRoutes } from '../../src/trademark/routes.ts'
import type { PageWithInfo, SearchIndex } from '../../src/trademark/search-index.ts'
import { createTrademarks } from '../../src/trademark/service.ts'
import { recordOf } from '../../src/trademark/sources/records.fixture.ts'
import { tsdrRecords } from '../../src/trademark/sources/tsdr.ts'
import { startDoor } from '../support/door.ts'

type Result = { serial_number: string; record_enriched: boolean; record_data?: Record<string, unknown> }

const RECORDS = [1, 2, 3].map((at) =>
  recordOf({
    serial: `7000000${at}`,
    mark: 'ACME',
    owner: `Owner ${at}`,
    attorney: 'A. Lawyer',
    history: ['2020-01-02 FILED'],
  }),
)

/** Finds these records for any query: these tests are about what follows the search. */
function indexOf(records: readonly TrademarkRecord[]): SearchIndex {
  const details = {
    exactMatch: true,
    phoneticMatch: true,
    fuzzyDistance: 0,
    stringSimilarity: 1,
    prefixMatch: true,
    phoneticCodes: '',
    matchedCodes: '',
    indexScore: 1,
    reasons: [],
  }
  const info = { documents: records.length, bytes: 1, lastUpdated: '2026-11-15T00:00:00.000Z', snapshot: 'one' }
  const hits = records.map((record) => ({ record, score: 1, details }))
  const page: PageWithInfo = { hits, total: hits.length, isLowerBound: false, info }
  const find = async () => page
  return { search: find, byDescription: find, byOwner: find, expiring: find, info: () => info, close: async () => {} }
}

type SystemOptions = {
  readonly records?: readonly TrademarkRecord[]
  readonly timeoutMs?: number
  readonly key?: string
}

/** The service with a record system at this address. */
async function serviceAt(
  t: TestContext,
  url: string,
  { records = RECORDS, timeoutMs = 600_000, key = OFFICE_KEY }: SystemOptions = {},
) {
  const clock = manualClock()
  const warnings: string[] = []
  const upstream = createUpstream({
    name: 'records',
    userAgent: 'onoma-test',
    clock,
    allow: (address) => address === '127.0.0.1',
    timeoutMs: 600_000,
    maxBytes: 1024 * 1024,
    connections: 4,
    maxQueue: 100,
  })
  const log = { warn: (_facts: object, sentence: string) => void warnings.push(sentence) }
  const enrich = createEnrich({ system: tsdrRecords({ upstream, url, key }), clock, log, timeoutMs })
  const index = indexOf(records)
  const door = await startDoor(trademarkRoutes(createTrademarks({ index: () => index, clock, enrich })))
  t.after(async () => {
    await door.stop()
    await upstream.close()
  })
  const search = async () => {
    const { status, body } = await door.get('/v1/trademark/search?q=acme')
    assert.equal(status, 200)
    return (body as { results: Result[] }).results
  }
  const enriched = async () => (await search()).map((one) => one.record_enriched)
  return { clock, warnings, search, enriched }
}

async function officeFor(t: TestContext, script?: (path: string) => string) {
  const wait = (ms: number, signal: AbortSignal) => sleep(ms, undefined, { signal })
  const office = await startOffice({ wait, records: RECORDS, ...(script && { script }) })
  t.after(office.stop)
  return office
}

suite('results of a trademark search', () => {
  test('have the data of the record system, if one is configured', async (t) => {
    const { casesUrl } = await officeFor(t)
    const [first] = await (await serviceAt(t, casesUrl)).search()
    assert.equal(first!.record_enriched, true)
    assert.deepEqual(first!.record_data, {
      current_status: 'As told by the record system.',
      current_owner: 'Owner 1',
      last_updated: '2026-11-14',
      prosecution_history_summary: '2026-11-14 REGISTERED; 2020-01-02 NEW APPLICATION ENTERED',
      attorney_of_record: 'A. Lawyer',
      live_dead: 'LIVE',
      record_url: 'https://tsdr.uspto.gov/#caseNumber=70000001&caseType=SERIAL_NO&searchType=statusSearch',
      goods_services_classes: ['025'],
    })
  })

  test('have the data of the register, if no record system is configured', async (t) => {
    const index = indexOf(RECORDS)
    const door = await startDoor(trademarkRoutes(createTrademarks({ index: () => index, clock: manualClock() })))
    t.after(door.stop)
    const { body } = await door.get('/v1/trademark/search?q=acme')
    const [first] = (body as { results: Result[] }).results
    assert.equal(first!.record_enriched, true)
    assert.equal(first!.record_data!['prosecution_history_summary'], '2020-01-02 FILED')
  })

  test('are looked up once an hour', async (t) => {
    const office = await officeFor(t)
    const { enriched, clock } = await serviceAt(t, office.casesUrl)
    await enriched()
    await enriched()
    assert.equal(office.asked.length, 3)
    clock.advance(3_600_001)
    assert.deepEqual(await enriched(), [true, true, true])
    assert.equal(office.asked.length, 6)
  })

  for (const word of ['hang', 'broken', 'down', 'foreign', 'half', 'cut', 'reset', 'huge64', 'redirect', 'denied403']) {
    test(`have no record data if the lookup ends with ${word}, and the others have theirs`, async (t) => {
      const office = await officeFor(t, (path) => (path.includes('70000002') ? word : ''))
      // Only `hang` may reach its deadline; the others must not, even on a busy machine.
      const { search } = await serviceAt(t, office.casesUrl, word === 'hang' ? { timeoutMs: 8_000 } : {})
      const results = await search()
      assert.equal(results[1]!.record_enriched, false)
      assert.equal('record_data' in results[1]!, false)
      // A rejected key pauses all lookups, so the others may or may not have their data.
      if (word !== 'denied403')
        assert.deepEqual([results[0]!.record_enriched, results[2]!.record_enriched], [true, true])
    })
  }

  test('have no record data if the system does not know the record, or the key is wrong', async (t) => {
    const office = await officeFor(t)
    const stranger = recordOf({ serial: '79999999', mark: 'ACME' })
    assert.deepEqual(await (await serviceAt(t, office.casesUrl, { records: [stranger, RECORDS[0]!] })).enriched(), [
      false,
      true,
    ])
    const refused = await serviceAt(t, office.casesUrl, { key: 'wrong' })
    assert.deepEqual(await refused.enriched(), [false, false, false])
    const asked = office.asked.length
    await refused.enriched()
    assert.equal(office.asked.length, asked)
    assert.equal(refused.warnings.length, 1)
  })

  test('are not looked up while the system asks for a pause', async (t) => {
    let isBusy = true
    const office = await officeFor(t, () => (isBusy ? 'throttled120' : ''))
    const { enriched, clock } = await serviceAt(t, office.casesUrl)
    assert.deepEqual(await enriched(), [false, false, false])
    isBusy = false
    const asked = office.asked.length
    clock.advance(119_000)
    assert.deepEqual(await enriched(), [false, false, false])
    assert.equal(office.asked.length, asked)
    clock.advance(2_000)
    assert.deepEqual(await enriched(), [true, true, true])
  })

  test('are not looked up for a while after repeated failures, then again', async (t) => {
    let isBroken = true
    const office = await officeFor(t, () => (isBroken ? 'broken' : ''))
    const { enriched, clock, warnings } = await serviceAt(t, office.casesUrl)
    await enriched()
    await enriched()
    const asked = office.asked.length
    assert.deepEqual(await enriched(), [false, false, false])
    assert.deepEqual([office.asked.length, warnings.length], [asked, 1])
    isBroken = false
    clock.advance(30_001)
    assert.deepEqual(await enriched(), [true, true, true])
  })
})

suite('the record system', () => {
  const look = async (t: TestContext, listener: RequestListener) => {
    const port = await serve(t, listener)
    const url = `http://127.0.0.1:${port}/sn{serial}`
    return tsdrRecords({ upstream: upstreamFor(t), url, key: null }).lookUp('70000001', new AbortController().signal)
  }
  const answering =
    (value: unknown): RequestListener =>
    (_request, response) =>
      void response.end(JSON.stringify(value))
  const caseWith = (more: object, status: object = {}) => ({
    trademarks: [{ status: { serialNumber: 70000001, ...status }, ...more }],
  })

  test('is rejected if it sends another record', async (t) => {
    const other = { trademarks: [{ status: { serialNumber: 70000002 } }] }
    await assert.rejects(look(t, answering(other)), failing('unavailable', /another record/))
  })

  test('may omit everything but the serial number, or send it in another form', async (t) => {
    const nothing = { status: null, isLive: null, owner: null, attorney: null, touched: null, history: [], classes: [] }
    assert.deepEqual(await look(t, answering(caseWith({}))), nothing)
    const odd = { parties: 7, gsList: [null, { internationalClasses: 'x' }], prosecutionHistory: [{}, 4, null] }
    assert.deepEqual(await look(t, answering(caseWith(odd, { extStatusDesc: {}, statusDate: 5 }))), nothing)
  })

  test('has the latest owner in the highest group; live or dead comes from the code if the text is missing', async (t) => {
    const parties = { ownerGroups: { '40': [{ name: ' New\u0000\n Owner ' }], '10': [{ name: 'Old' }], '30': [] } }
    const found = await look(t, answering(caseWith({ parties }, { status: 602 })))
    assert.deepEqual([found?.owner, found?.isLive], ['New Owner', false])
  })

  test('may send anything without breaking the lookup', async (t) => {
    let body = ''
    const port = await serve(t, (_request, response) => void response.end(body))
    const system = tsdrRecords({ upstream: upstreamFor(t), url: `http://127.0.0.1:${port}/{serial}`, key: null })
    const value = fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom<unknown>(null, [], {}, 'x', 1e99))
    const part = fc.record(
      { status: value, parties: value, gsList: value, prosecutionHistory: fc.array(value) },
      { requiredKeys: [] },
    )
    await fc.assert(
      fc.asyncProperty(part, async ({ status, ...more }) => {
        body = JSON.stringify(caseWith(more, { extStatusDesc: status, correspondence: status }))
        const found = await system.lookUp('70000001', new AbortController().signal)
        assert.ok(found !== null && found.history.length <= 5)
      }),
      { numRuns: 60 },
    )
  })
})
