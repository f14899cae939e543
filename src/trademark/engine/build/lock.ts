import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'

/** Another process is changing the index. The message is meant for the operator. */
export class BusyError extends Error {
  override readonly name = 'BusyError'
}

/**
 * Takes the writer lock of an index; returns the function that releases it. The lock is a file lock of the operating system,
 * held through SQLite: it ends with the process, even after a crash, so it is never stale.
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
