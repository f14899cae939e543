import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { suite, test } from 'node:test'
import { openDatabase } from './schema.ts'
import { csvOf, everyListing, NOW, second, listingsFor, someLines } from './listings.fixture.ts'
import { createSearcher } from './sqlite-search.ts'
import { LEASE_SECONDS } from './listing-writer.ts'
import { sqliteListingStore } from './sqlite-store.ts'

suite('a delivery', () => {
  test('is searchable after its sync, and the run is recorded', async (t) => {
    const listings = listingsFor(t)
    const report = await listings.deliver(csvOf([{ id: '1', domain: 'one.com', bids: 3, price: 12.5 }, { id: '2' }]))
    assert.deepEqual(
      [report.outcome, report.rows, report.added, report.changed, report.refused],
      ['complete', 2, 2, 0, 0],
    )
    const { auctions, total, sources } = listings.search()
    assert.equal(total, 2)
    assert.deepEqual(sources.source_a, { lastSync: second(NOW), count: 2 })
    assert.deepEqual(sources.source_b, { lastSync: null, count: 0 })
    const [one] = auctions
    assert.deepEqual(
      [one!.domain, one!.bids, one!.priceUsdCents, one!.updatedAt, one!.metrics.metric_a_dr],
      ['one.com', 3, 1250, second(NOW), 10],
    )
    assert.deepEqual(listings.runs(), [{ outcome: 'complete', rows: 2, refused: 0, reason: '' }])
  })

  test('that is unchanged changes nothing, not even update times', async (t) => {
    const listings = listingsFor(t)
    await listings.deliver(csvOf(someLines(10)))
    listings.clock.advance(3_600_000)
    const report = await listings.deliver(csvOf(someLines(10)))
    assert.deepEqual([report.added, report.changed, report.removed], [0, 0, 0])
    assert.ok(listings.search().auctions.every(({ updatedAt }) => updatedAt === second(NOW)))
    assert.equal(listings.search().sources.source_a.lastSync, second(NOW) + 3600)
  })

  test('updates changed auctions, adds new ones and removes missing ones', async (t) => {
    const listings = listingsFor(t)
    await listings.deliver(csvOf([{ id: '1' }, { id: '2' }, { id: '3' }]))
    listings.clock.advance(60_000)
    const report = await listings.deliver(csvOf([{ id: '2', bids: 9 }, { id: '3' }, { id: '4' }]))
    assert.deepEqual([report.added, report.changed, report.removed, report.kept], [1, 1, 1, 0])
    assert.deepEqual(listings.domains().toSorted(), ['name-2.com', 'name-3.com', 'name-4.com'])
    assert.equal(listings.search({ minBids: 9 }).auctions[0]!.updatedAt, second(NOW) + 60)
    const back = await listings.deliver(csvOf([{ id: '1' }, { id: '2', bids: 9 }, { id: '3' }, { id: '4' }]))
    assert.deepEqual([back.added, back.changed], [0, 1], 'what comes back is the one that was there')
    assert.equal(listings.search().total, 4)
  })

  test('in which too many auctions are missing removes none and reports it', async (t) => {
    const listings = listingsFor(t)
    await listings.deliver(csvOf(someLines(600)))
    const kept = await listings.deliver(csvOf(someLines(99)))
    assert.deepEqual([kept.outcome, kept.removed, kept.kept], ['complete', 0, 501])
    assert.equal(listings.search().total, 600)
    const removed = await listings.deliver(csvOf(someLines(100)))
    assert.deepEqual([removed.removed, removed.kept], [500, 0])
    assert.equal(listings.search().total, 100)
  })

  test('of another provider replaces all auctions of the former one', async (t) => {
    const listings = listingsFor(t)
    const from = (provider: string) => ({ provider })
    await listings.deliver(csvOf(someLines(600)), 'source_a', from('namecheap'))
    const same = await listings.deliver(csvOf(someLines(5)), 'source_a', from('namecheap'))
    assert.deepEqual([same.removed, same.kept], [0, 595])
    const other = await listings.deliver(csvOf(someLines(5, 1000)), 'source_a', from('sedo'))
    assert.deepEqual([other.outcome, other.added, other.removed, other.kept], ['complete', 5, 600, 0])
    assert.equal(listings.search().total, 5)
  })

  test('does not affect other sources, where the same id is another auction', async (t) => {
    const listings = listingsFor(t)
    await listings.deliver(csvOf(someLines(3)))
    await listings.deliver(csvOf(someLines(2)), 'source_b')
    assert.equal(listings.search().total, 5)
    assert.equal(listings.search({ sources: ['source_b'] }).total, 2)
    assert.deepEqual(listings.search().sources.source_a.count, 3)
  })

  test('has invalid rows and duplicate ids refused one by one', async (t) => {
    const listings = listingsFor(t)
    const lines = csvOf([...someLines(40), { id: '5', price: 99 }, { id: 'x', domain: 'no name' }])
    const report = await listings.deliver(lines)
    assert.deepEqual([report.outcome, report.added, report.refused], ['complete', 40, 2])
    assert.deepEqual(report.reasons, { 'the domain is not valid': 1, 'duplicate id': 1 })
    const again = await listings.deliver(csvOf([...someLines(40), { id: '7' }]))
    assert.deepEqual([again.changed, again.reasons], [0, { 'duplicate id': 1 }])
    assert.equal(listings.search({ minPrice: 9900 }).total, 0)
  })

  test('with more than 10% invalid rows is rejected before anything is written', async (t) => {
    const listings = listingsFor(t)
    await listings.deliver(csvOf(someLines(5)))
    const bad = someLines(3).map(({ id }) => ({ id: `bad-${id}`, price: 'free' }))
    const report = await listings.deliver(csvOf([...someLines(20, 100), ...bad]))
    assert.deepEqual([report.outcome, report.retryable], ['failed', true])
    assert.match(report.problem!, /3 of 23/)
    assert.equal(listings.search().total, 5)
    assert.deepEqual(
      listings.runs().map(({ outcome }) => outcome),
      ['complete', 'failed'],
    )
  })

  const useless: [string, string][] = [
    ['a web page', '<!doctype html>\n<html></html>\n'],
    ['empty', ''],
    ['only a header', csvOf([])],
    ['an unclosed quote', `${csvOf(someLines(3))}"9,`],
  ]
  for (const [what, text] of useless) {
    test(`that is ${what} is rejected and removes nothing`, async (t) => {
      const listings = listingsFor(t)
      await listings.deliver(csvOf(someLines(5)))
      const report = await listings.deliver(text)
      assert.equal(report.outcome, 'failed')
      assert.equal(listings.search().total, 5)
      assert.equal(listings.search().sources.source_a.lastSync, second(NOW))
    })
  }

  test('that is unchanged is not parsed again, unless its location changes', async (t) => {
    const listings = listingsFor(t)
    const file = join(listings.folder, 'feed.csv')
    writeFileSync(file, csvOf(someLines(3)))
    assert.equal((await listings.sync(file)).outcome, 'complete')
    listings.clock.advance(1000)
    assert.equal((await listings.sync(file)).outcome, 'unchanged')
    assert.equal(listings.search().sources.source_a.lastSync, second(NOW) + 1)
    assert.equal(
      (await listings.sync(`${listings.folder}/../${listings.folder.split('/').at(-1)}/feed.csv`)).outcome,
      'complete',
    )
    assert.equal(
      (await listings.sync(join(listings.folder, 'gone.csv'))).problem,
      'The feed file of source_a does not exist.',
    )
  })

  test('hides auctions when they end and deletes them a day later', async (t) => {
    const listings = listingsFor(t)
    await listings.deliver(
      csvOf([
        { id: '1', ends: 1 },
        { id: '2', ends: 100 },
      ]),
    )
    listings.clock.advance(3_600_000)
    assert.deepEqual(listings.domains(), ['name-2.com'], 'what ends now has ended')
    await listings.deliver(csvOf([{ id: '2', ends: 100 }]))
    const count = () => {
      const database = openDatabase(listings.path)
      const tables = ['auction', 'detail']
      const counts = tables.map((name) => Object.values(database.prepare(`SELECT count(*) FROM ${name}`).get()!)[0])
      database.close()
      return counts
    }
    assert.deepEqual(count(), [2, 2])
    listings.clock.advance(25 * 3_600_000)
    await listings.deliver(csvOf([{ id: '2', ends: 100 }]))
    assert.deepEqual(count(), [1, 1])
  })

  test('that reuses an id for another domain is found by the new domain only', async (t) => {
    const listings = listingsFor(t)
    await listings.deliver(csvOf([{ id: '1', domain: 'before.com' }]))
    await listings.deliver(csvOf([{ id: '1', domain: 'afterwards.net' }]))
    assert.deepEqual(listings.domains({ contains: 'before' }), [])
    assert.deepEqual(listings.domains({ contains: 'after', tld: 'net' }), ['afterwards.net'])
  })
})

