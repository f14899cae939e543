import { renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import type { TrademarkRecord } from '../../record.ts'
import { tokenize } from '../../tokenize.ts'
import { syncPath, type SegmentEntry } from '../manifest.ts'
import { unpackBlocks } from '../format/blocks.ts'
import { readSections, writeSections, type SegmentFile } from '../format/file.ts'
import type { Changes } from '../format/open.ts'
import { openStrings, packStrings } from '../format/strings.ts'
import type { At } from './points.ts'
import type { Records } from './records.ts'

/** What later segments changed about one, from its file. */
export function changesOf({ sections }: SegmentFile): Changes {
  const words = openStrings('words', sections)
  const counts = sections['counts'] as Uint32Array
  return {
    superseded: sections['bits'] as Uint8Array,
    forgotten: (word) => {
      const at = words.find(word)
      return at < 0 ? 0 : counts[at]!
    },
  }
}

/** The ids of a segment's records, in rising order: a record's number is its place among them. */
export const idsOf = (folder: string, { part }: SegmentEntry): Uint32Array =>
  unpackBlocks(readSections(join(folder, part.name), (name) => name === 'ids').sections['ids'] as Uint32Array)

/** The bits of a segment, to be changed; none is set where nothing is superseded. */
export function bitsOf(folder: string, { documents, superseded }: SegmentEntry): Uint8Array {
  const bits = new Uint8Array(Math.ceil(documents / 8))
  if (superseded) bits.set(readSections(join(folder, superseded.part.name)).sections['bits'] as Uint8Array)
  return bits
}

export const isSet = (bits: Uint8Array, at: number) => (bits[at >> 3]! & (1 << (at & 7))) !== 0

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
export function supersede(
  folder: string,
  entry: SegmentEntry,
  gone: Uint32Array,
  { records, words: known }: { readonly records: Records; readonly words: ReadonlyMap<number, readonly string[]> },
  at: At,
) {
  const ids = idsOf(folder, entry)
  const bits = bitsOf(folder, entry)
  const fresh: number[] = []
  for (const id of gone) {
    const number = placeOf(ids, id)
    if (ids[number] !== id || isSet(bits, number)) continue
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
  const written = writeSections(draft, { bits, ...packStrings('words', words), counts })
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
  const words = openStrings('words', sections)
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
