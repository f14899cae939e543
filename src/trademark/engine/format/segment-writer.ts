import { MAX_TIE_RANK, tieRankOf } from '../../tie-rank.ts'
import { encodeBlocks } from './blocks.ts'
import { createExpiryWriter } from './expiry/expiry-writer.ts'
import { createSectionFile, type WrittenFile } from './segment-file.ts'
import { createMarksWriter } from './marks/marks-writer.ts'
import { createNumberList } from './number-list.ts'
import { bitPack } from './bit-packed.ts'
import type { FieldIndexWriter, IndexedRecord } from './segment.ts'
import { createSpillFile } from './spill-file.ts'
import { createTextWriter } from './texts/text-writer.ts'

export type SegmentWriter = {
  /** Records come in the order of their ids; no two may have the same serial number. */
  add(record: IndexedRecord, id: number): void
  /** Writes the segment file. Nothing can be added afterwards. */
  write(path: string): WrittenFile & { readonly documents: number }
}

/** Records between two moves of what is collected to the temporary file: some tens of megabytes. */
const SETTLE_RECORDS = 1 << 18
/** A segment has about sixty sections. */
const MAX_DIRECTORY_BYTES = 8192 - 16

/**
 * Builds a segment. Texts are turned into term numbers at once. These and all other values of a record go to temporary files
 * beside `spillPath`, if it is given, so that memory grows with the vocabulary alone. Each index is written before the next one is finished.
 */
export function createSegmentWriter(spillPath: string | null = null, settleRecords = SETTLE_RECORDS): SegmentWriter {
  const spill = spillPath === null ? null : createSpillFile(`${spillPath}.lists`)
  const ids = createNumberList(spill)
  const serials = createNumberList(spill)
  const tieRanks = createNumberList(spill)
  // The largest first: what it needed is freed when the others are finished.
  const writers: FieldIndexWriter[] = [
    createTextWriter('goods', spillPath && `${spillPath}.goods`, spill),
    createTextWriter('owner', spillPath && `${spillPath}.owner`, spill),
    createExpiryWriter(spill),
    createMarksWriter(spill),
  ]
  function writeIndexes(file: ReturnType<typeof createSectionFile>): void {
    const ranks = tieRanks.view()
    file.add({
      ids: encodeBlocks(ids.view()),
      serials: encodeBlocks(serials.view()),
      'tie-ranks': bitPack(ranks.length, MAX_TIE_RANK, (document) => ranks[document]!),
    })
    ids.free()
    for (let writer = writers.shift(); writer; writer = writers.shift())
      try {
        for (const sections of writer.finish(serials.view(), ranks)) file.add(sections)
      } finally {
        writer.close?.()
      }
  }

  return {
    add(record, id) {
      ids.push(id)
      serials.push(Number(record.serial))
      tieRanks.push(tieRankOf(record))
      for (let at = 0; at < writers.length; at++) writers[at]!.add(record)
      if (ids.length % settleRecords === 0) for (const list of [ids, serials, tieRanks, ...writers]) list.settle()
    },
    write(path) {
      const documents = ids.length
      const file = createSectionFile(path, MAX_DIRECTORY_BYTES)
      try {
        return { documents, ...file.finish(() => writeIndexes(file)) }
      } finally {
        spill?.close()
      }
    },
  }
}
