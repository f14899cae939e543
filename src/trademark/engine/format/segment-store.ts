import type { TrademarkRecord } from '../../record.ts'
import type { Store } from '../search/store.ts'
import { blockValueAt, openBlocks } from './blocks.ts'
import { openMarkStore } from './marks/mark-store.ts'
import type { SegmentReader } from './segment.ts'
import { baseNumbers, openTextStore } from './texts/text-store.ts'

/**
 * Searches all segments as one. Results of the segments are merged in result order before they are cut to a page, so an
 * answer does not depend on how records are spread over segments.
 */
export function openStore(segments: readonly SegmentReader[], recordOf: (id: number) => TrademarkRecord): Store {
  const { byText, byExpiry } = openTextStore(segments)
  const bases = baseNumbers(segments)
  const ids = segments.map((segment) => openBlocks(segment.numbers('ids')))
  return {
    ...openMarkStore(segments, recordOf),
    byText,
    byExpiry,
    record(number) {
      let at = segments.length - 1
      while (bases[at]! > number) at--
      return recordOf(blockValueAt(ids[at]!, number - bases[at]!))
    },
    close: () => {},
  }
}
