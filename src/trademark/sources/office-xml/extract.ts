import type { TrademarkRecord } from '../../record.ts'
import { dayOf } from './numbers.ts'
import { joinGoods } from './goods.ts'
import { createHistory } from './history.ts'
import { textOf, withoutMarkup } from './markup.ts'
import {
  createDraft,
  type Draft,
  endOwner,
  endStatement,
  readClass,
  readHeaderField,
  readOwnerField,
  readStatementField,
} from './record-fields.ts'
import { TAG, walk } from './tags.ts'

/** A record that lacks a field every complete record has. It adds fields to a stored record, and never clears any. */
export type Sparse = {
  readonly sparse: true
  /** Empty if it is missing, too. */
  readonly serial: string
  readonly missing: 'serial' | 'header' | 'status' | 'mark'
  /** The fields it has; null without a serial number or a header. */
  readonly record: TrademarkRecord | null
}

export const isSparse = (found: TrademarkRecord | Sparse): found is Sparse => 'sparse' in found

/** Parses one `<case-file>…</case-file>`. Throws RegisterError if its XML is damaged. */
export function extractRecord(bytes: Buffer): TrademarkRecord | Sparse {
  const reader = createReader(bytes)
  if (walk(bytes, reader)) return reader.result()
  const plain = withoutMarkup(bytes)
  const again = createReader(plain)
  walk(plain, again)
  return again.result()
}

function createReader(bytes: Buffer) {
  const draft = createDraft()
  const history = createHistory(bytes)

  const leaf = (tag: number, parent: number, start: number, end: number) => {
    switch (parent) {
      case TAG['case-file-header']:
        return readHeaderField(draft, bytes, tag, start, end)
      case TAG['case-file-event-statement']:
        return history.leaf(tag, start, end)
      case TAG['case-file-statement']:
        return readStatementField(draft, bytes, tag, start, end)
      case TAG['case-file-owner']:
        return readOwnerField(draft, bytes, tag, start, end)
      case TAG.classification:
        if (tag === TAG['international-code']) readClass(draft, textOf(bytes, start, end))
        break
      case TAG['case-file']:
        if (tag === TAG['serial-number']) draft.serial = serialOf(textOf(bytes, start, end))
        else if (tag === TAG['transaction-date']) draft.transactionDate = dayOf(bytes, start, end)
    }
  }

  const group = (tag: number) => {
    if (tag === TAG['case-file-event-statement']) history.end()
    else if (tag === TAG['case-file-statement']) endStatement(draft)
    else if (tag === TAG['case-file-owner']) endOwner(draft)
  }

  return { leaf, group, result: () => finishRecord(draft, history.latest) }
}

function finishRecord(draft: Draft, history: () => string[]): TrademarkRecord | Sparse {
  const { serial, mark, overflow, status } = draft
  if (serial === '') return { sparse: true, serial, missing: 'serial', record: null }
  if (!draft.hasHeader) return { sparse: true, serial, missing: 'header', record: null }
  const record: TrademarkRecord = {
    serial,
    mark: overflow.length === 0 ? mark : [mark, ...overflow].join(' ').trim(),
    pseudoMarks: draft.pseudoMarks,
    status,
    statusDate: draft.statusDate,
    filingDate: draft.filingDate,
    registrationDate: draft.registrationDate,
    renewalDate: draft.renewalDate,
    // A version without a date is older than any other.
    transactionDate: draft.transactionDate ?? 0,
    owner: draft.owner.name,
    goods: joinGoods(draft.goods),
    classes: draft.classes,
    attorney: draft.attorney,
    history: history(),
  }
  if (status === '') return { sparse: true, serial, missing: 'status', record }
  return record.mark === '' && !hasNoWords(draft.drawing) ? { sparse: true, serial, missing: 'mark', record } : record
}

/** The drawing code of a mark without words: a design only (2), or a mark that cannot be drawn (6). */
const hasNoWords = (drawing: string) => drawing.startsWith('2') || drawing.startsWith('6')

const serialOf = (text: string) => (/^\d{1,8}$/.test(text) ? text.padStart(8, '0') : '')
