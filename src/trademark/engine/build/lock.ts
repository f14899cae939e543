import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Somebody else changes the index. The message is a sentence for the operator. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

/**
 * Whoever changes an index holds this. It is the operating system that holds it for a process, through SQLite, so it is
 * gone with the process however that ends, and an old one can never be in the way.
 */
export function lockIndex(folder: string): () => void {
  const db = new DatabaseSync(join(folder, 'lock.sqlite'))
  try {
    db.exec('PRAGMA busy_timeout = 0; BEGIN EXCLUSIVE')
  } catch (error) {
    db.close()
    if (!(error instanceof Error) || !/locked|busy/.test(error.message)) throw error
    throw new BusyError('Another import or merge is at work on this index; try again when it has ended.', {
      cause: error,
    })
  }
  return () => db.close()
}
