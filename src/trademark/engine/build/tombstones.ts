import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { renameFile, syncPath } from '../../../kernel/files.ts'
import type { TrademarkRecord } from '../../record.ts'
import { tokenize } from '../../tokenize.ts'
import type { SegmentEntry } from '../manifest.ts'
import { readSections, writeSections } from '../format/segment-file.ts'
import { openStringTable, encodeStringTable } from '../format/string-table.ts'
import { loadTombstoneBits, loadIds, isBitSet } from '../format/tombstones.ts'
import type { HitFailpoint } from './failpoints.ts'
import { decodeBody } from '../format/records/body.ts'
import type { RecordStore } from '../format/records/record-store.ts'

/** The different words of all spellings of a mark. */
export const markWordsOf = ({
  mark,
  pseudoMarks,
}: Pick<TrademarkRecord, 'mark' | 'pseudoMarks'>): readonly string[] => [
  ...new Set([mark, ...pseudoMarks].flatMap(tokenize)),
]

/**
 * Writes a new tombstone file for a segment and returns its new manifest entry. `gone` are superseded ids, rising; those of
 * other segments are skipped. Reads only the ids of the segment, and records whose words are not in `known`.
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
    const number = lowerBound(ids, id)
    if (ids[number] !== id || isBitSet(bits, number)) continue
    bits[number >> 3]! |= 1 << (number & 7)
    fresh.push(id)
  }
  if (fresh.length === 0) return entry
  const deleted = loadDeletedFrequencies(folder, entry)
  const countWords = (words: readonly string[]) => {
    for (const word of words) deleted.set(word, (deleted.get(word) ?? 0) + 1)
  }
  for (const id of fresh) countWords(known.get(id) ?? [])
  const others = Uint32Array.from(fresh.filter((id) => !known.has(id)))
  records.readMany(others, (body) => countWords(markWordsOf(decodeBody(body))))
  // Words are ASCII, so the default sort order is byte order.
  const words = [...deleted.keys()].sort()
  const counts = Uint32Array.from(words, (word) => deleted.get(word)!)
  const draft = join(folder, 'superseded.new')
  rmSync(draft, { force: true })
  const written = writeSections(draft, { bits, ...encodeStringTable('words', words), counts })
  at('superseded written')
  const name = `superseded-${written.sha256.slice(0, 16)}`
  renameFile(draft, join(folder, name))
  syncPath(folder)
  at('superseded named')
  const documents = (entry.superseded?.documents ?? 0) + fresh.length
  return { ...entry, superseded: { part: { name, ...written }, documents } }
}

function loadDeletedFrequencies(folder: string, { superseded }: SegmentEntry): Map<string, number> {
  const deleted = new Map<string, number>()
  if (!superseded) return deleted
  const { sections } = readSections(join(folder, superseded.part.name))
  const words = openStringTable('words', sections)
  const counts = sections['counts'] as Uint32Array
  for (let at = 0; at < words.length; at++) deleted.set(words.at(at), counts[at]!)
  return deleted
}

/** Binary search: the first index whose id is not below this one. */
function lowerBound(ids: Uint32Array, id: number): number {
  let low = 0
  let high = ids.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if (ids[middle]! < id) low = middle + 1
    else high = middle
  }
  return low
}