suite('search by name', () => {
  test('finds any substring of the domain, of any length, and no character is special', async (t) => {
    const listings = listingsFor(t)
    const domains = ['cloud-shop.com', 'mycloud.io', 'cloudy.co', 'a.io', 'ab.io', 'zebra.co.uk', '9-9.net', 'x--9.org']
    await listings.deliver(csvOf(domains.map((domain, id) => ({ id: String(id), domain }))))
    const parts = new Set(
      domains.flatMap((domain) =>
        Array.from(domain).flatMap((_, from) =>
          Array.from(domain.slice(from), (_, at) => domain.slice(from, from + at + 1)),
        ),
      ),
    )
    const strange = ['%', '_', '%%%', 'c%d', 'clo*', '"cloud', 'cloud" OR "zebra', 'cloud OR zebra', '...', '..', "'--"]
    const absent = ['q', 'zz', '8', '7-', 'cloudx', 'o.i', '.com.', 'b.co.uk', 'bücher', 'cloud-shop.com.', ' ', '\\']
    for (const text of [...parts, ...strange, ...absent]) {
      const expected = domains.filter((domain) => domain.includes(text))
      assert.deepEqual(listings.domains({ contains: text }).toSorted(), expected.toSorted(), JSON.stringify(text))
    }
  })
})

