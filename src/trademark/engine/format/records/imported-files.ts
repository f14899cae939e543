import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { recordsPath } from './schema.ts'

export type ImportedFile = { readonly name: string; readonly bytes: number; readonly records: number }

/** Every file that was imported into the index of this folder, with the number of records that were read from it. */
export function importedFiles(folder: string): ImportedFile[] {
  const path = recordsPath(folder)
  if (!existsSync(path)) return []
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    // An import that was killed early leaves an empty database.
    const hasTable = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'file'").get()
    if (!hasTable) return []
    return db
      .prepare('SELECT name, bytes, records FROM file')
      .all()
      .map(({ name, bytes, records }) => ({ name: String(name), bytes: Number(bytes), records: Number(records) }))
  } finally {
    db.close()
  }
}
