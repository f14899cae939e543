import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite, test, type TestContext } from 'node:test'
import { type FeedChoice, loadFeeds } from '../src/auctions/sources/feed/load-feeds.ts'
import { loadSaleFeeds } from '../src/auctions/sources/feed/sale-presets.ts'
import { runSync } from '../src/auctions/sources/sync-run.ts'
import { systemClock } from '../src/kernel/clock.ts'
import { auctions } from './auctions.ts'
import { OUTCOME_WORDS } from './outcome.ts'
import { startWorld } from './world.ts'

async function worldFor(t: TestContext) {
  // Scripted delays return at once; only the timeout of the sync is real.
  const world = await startWorld([auctions], { seed: 1, wait: async () => {} })
  const folder = mkdtempSync(join(tmpdir(), 'onoma-test-'))
  t.after(async () => {
    await world.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const choice = (letter: string): FeedChoice => ({
    source: `source_${letter.toLowerCase()}` as FeedChoice['source'],
    url: world.settings[`ONOMA_AUCTIONS_SOURCE_${letter}_URL`]!,
    preset: world.settings[`ONOMA_AUCTIONS_SOURCE_${letter}_PRESET`] as FeedChoice['preset'],
    header: null,
    format: null,
    columns: null,
    currency: null,
    timeZone: null,
    intervalMinutes: null,
  })
  const sync = async (letter: string, script = '', over: Partial<FeedChoice> = {}) => {
    const wanted = { ...choice(letter), ...over }
    const url = new URL(wanted.url!)
    if (script !== '') url.pathname = `/${script}${url.pathname}`
    return run(loadFeeds([{ ...wanted, url: url.href }])[0]!)
  }
  const run = (settings: Parameters<typeof runSync>[0]['settings']) => {
    const order = { path: join(folder, 'auctions.sqlite'), settings, userAgent: 'test', sandbox: true, holder: 'me' }
    const limits = { timeoutMs: 2000, downloadBytes: 4 * 1024 * 1024 }
    return runSync(
      { ...order, limits },
      { clock: systemClock, wait: async () => {}, signal: new AbortController().signal },
    )
  }
  const syncSales = () =>
    Promise.all(
      loadSaleFeeds([
        { feed: 'namecheap-buynow', url: world.settings['ONOMA_AUCTIONS_NAMECHEAP_BUYNOW_URL']! },
        { feed: 'sedo-listings', url: world.settings['ONOMA_AUCTIONS_SEDO_LISTINGS_URL']! },
      ]).map(run),
    )
  return { sync, syncSales, choice }
}

suite('the auction houses of the sandbox', () => {
  test('are imported completely with their presets, and nothing is new on the second sync', async (t) => {
    const { sync } = await worldFor(t)
    for (const [letter, rows] of [
      ['A', 2000],
      ['B', 300],
      ['C', 300],
    ] as const) {
      const report = await sync(letter)
      assert.deepEqual([report.outcome, report.added, report.refused, report.problem], ['complete', rows, 0, undefined])
      const again = await sync(letter)
      // Pages have no validator: they are read again.
      assert.deepEqual([again.outcome, again.changed], [letter === 'B' ? 'complete' : 'unchanged', 0])
    }
  })

  test('the lists of domains for sale are read completely', async (t) => {
    const { syncSales } = await worldFor(t)
    const counts = (await syncSales()).map(({ outcome, added, refused, problem }) => [outcome, added, refused, problem])
    assert.deepEqual(counts, [
      ['complete', 200, 0, undefined],
      ['complete', 100, 0, undefined],
    ])
    assert.deepEqual(
      (await syncSales()).map(({ outcome }) => outcome),
      ['unchanged', 'unchanged'],
    )
  })

  test('one of them needs a key, and says so with status 200', async (t) => {
    const { sync, choice } = await worldFor(t)
    const url = choice('B').url!.replace(/key=[\w-]+/, 'key=another')
    const report = await sync('B', '', { url })
    assert.deepEqual([report.outcome, report.retryable], ['failed', false])
    assert.match(report.problem!, /"invalid key"/)
  })

  const fine = new Set(['slow', 'drip'])
  for (const word of OUTCOME_WORDS.filter((one) => one !== 'drip')) {
    test(`${word}: ${fine.has(word) ? 'the sync is complete' : 'the sync fails and keeps all auctions'}`, async (t) => {
      const { sync } = await worldFor(t)
      await sync('B')
      const script = word === 'huge' ? 'huge5' : word
      const report = await sync('B', script)
      assert.equal(report.outcome, fine.has(word) ? 'complete' : 'failed', JSON.stringify(report))
      if (!fine.has(word)) assert.ok(report.problem)
      const again = await sync('B')
      assert.deepEqual([again.added, again.removed], [0, 0])
    })
  }

  // Half a CSV file looks complete, because the format has no end marker.
  test('half a CSV file removes no auctions', async (t) => {
    const { sync } = await worldFor(t)
    await sync('A')
    const report = await sync('A', 'half')
    assert.deepEqual([report.outcome, report.removed], ['complete', 0])
    assert.ok(report.kept > 900)
  })
})
