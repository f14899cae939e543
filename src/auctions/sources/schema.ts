import { DatabaseSync } from 'node:sqlite'
import { type FeedId, isSaleFeed, SALE_FEED_IDS, SOURCE_IDS } from '../auction.ts'

const VERSION = 3

/**
 * `auction` is narrow, because searches load all of it and every sync looks up all of it; fields that are only displayed
 * are in `detail`. `seq` grows with every writing transaction, so that readers can fetch what is new. Ids are never
 * reused. `name` is the domain before its first dot. `mark` is the hash of the record in the feed. `sale_listing` has the
 * domains that are for sale without an end, one by one: no search loads them.
 */
const SCHEMA = `
  CREATE TABLE auction (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    seq INTEGER NOT NULL,
    source INTEGER NOT NULL,
    ends INTEGER NOT NULL,
    price INTEGER NOT NULL,
    bids INTEGER NOT NULL,
    quality INTEGER NOT NULL,
    newest INTEGER NOT NULL,
    tld INTEGER NOT NULL,
    name TEXT NOT NULL,
    mark INTEGER NOT NULL,
    external_id TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX auction_external ON auction (source, external_id);
  CREATE INDEX auction_news ON auction (seq);
  CREATE TABLE detail (id INTEGER PRIMARY KEY, updated INTEGER NOT NULL, body TEXT NOT NULL) STRICT;
  CREATE TABLE tld (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE source (
    id INTEGER PRIMARY KEY,
    last_sync INTEGER,
    validator TEXT NOT NULL DEFAULT '',
    holder TEXT NOT NULL DEFAULT '',
    held_until INTEGER NOT NULL DEFAULT 0
  ) STRICT;
  CREATE TABLE sync_run (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    source INTEGER NOT NULL,
    began INTEGER NOT NULL,
    ended INTEGER,
    outcome TEXT NOT NULL DEFAULT 'running',
    rows INTEGER NOT NULL DEFAULT 0,
    refused INTEGER NOT NULL DEFAULT 0,
    added INTEGER NOT NULL DEFAULT 0,
    changed INTEGER NOT NULL DEFAULT 0,
    removed INTEGER NOT NULL DEFAULT 0,
    kept INTEGER NOT NULL DEFAULT 0,
    reason TEXT NOT NULL DEFAULT ''
  ) STRICT;
  CREATE TABLE counter (name TEXT PRIMARY KEY, value INTEGER NOT NULL) STRICT;
  INSERT INTO counter VALUES ('seq', 0);
`

const SALE_LISTINGS = `
  CREATE TABLE sale_listing (
    id INTEGER PRIMARY KEY,
    source INTEGER NOT NULL,
    domain TEXT NOT NULL,
    mark INTEGER NOT NULL,
    updated INTEGER NOT NULL,
    body TEXT NOT NULL
  ) STRICT;
  CREATE UNIQUE INDEX sale_listing_domain ON sale_listing (domain, source);
`

/** Version 1 stored the first two characters and a trigram index instead of the name. */
const FROM_VERSION_1 = `
  ALTER TABLE auction ADD COLUMN name TEXT NOT NULL DEFAULT '';
  UPDATE auction SET name = (
    SELECT substr(body ->> '$.domain', 1, instr(body ->> '$.domain', '.') - 1) FROM detail WHERE detail.id = auction.id
  );
  ALTER TABLE auction DROP COLUMN start;
  DROP TABLE name_index;
`

/** The source's id in the database. */
export const sourceNumber = (id: FeedId): number =>
  isSaleFeed(id) ? FIRST_SALE_FEED + SALE_FEED_IDS.indexOf(id) : SOURCE_IDS.indexOf(id)

/** Leaves room for further sources of auctions. */
const FIRST_SALE_FEED = 100

const CACHE_KIB = 16_384

/** Opens or creates the database; its folder must exist. Throws a message for the operator if it cannot be used. */
export function openDatabase(path: string): DatabaseSync {
  const database = new DatabaseSync(path)
  try {
    database.exec(`PRAGMA busy_timeout = 30000; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
      PRAGMA cache_size = -${CACHE_KIB}; PRAGMA temp_store = MEMORY; PRAGMA trusted_schema = OFF`)
    prepareSchema(database, path)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

function prepareSchema(database: DatabaseSync, path: string): void {
  if (versionOf(database) < VERSION) {
    // Two processes may start at once: check the version again inside the transaction.
    inTransaction(database, () => {
      const version = versionOf(database)
      if (version >= VERSION) return
      if (version === 0) createSchema(database)
      else if (version === 1) database.exec(FROM_VERSION_1)
      // All versions before the third have no sale listings.
      database.exec(SALE_LISTINGS)
      addSources(database, SALE_FEED_IDS)
      database.exec(`PRAGMA user_version = ${VERSION}`)
    })
  }
  const version = versionOf(database)
  if (version !== VERSION) throw new Error(wrongVersion(path, version))
}

const wrongVersion = (file: string, version: number): string =>
  `${file} has schema version ${version}, but this service needs ${VERSION}; remove the file and sync again.`

/** Why a later version than ours cannot be used; null if the version is ours or can be upgraded. */
export function findVersionProblem(database: DatabaseSync, file: string): string | null {
  const version = versionOf(database)
  return version > VERSION ? wrongVersion(file, version) : null
}

function createSchema(database: DatabaseSync): void {
  database.exec(SCHEMA)
  addSources(database, SOURCE_IDS)
}

function addSources(database: DatabaseSync, ids: readonly FeedId[]): void {
  const add = database.prepare('INSERT INTO source (id) VALUES (?)')
  for (const id of ids) add.run(sourceNumber(id))
}

const versionOf = (database: DatabaseSync): number =>
  (database.prepare('PRAGMA user_version').get() as { user_version: number }).user_version

/** Runs in one write transaction; other writers wait. */
export function inTransaction<T>(database: DatabaseSync, run: () => T): T {
  database.exec('BEGIN IMMEDIATE')
  try {
    const result = run()
    database.exec('COMMIT')
    return result
  } catch (error) {
    if (database.isTransaction) database.exec('ROLLBACK')
    throw error
  }
}
