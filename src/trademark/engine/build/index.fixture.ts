import { readdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { manualClock } from '../../../kernel/clock.ts'
import type { TrademarkRecord } from '../../record.ts'
import type { Page } from '../../search-index.ts'
import { readManifest, type SegmentsManifest } from '../manifest.ts'
import { searchMarks } from '../search/marks.ts'
import type { Store } from '../search/store.ts'
import { searchExpiring, searchTexts } from '../search/texts.ts'
import { smallRegister } from '../../sources/records.fixture.ts'
import { readSections } from '../format/segment-file.ts'
import { openRecordStore } from '../format/records/record-store.ts'
import { openSegment } from '../format/segment-reader.ts'
import { openStore } from '../format/segment-store.ts'
import { openTombstones } from '../format/tombstones.ts'
import { recordsSource } from './file-source.ts'
import type { IngestSource } from './ingest-file.ts'

export const clock = manualClock()

export function temporaryFolder(context: { after(end: () => void): unknown }): string {
  const folder = mkdtempSync(join(tmpdir(), 'onoma-register-'))
  context.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

export function manifestOf(folder: string): SegmentsManifest {
  const manifest = readManifest(folder)
  if (manifest === null) throw new Error('There is no index of segments.')
  return manifest
}

/** The index that a manifest describes, searched in this thread. */
function openStoreOf(folder: string, { lastId, segments }: SegmentsManifest): Store {
  const load = ({ name }: { readonly name: string }) => readSections(join(folder, name))
  const records = openRecordStore(folder, lastId)
  const readers = segments.map(({ part, superseded }) =>
    openSegment(load(part), superseded ? openTombstones(load(superseded.part)) : undefined),
  )
  const close = () => {
    for (const reader of readers) reader.close()
    records.close()
  }
  return { ...openStore(readers, records.read), close }
}

const page = { life: 'all', offset: 0, limit: 20 } as const

/** A store's answers to queries of every kind. */
export const answersOf = (store: Store, marks: readonly string[]): Page[] => [
  ...marks.map((text) => searchMarks(store, { ...page, text })),
  searchMarks(store, { ...page, text: 'the', life: 'live', class: '025', offset: 3 }),
  ...marks.slice(0, 5).map((text) => searchTexts(store, 'goods', { ...page, text })),
  searchTexts(store, 'goods', { ...page, text: 'the', life: 'dead' }),
  searchTexts(store, 'owner', { ...page, text: 'inc' }),
  searchExpiring(store, { from: 20200101, to: 20300101, offset: 1, limit: 50 }),
]

export function answersIn(folder: string, marks: readonly string[], manifest = manifestOf(folder)): Page[] {
  const store = openStoreOf(folder, manifest)
  try {
    return answersOf(store, marks)
  } finally {
    store.close()
  }
}

/** Names of files, without those that SQLite creates while the record store is open. */
export const filesIn = (folder: string): string[] =>
  readdirSync(folder)
    .filter((name) => !/-(?:wal|shm)$/.test(name))
    .sort()

const entries = smallRegister(400, 11)
const records = entries.map(({ record }) => record)
const changed = (from: number, to: number, transactionDate: number): TrademarkRecord[] =>
  records.slice(from, to).map((record, at) => ({
    ...record,
    mark: at % 3 === 0 ? record.mark : `${record.mark} NOVUM ${at % 7}`.trim(),
    owner: `${record.owner} heirs`,
    transactionDate,
  }))

/** Queries with which indexes are compared. */
export const MARKS = [...entries.slice(0, 12).map(({ typed }) => typed), 'novum', 'the heirs', 'novum 3']

/** A small register in several files; later files change records of earlier ones. */
export const FILES: readonly IngestSource[] = [
  recordsSource('one', records.slice(0, 150)),
  recordsSource('two', records.slice(100, 300)),
  recordsSource('three', changed(50, 90, 20250101)),
  recordsSource('four', [...records.slice(300), ...changed(80, 140, 20250201)]),
]
