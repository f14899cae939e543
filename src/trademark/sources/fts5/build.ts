import { createHash } from 'node:crypto'
import { constants, copyFileSync, mkdirSync, readdirSync, renameSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import type { Clock } from '../../../kernel/clock.ts'
import { timestamp } from '../../../kernel/clock.ts'
import type { TrademarkRecord } from '../../record.ts'
import { FORMATS, readManifest, syncPath, writeManifest, type Fts5Manifest } from '../../engine/manifest.ts'
import { SCHEMA } from './schema.ts'
import { createWriter } from './write.ts'

/** Records between two looks at the signal, and turns for the event loop. */
const PORTION = 1000

type Options = { readonly clock: Clock; readonly signal?: AbortSignal | undefined }

/**
 * Takes the records into the index of this folder, which is made where there is none. They go into a copy; only when
 * it is whole and on the disk does it take the place of the one before. Whatever happens on the way, that one stays.
 * One build at a time.
 */
export async function buildFts5(
  folder: string,
  records: AsyncIterable<TrademarkRecord> | Iterable<TrademarkRecord>,
  { clock, signal }: Options,
): Promise<Fts5Manifest> {
  mkdirSync(folder, { recursive: true })
  const before = readManifest(folder)
  const isOurs = before?.kind === 'fts5'
  const draft = join(folder, 'draft.sqlite')
  rmSync(draft, { force: true })
  if (isOurs) copyFileSync(join(folder, before.parts[0]!), draft, constants.COPYFILE_FICLONE)
  const filled = await fill(draft, records, isOurs ? before.snapshot : null, signal)
  if (isOurs && filled.snapshot === before.snapshot) {
    rmSync(draft)
    return before
  }
  syncPath(draft)
  const part = `register-${filled.snapshot}.sqlite`
  renameSync(draft, join(folder, part))
  syncPath(folder)
  const bytes = statSync(join(folder, part)).size
  const after: Fts5Manifest = {
    kind: 'fts5',
    format: FORMATS.fts5,
    parts: [part],
    bytes,
    lastUpdated: timestamp(clock),
    ...filled,
  }
  writeManifest(folder, after)
  sweep(folder, new Set([part, ...(before?.kind === 'fts5' ? before.parts : [])]))
  return after
}

async function fill(
  path: string,
  records: AsyncIterable<TrademarkRecord> | Iterable<TrademarkRecord>,
  snapshot: string | null,
  signal: AbortSignal | undefined,
): Promise<{ documents: number; snapshot: string }> {
  const db = new DatabaseSync(path)
  try {
    // The draft may be lost; a journal would only make it slower.
    db.exec('PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -131072; BEGIN')
    if (snapshot === null) db.exec(SCHEMA)
    const write = createWriter(db)
    const hash = createHash('sha256').update(`${FORMATS.fts5} ${snapshot ?? ''}`)
    let changes = 0
    let count = 0
    for await (const record of records) {
      const changed = write.upsert(record)
      if (changed !== null) {
        hash.update(changed)
        changes++
      }
      if (++count % PORTION === 0) {
        signal?.throwIfAborted()
        await new Promise(setImmediate)
      }
    }
    signal?.throwIfAborted()
    const name = changes === 0 && snapshot !== null ? snapshot : hash.digest('hex').slice(0, 16)
    if (changes > 0) write.finish()
    db.prepare('DELETE FROM about').run()
    db.prepare('INSERT INTO about VALUES (?, ?)').run(FORMATS.fts5, name)
    db.exec('COMMIT')
    return { documents: Number(db.prepare('SELECT count(*) AS n FROM records').get()!['n']), snapshot: name }
  } finally {
    db.close()
  }
}

/** The one before stays: a search may just be about to open it. */
function sweep(folder: string, kept: ReadonlySet<string>): void {
  for (const name of readdirSync(folder))
    if (/^register-[0-9a-f]+\.sqlite$/.test(name) && !kept.has(name)) rmSync(join(folder, name), { force: true })
}
