import type { Sparse } from '../../sources/office-xml/extract.ts'
import type { TrademarkRecord } from '../../record.ts'
import { decodeBody } from '../format/records/body.ts'
import { eachRecord, type Portion } from './portion.ts'

/** The records of a portion. */
export function decodePortion(portion: Portion): (TrademarkRecord | Sparse)[] {
  const found: (TrademarkRecord | Sparse)[] = []
  eachRecord(
    portion,
    (one) => found.push(one),
    (bytes, begin) => found.push(decodeBody(bytes, begin)),
  )
  return found
}