suite('several processes with one index', () => {
  test('allow one sync per source, until its lease expires', async (t) => {
    const listings = listingsFor(t)
    const database = openDatabase(listings.path)
    t.after(() => database.close())
    const store = (holder: string) => sqliteListingStore(database, { clock: listings.clock, holder })
    const first = store('first').begin('source_a')!
    const busy = await listings.deliver(csvOf(someLines(1)))
    assert.equal(busy.outcome, 'busy')
    assert.ok(store('second').begin('source_b'), 'another source is free')
    listings.clock.advance(LEASE_SECONDS * 1000)
    assert.equal((await listings.deliver(csvOf(someLines(2)))).outcome, 'complete')
    assert.throws(() => first.put([]), /took over/)
    first.fail('too late')
    assert.deepEqual(
      listings.runs().map(({ outcome }) => outcome),
      ['interrupted', 'running', 'complete'],
    )
    assert.equal(listings.search().total, 2)
  })

  test('show a reader new rows one by one', async (t) => {
    const listings = listingsFor(t)
    await listings.deliver(csvOf(someLines(3)))
    const database = openDatabase(listings.path)
    t.after(() => database.close())
    const searcher = createSearcher(database)
    const found = () => searcher.search(everyListing).auctions.map(({ domain, bids }) => `${domain} ${bids}`)
    assert.equal(found().length, 3)
    await listings.deliver(csvOf([{ id: '1', bids: 5 }, { id: '2' }, { id: '7' }]))
    assert.deepEqual(found(), ['name-1.com 5', 'name-2.com 0', 'name-7.com 0'])
    assert.equal(searcher.search(everyListing).sources.source_a.count, 3)
    // A reader that missed deletions reloads everything.
    database.exec('DELETE FROM detail WHERE id = 2; DELETE FROM auction WHERE id = 2')
    assert.deepEqual(found(), ['name-2.com 0', 'name-7.com 0'])
  })

  test('do not touch a database of another version', (t) => {
    const listings = listingsFor(t)
    const database = openDatabase(listings.path)
    database.exec('PRAGMA user_version = 99')
    database.close()
    assert.throws(() => openDatabase(listings.path), /schema version 99/)
  })
})
