import { join } from 'node:path'

export const recordsPath = (folder: string) => join(folder, 'records.sqlite')

/** ASCII `Onom` in SQLite's header: identifies the file as a record store. */
export const APPLICATION_ID = 0x4f6e6f6d
export const SCHEMA_VERSION = 2

/**
 * Every imported version of a record is a row of its own that never changes, so a segment can refer to it by id. The latest
 * version of a serial number has the highest id.
 */
export const SCHEMA = `
  PRAGMA application_id = ${APPLICATION_ID};
  PRAGMA user_version = ${SCHEMA_VERSION};
  CREATE TABLE record (
    id INTEGER PRIMARY KEY,
    serial INTEGER NOT NULL,
    touched INTEGER NOT NULL,
    -- CRC-32 of the body.
    sum INTEGER NOT NULL,
    -- See body.ts.
    body BLOB NOT NULL
  ) STRICT;
  CREATE INDEX record_by_serial ON record (serial);
  -- by_id took the place of id.
  CREATE TABLE superseded (
    by_id INTEGER PRIMARY KEY,
    id INTEGER NOT NULL
  ) STRICT;
  -- Imported files of the register, in order.
  CREATE TABLE file (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL UNIQUE,
    taken_in TEXT NOT NULL,
    -- Records in the file, sparse ones among them, and new or newer ones.
    records INTEGER NOT NULL,
    sparse INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    -- The highest id and the snapshot after the import.
    last_id INTEGER NOT NULL,
    snapshot TEXT NOT NULL
  ) STRICT;
`
