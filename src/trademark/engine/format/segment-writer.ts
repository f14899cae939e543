import { MAX_TIE_RANK, tieRankOf } from '../../tie-rank.ts'
import { encodeBlocks } from './blocks.ts'
import { createExpiryWriter } from './expiry/expiry-writer.ts'
import { createSectionFile, type WrittenFile } from './segment-file.ts'
import { createMarksWriter } from './marks/marks-writer.ts'
import { createNumberList } from './number-list.ts'
import { bitPack } from './bit-packed.ts'
import type { FieldIndexWriter, IndexedRecord } from './segment.ts'
import { createTextWriter } from './texts/text-writer.ts'

export type SegmentWriter = {
  /** Records come in the order of their ids; no two may have the same serial number. */
  add(record: IndexedRecord, id: number): void
  /** Writes the segment file. Nothing can be added afterwards. */
  write(path: string): WrittenFile & { readonly documents: number }
}

/** A segment has about sixty sections. */
const MAX_DIRECTORY_BYTES = 8192 - 16

/**
 * Builds a segment. Texts are turned into term numbers at once, and most of these go to temporary files beside `spillPath`, if it
 * is given. Each index is written before the next one is finished.
 */
export function createSegmentWriter(spillPath: string | null = null): SegmentWriter {
  const ids = createNumberList()
  const serials = createNumberList()
  const tieRanks = createNumberList()
  // The largest first: what it needed is freed when the others are finished.
  const writers: FieldIndexWriter[] = [
    createTextWriter('goods', spillPath && `${spillPath}.goods`),
    createTextWriter('owner', spillPath && `${spillPath}.owner`),
    createExpiryWriter(),
    createMarksWriter(),
  ]
  return {
    add(record, id) {
      ids.push(id)
      serials.push(Number(record.serial))
      tieRanks.push(tieRankOf(record))
      for (let at = 0; at < writers.length; at++) writers[at]!.add(record)
    },
    write(path) {
      const file = createSectionFile(path, MAX_DIRECTORY_BYTES)
      const written = file.finish(() => {
        file.add({
          ids: encodeBlocks(ids.view()),
          serials: encodeBlocks(serials.view()),
          'tie-ranks': bitPack(tieRanks.length, MAX_TIE_RANK, tieRanks.at),
        })
        for (let writer = writers.shift(); writer; writer = writers.shift())
          try {
            for (const sections of writer.finish(serials.view(), tieRanks.view())) file.add(sections)
          } finally {
            writer.close?.()
          }
      })
      return { documents: ids.length, ...written }
    },
  }
}
