import { DatabaseSync } from 'node:sqlite'
import type { TrademarkRecord } from '../../../src/trademark/record.ts'
import { SCHEMA } from './schema.ts'
import { createWriter } from './write.ts'

/** Writes the records into a new SQLite file. A later version of a record is merged with the earlier one. */
export function buildFts5(path: string, records: Iterable<TrademarkRecord>): void {
  const db = new DatabaseSync(path)
  try {
    db.exec(`PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; BEGIN; ${SCHEMA}`)
    const writer = createWriter(db)
    for (const record of records) writer.upsert(record)
    writer.finish()
    db.exec('COMMIT')
  } finally {
    db.close()
  }
}
