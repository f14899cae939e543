import { join } from 'node:path'

export const recordsPath = (folder: string) => join(folder, 'records.sqlite')

/** `Onoma` in SQLite's header, so that nobody takes another file for ours. */
export const APPLICATION_ID = 0x4f6e6f6d
export const SCHEMA_VERSION = 2

/**
 * Every version of a record that was ever imported is a row of its own, and never changes: what an index refers to by its
 * id says the same as long as it is there. The latest version of a serial number has the highest id.
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
  -- Which version took the place of which.
  CREATE TABLE superseded (
    by_id INTEGER PRIMARY KEY,
    id INTEGER NOT NULL
  ) STRICT;
  -- Files of the register that were taken in, in that order.
  CREATE TABLE file (
    number INTEGER PRIMARY KEY,
    name TEXT NOT NULL,
    bytes INTEGER NOT NULL,
    sha256 TEXT NOT NULL UNIQUE,
    taken_in TEXT NOT NULL,
    -- As counted in the file, and how many of them were new or newer.
    records INTEGER NOT NULL,
    sparse INTEGER NOT NULL,
    changed INTEGER NOT NULL,
    -- The highest id when it was done, and the state of the register by then.
    last_id INTEGER NOT NULL,
    snapshot TEXT NOT NULL
  ) STRICT;
`
