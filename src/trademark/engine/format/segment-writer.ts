import type { TrademarkRecord } from '../../record.ts'
import { MAX_TIE_RANK, tieRankOf } from '../../tie-rank.ts'
import { encodeBlocks } from './blocks.ts'
import { createExpiryWriter } from './expiry/expiry-writer.ts'
import { writeSections, type WrittenFile } from './segment-file.ts'
import { createMarksWriter } from './marks/marks-writer.ts'
import { createNumberList } from './number-list.ts'
import { bitPack } from './bit-packed.ts'
import type { FieldIndexWriter } from './segment.ts'
import { createTextWriter } from './texts/text-writer.ts'

export type SegmentWriter = {
  /** Records come in the order of their ids; no two may have the same serial number. */
  add(record: TrademarkRecord, id: number): void
  /** Writes the segment file. Nothing can be added afterwards. */
  write(path: string): WrittenFile & { readonly documents: number }
}

/** Builds a segment in memory. Texts are turned into term numbers at once, so 14 million records fit in 4.4 GB. */
export function createSegmentWriter(): SegmentWriter {
  const ids = createNumberList()
  const serials = createNumberList()
  const tieRanks = createNumberList()
  const writers: FieldIndexWriter[] = [
    createMarksWriter(),
    createTextWriter('goods'),
    createTextWriter('owner'),
    createExpiryWriter(),
  ]
  return {
    add(record, id) {
      ids.push(id)
      serials.push(Number(record.serial))
      tieRanks.push(tieRankOf(record))
      for (const writer of writers) writer.add(record)
    },
    write(path) {
      const sections = writers.map((writer) => writer.finish(serials.view(), tieRanks.view()))
      const core = {
        ids: encodeBlocks(ids.view()),
        serials: encodeBlocks(serials.view()),
        'tie-ranks': bitPack(tieRanks.length, MAX_TIE_RANK, tieRanks.at),
      }
      return { documents: ids.length, ...writeSections(path, Object.assign(core, ...sections)) }
    },
  }
}
