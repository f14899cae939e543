import { createHash } from 'node:crypto'
import { mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { timestamp, type Clock } from '../../../kernel/clock.ts'
import type { TrademarkRecord } from '../../record.ts'
import { readManifest, syncPath, writeManifest, type Manifest } from '../manifest.ts'
import { mergeRecords } from '../matching/merge.ts'
import { writeSections } from './file.ts'
import { packSegment } from './pack.ts'
import { openSegmentStore } from './store.ts'

/** Changes when an older file cannot be searched as it is, or would be searched differently. */
const FORMAT = 1
const PORTION = 1000

type Options = { readonly clock: Clock; readonly signal?: AbortSignal | undefined }

/**
 * Takes the records into the index of this folder, as one segment with all records, made anew. All of them are in
 * memory meanwhile: for registers of up to a million or so. Whatever happens on the way, the index before stays.
 */
export async function buildSegments(
  folder: string,
  records: AsyncIterable<TrademarkRecord> | Iterable<TrademarkRecord>,
  { clock, signal }: Options,
): Promise<Manifest> {
  mkdirSync(folder, { recursive: true })
  const before = readManifest(folder)
  const isOurs = before?.kind === 'segments' && before.format === FORMAT
  const all = isOurs ? recordsOf(join(folder, before.parts[0]!)) : new Map<string, TrademarkRecord>()
  const hash = createHash('sha256').update(`${FORMAT} ${isOurs ? before.snapshot : ''}`)
  let changes = 0
  let count = 0
  for await (const arrived of records) {
    const known = all.get(arrived.serial)
    const record = mergeRecords(known ?? arrived, arrived)
    const text = JSON.stringify(record)
    if (!known || JSON.stringify(known) !== text) {
      all.set(record.serial, record)
      hash.update(text)
      changes++
    }
    if (++count % PORTION === 0) {
      signal?.throwIfAborted()
      await new Promise(setImmediate)
    }
  }
  signal?.throwIfAborted()
  if (isOurs && changes === 0) return before
  const snapshot = hash.digest('hex').slice(0, 16)
  const draft = join(folder, 'draft.segment')
  rmSync(draft, { force: true })
  const bytes = writeSections(draft, packSegment([...all.values()]))
  const part = `segment-${snapshot}`
  renameSync(draft, join(folder, part))
  syncPath(folder)
  const after: Manifest = {
    kind: 'segments',
    format: FORMAT,
    parts: [part],
    documents: all.size,
    bytes,
    lastUpdated: timestamp(clock),
    snapshot,
  }
  writeManifest(folder, after)
  // The one before stays: a search may just be about to open it.
  for (const name of readdirSync(folder))
    if (/^segment-[0-9a-f]+$/.test(name) && name !== part && !before?.parts.includes(name)) rmSync(join(folder, name))
  return after
}

function recordsOf(path: string): Map<string, TrademarkRecord> {
  const store = openSegmentStore(path)
  const all = new Map<string, TrademarkRecord>()
  for (let number = 0; number < store.documents; number++) {
    const record = store.record(number)
    all.set(record.serial, record)
  }
  return all
}
