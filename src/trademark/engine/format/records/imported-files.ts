import { existsSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { recordsPath } from './schema.ts'

/** Name and size of every file that was imported into the index of this folder. */
export function importedFiles(folder: string): { readonly name: string; readonly bytes: number }[] {
  const path = recordsPath(folder)
  if (!existsSync(path)) return []
  const db = new DatabaseSync(path, { readOnly: true, timeout: 5000 })
  try {
    // An import that was killed early leaves an empty database.
    const hasTable = db.prepare("SELECT 1 FROM sqlite_schema WHERE type = 'table' AND name = 'file'").get()
    if (!hasTable) return []
    return db
      .prepare('SELECT name, bytes FROM file')
      .all()
      .map(({ name, bytes }) => ({ name: String(name), bytes: Number(bytes) }))
  } finally {
    db.close()
  }
}
