import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TrademarkRecord } from '../../record.ts'
import { tokenize } from '../../tokenize.ts'
import { syncPath, type SegmentEntry } from '../manifest.ts'
import { readSections, writeSections } from '../format/segment-file.ts'
import { openStringTable, encodeStringTable } from '../format/string-table.ts'
import { loadTombstoneBits, loadIds, isBitSet } from '../format/tombstones.ts'
import type { HitFailpoint } from './failpoints.ts'
import type { RecordStore } from '../format/records/record-store.ts'

/** The different words of a mark and of the other spellings of it. */
export const markWordsOf = ({
  mark,
  pseudoMarks,
}: Pick<TrademarkRecord, 'mark' | 'pseudoMarks'>): readonly string[] => [
  ...new Set([mark, ...pseudoMarks].flatMap(tokenize)),
]

/**
 * The segment with these versions superseded, as a file beside it; those of other segments are passed over. The ids are
 * in rising order. Only the numbers of the segment are read, however large it is, and those records whose words are not
 * among those that are known.
 */
export function addTombstones(
  folder: string,
  entry: SegmentEntry,
  gone: Uint32Array,
  { records, words: known }: { readonly records: RecordStore; readonly words: ReadonlyMap<number, readonly string[]> },
  at: HitFailpoint,
) {
  const ids = loadIds(folder, entry)
  const bits = loadTombstoneBits(folder, entry)
  const fresh: number[] = []
  for (const id of gone) {
    const number = placeOf(ids, id)
    if (ids[number] !== id || isBitSet(bits, number)) continue
    bits[number >> 3]! |= 1 << (number & 7)
    fresh.push(id)
  }
  if (fresh.length === 0) return entry
  const forgotten = forgottenIn(folder, entry)
  const forget = (words: readonly string[]) => {
    for (const word of words) forgotten.set(word, (forgotten.get(word) ?? 0) + 1)
  }
  for (const id of fresh) forget(known.get(id) ?? [])
  const others = Uint32Array.from(fresh.filter((id) => !known.has(id)))
  records.readMany(others, (record) => forget(markWordsOf(record)))
  // All words are ASCII, for which this is the order of the bytes.
  const words = [...forgotten.keys()].sort()
  const counts = Uint32Array.from(words, (word) => forgotten.get(word)!)
  const draft = join(folder, 'superseded.new')
  rmSync(draft, { force: true })
  const written = writeSections(draft, { bits, ...encodeStringTable('words', words), counts })
  at('superseded written')
  const name = `superseded-${written.sha256.slice(0, 16)}`
  renameSync(draft, join(folder, name))
  syncPath(folder)
  at('superseded named')
  const documents = (entry.superseded?.documents ?? 0) + fresh.length
  return { ...entry, superseded: { part: { name, ...written }, documents } }
}

function forgottenIn(folder: string, { superseded }: SegmentEntry): Map<string, number> {
  const forgotten = new Map<string, number>()
  if (!superseded) return forgotten
  const { sections } = readSections(join(folder, superseded.part.name))
  const words = openStringTable('words', sections)
  const counts = sections['counts'] as Uint32Array
  for (let at = 0; at < words.length; at++) forgotten.set(words.at(at), counts[at]!)
  return forgotten
}

/** The first place whose id is not below this one. */
function placeOf(ids: Uint32Array, id: number): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}
