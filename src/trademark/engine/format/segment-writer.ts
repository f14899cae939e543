import type { TrademarkRecord } from '../../record.ts'
import { MAX_TIE_RANK, tieRankOf } from '../../tie-rank.ts'
import { packBlocks } from './blocks.ts'
import { createExpiryPart } from './expiry/expiry-writer.ts'
import { writeSections, type Written } from './segment-file.ts'
import { createMarksBuilder } from './marks/marks-writer.ts'
import { createNumbers } from './set-operations.ts'
import { packValues } from './bit-packed.ts'
import type { PartBuilder } from './segment.ts'
import { createTextPart } from './texts/text-writer.ts'

export type SegmentBuilder = {
  /** The one added first has number 0. No two may have the same serial number; the id is that of the version. */
  add(record: TrademarkRecord, id: number): void
  /** Writes all that was added; nothing can be added after. */
  write(path: string): Written & { readonly documents: number }
}

/** A segment, record by record: what is kept of each while it is built are numbers, not texts. */
export function createSegmentBuilder(): SegmentBuilder {
  const ids = createNumbers()
  const serials = createNumbers()
  const tieRanks = createNumbers()
  const parts: PartBuilder[] = [
    createMarksBuilder(),
    createTextPart('goods'),
    createTextPart('owner'),
    createExpiryPart(),
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
        ids: packBlocks(ids.view()),
        serials: packBlocks(serials.view()),
        'tie-ranks': packValues(tieRanks.length, MAX_TIE_RANK, tieRanks.at),
      }
      return { documents: ids.length, ...writeSections(path, Object.assign(core, ...sections)) }
    },
  }
}
