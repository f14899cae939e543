import type { TrademarkRecord } from '../../record.ts'
import { packBlocks } from './blocks.ts'
import { createExpiryPart } from './expiry/part.ts'
import { writeSections, type Written } from './file.ts'
import { createMarksBuilder } from './marks/build.ts'
import { createNumbers } from './numbers.ts'
import type { PartBuilder } from './part.ts'
import { createTextPart } from './texts/part.ts'

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
      for (const part of parts) part.add(record)
    },
    write(path) {
      const sections = parts.map((part) => part.finish(serials.view()))
      const core = { ids: packBlocks(ids.view()), serials: packBlocks(serials.view()) }
      return { documents: ids.length, ...writeSections(path, Object.assign(core, ...sections)) }
    },
  }
}
