import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { TrademarkRecord } from '../../record.ts'
import type { Fts5Manifest } from '../../engine/manifest.ts'
import type { IngestSource } from '../../engine/build/ingest-file.ts'

/** The records of an index of this kind, as if they were a file: what was imported before is not lost. */
export function fts5Intake(folder: string, { parts, bytes, snapshot }: Fts5Manifest): IngestSource {
  return {
    name: parts[0]!,
    bytes,
    sha256: async () => `fts5 ${snapshot}`,
    *records() {
      const db = new DatabaseSync(join(folder, parts[0]!), { readOnly: true })
      try {
        for (const { record } of db.prepare('SELECT record FROM records ORDER BY serial').iterate())
          yield JSON.parse(String(record)) as TrademarkRecord
      } finally {
        db.close()
      }
    },
  }
}
