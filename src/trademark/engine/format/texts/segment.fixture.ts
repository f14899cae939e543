import type { TrademarkRecord } from '../../../record.ts'
import { MAX_TIE_RANK, tieRankOf } from '../../../tie-rank.ts'
import { encodeBlocks } from '../blocks.ts'
import { createExpiryWriter } from '../expiry/expiry-writer.ts'
import type { Sections, SectionSources } from '../segment-file.ts'
import { bitPack } from '../bit-packed.ts'
import type { SegmentReader } from '../segment.ts'
import { createTextWriter } from './text-writer.ts'

/** An in-memory segment of these records with the text and expiry indexes only. */
export function segmentOf(
  records: readonly TrademarkRecord[],
  isSuperseded: (record: TrademarkRecord) => boolean = () => false,
): SegmentReader {
  const parts = [createTextWriter('goods'), createTextWriter('owner'), createExpiryWriter()]
  for (const record of records) for (const part of parts) part.add(record)
  const serials = Uint32Array.from(records, ({ serial }) => Number(serial))
  const tieRanks = Uint32Array.from(records, tieRankOf)
  const sections = inMemory({
    serials: encodeBlocks(serials),
    'tie-ranks': bitPack(records.length, MAX_TIE_RANK, (number) => tieRanks[number]!),
    ...(Object.assign({}, ...parts.flatMap((part) => [...part.finish(serials, tieRanks)])) as SectionSources),
  })
  const find = (section: string) => sections[section]!
  const tombstones = new Uint8Array(Math.ceil(records.length / 8))
  for (const [number, record] of records.entries())
    if (isSuperseded(record)) tombstones[number >>> 3]! |= 1 << (number & 7)
  return {
    documents: records.length,
    numbers: (section) => find(section) as Uint32Array,
    bytes: (section) => find(section) as Uint8Array,
    read(section, offset, into) {
      const { buffer, byteOffset } = find(section)
      into.set(new Uint8Array(buffer, byteOffset + offset, into.length))
    },
    tombstones: tombstones.some((byte) => byte > 0) ? tombstones : null,
    deletedFrequency: () => 0,
  }
}

/** Joins the sections that come in parts. */
const inMemory = (sources: SectionSources): Sections =>
  Object.fromEntries(
    Object.entries(sources).map(([name, source]) => [
      name,
      ArrayBuffer.isView(source) ? source : Uint32Array.from([...source].flatMap((part) => [...part])),
    ]),
  )
