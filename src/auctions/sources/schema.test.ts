import assert from 'node:assert/strict'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { suite, test } from 'node:test'
import { sqliteSaleStore } from './sale-store.ts'
import { openDatabase } from './schema.ts'
import { csvOf, folderFor, listingsFor } from './listings.fixture.ts'

/** Downgrades a database to the schema of version 1. */
const TO_VERSION_1 = `
  DROP TABLE sale_listing;
  DELETE FROM source WHERE id >= 100;
  ALTER TABLE auction DROP COLUMN name;
  ALTER TABLE auction ADD COLUMN start INTEGER NOT NULL DEFAULT 0;
  CREATE VIRTUAL TABLE name_index USING fts5(name, content='', contentless_delete=1, tokenize='trigram case_sensitive 1');
  INSERT INTO name_index (rowid, name) SELECT id, 'anything' FROM auction;
  PRAGMA user_version = 1;
`

suite('the database file', () => {
  test('of version 1 is upgraded, and can be searched and synced', async (t) => {
    const listings = listingsFor(t)
    const feed = csvOf([
      { id: '1', domain: 'cloud.com' },
      { id: '2', domain: 'zebra.co.uk' },
    ])
    await listings.deliver(feed)
    const old = new DatabaseSync(listings.path)
    old.exec(TO_VERSION_1)
    old.close()
    assert.deepEqual(listings.domains({ contains: 'ra.co' }), ['zebra.co.uk'])
    assert.deepEqual(listings.domains({ contains: 'ou' }), ['cloud.com'])
    const { added, changed } = await listings.deliver(feed)
    assert.deepEqual([added, changed], [0, 0])
  })

  test('of version 2 is upgraded: it gets room for sale listings, and keeps its auctions', async (t) => {
    const listings = listingsFor(t)
    await listings.deliver(csvOf([{ id: '1', domain: 'cloud.com' }]))
    const old = new DatabaseSync(listings.path)
    old.exec('DROP TABLE sale_listing; DELETE FROM source WHERE id >= 100; PRAGMA user_version = 2')
    old.close()
    assert.deepEqual(listings.domains(), ['cloud.com'])
    const database = openDatabase(listings.path)
    t.after(() => database.close())
    const store = sqliteSaleStore(database, { clock: listings.clock, holder: 'me' })
    const record = { source: 'sedo-listings', domain: 'cloud.com', price: 5, currency: 'EUR' } as const
    assert.equal(store.begin('sedo-listings')!.put([{ record, mark: 1 }]).added, 1)
  })

  test('of a later version is rejected with a message that says what to do', (t) => {
    const path = join(folderFor(t), 'auctions.sqlite')
    const later = new DatabaseSync(path)
    later.exec('PRAGMA user_version = 99')
    later.close()
    assert.throws(
      () => openDatabase(path),
      /has schema version 99, but this service needs 3; remove the file and sync again/,
    )
  })
})
