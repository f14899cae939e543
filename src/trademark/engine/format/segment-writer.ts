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
  /** The one added first has number 0. No two may have the same serial number; the id is that of the version. */
  add(record: TrademarkRecord, id: number): void
  /** Writes all that was added; nothing can be added after. */
  write(path: string): WrittenFile & { readonly documents: number }
}

/** A segment, record by record: what is kept of each while it is built are numbers, not texts. */
export function createSegmentWriter(): SegmentWriter {
  const ids = createNumberList()
  const serials = createNumberList()
  const tieRanks = createNumberList()
  const parts: FieldIndexWriter[] = [
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
      for (const part of parts) part.add(record)
    },
    write(path) {
      const sections = parts.map((part) => part.finish(serials.view(), tieRanks.view()))
      const core = {
        ids: encodeBlocks(ids.view()),
        serials: encodeBlocks(serials.view()),
        'tie-ranks': bitPack(tieRanks.length, MAX_TIE_RANK, tieRanks.at),
      }
      return { documents: ids.length, ...writeSections(path, Object.assign(core, ...sections)) }
    },
  }
}
