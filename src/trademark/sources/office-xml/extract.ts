import type { Day, TrademarkRecord } from '../../record.ts'
import { countOf, dayOf } from './numbers.ts'
import { joinGoods } from './goods.ts'
import { createHistory } from './history.ts'
import { textOf, withoutMarkup } from './markup.ts'
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
  let serial = ''
  let hasHeader = false
  let mark = ''
  let drawing = ''
  let status = ''
  let statusDate: Day | null = null
  let filingDate: Day | null = null
  let registrationDate: Day | null = null
  let renewalDate: Day | null = null
  let transactionDate: Day | null = null
  let attorney = ''
  const overflow: string[] = []
  const pseudoMarks: string[] = []
  const goods: string[] = []
  const classes: string[] = []
  const history = createHistory(bytes)
  // The statement and the owner that are being read.
  let statementKind = ''
  let statementText = ''
  let party = { name: '', type: -1, entry: -1 }
  let owner = party

  const ofHeader = (tag: number, start: number, end: number) => {
    hasHeader = true
    switch (tag) {
      case TAG['filing-date']:
        filingDate = dayOf(bytes, start, end)
        break
      case TAG['registration-date']:
        registrationDate = dayOf(bytes, start, end)
        break
      case TAG['renewal-date']:
        renewalDate = dayOf(bytes, start, end)
        break
      case TAG['status-date']:
        statusDate = dayOf(bytes, start, end)
        break
      case TAG['status-code']:
        status = statusOf(textOf(bytes, start, end))
        break
      case TAG['mark-identification']:
        mark = textOf(bytes, start, end)
        break
      case TAG['mark-drawing-code']:
        drawing = textOf(bytes, start, end)
        break
      case TAG['attorney-name']:
        attorney = textOf(bytes, start, end)
        break
    }
  }

  const ofStatement = (tag: number, start: number, end: number) => {
    if (tag === TAG['type-code']) statementKind = textOf(bytes, start, end).slice(0, 2)
    else if (tag === TAG.text && STATEMENT_KINDS.has(statementKind)) {
      const text = textOf(bytes, start, end)
      statementText = statementText === '' ? text : `${statementText} ${text}`.trimEnd()
    }
  }

  const endStatement = () => {
    if (statementText !== '') {
      if (statementKind === 'GS') goods.push(statementText)
      else if (statementKind === 'MK') overflow.push(statementText)
      else if (!pseudoMarks.includes(statementText)) pseudoMarks.push(statementText)
    }
    statementKind = ''
    statementText = ''
  }

  const ofOwner = (tag: number, start: number, end: number) => {
    if (tag === TAG['party-name']) party.name = textOf(bytes, start, end)
    else if (tag === TAG['party-type']) party.type = countOf(bytes, start, end)
    else if (tag === TAG['entry-number']) party.entry = countOf(bytes, start, end)
  }

  const endOwner = () => {
    const isLater = party.type > owner.type || (party.type === owner.type && party.entry >= owner.entry)
    if (party.name !== '' && (owner.name === '' || isLater)) owner = party
    party = { name: '', type: -1, entry: -1 }
  }

  const leaf = (tag: number, parent: number, start: number, end: number) => {
    switch (parent) {
      case TAG['case-file-header']:
        return ofHeader(tag, start, end)
      case TAG['case-file-event-statement']:
        return history.leaf(tag, start, end)
      case TAG['case-file-statement']:
        return ofStatement(tag, start, end)
      case TAG['case-file-owner']:
        return ofOwner(tag, start, end)
      case TAG.classification:
        if (tag === TAG['international-code']) addClass(classes, textOf(bytes, start, end))
        break
      case TAG['case-file']:
        if (tag === TAG['serial-number']) serial = serialOf(textOf(bytes, start, end))
        else if (tag === TAG['transaction-date']) transactionDate = dayOf(bytes, start, end)
    }
  }

  const group = (tag: number) => {
    if (tag === TAG['case-file-event-statement']) history.end()
    else if (tag === TAG['case-file-statement']) endStatement()
    else if (tag === TAG['case-file-owner']) endOwner()
  }

  const result = (): TrademarkRecord | Sparse => {
    if (serial === '') return { sparse: true, serial, missing: 'serial', record: null }
    if (!hasHeader) return { sparse: true, serial, missing: 'header', record: null }
    const record: TrademarkRecord = {
      serial,
      mark: overflow.length === 0 ? mark : [mark, ...overflow].join(' ').trim(),
      pseudoMarks,
      status,
      statusDate,
      filingDate,
      registrationDate,
      renewalDate,
      // A version without a date is older than any other.
      transactionDate: transactionDate ?? 0,
      owner: owner.name,
      goods: joinGoods(goods),
      classes,
      attorney,
      history: history.latest(),
    }
    if (status === '') return { sparse: true, serial, missing: 'status', record }
    return record.mark === '' && !hasNoWords(drawing) ? { sparse: true, serial, missing: 'mark', record } : record
  }

  return { leaf, group, result }
}

/** Goods and services, the rest of a long mark, pseudo marks. */
const STATEMENT_KINDS: ReadonlySet<string> = new Set(['GS', 'MK', 'PM'])

/** The drawing code of a mark without words: a design only (2), or a mark that cannot be drawn (6). */
const hasNoWords = (drawing: string) => drawing.startsWith('2') || drawing.startsWith('6')

const serialOf = (text: string) => (/^\d{1,8}$/.test(text) ? text.padStart(8, '0') : '')
const statusOf = (text: string) => (/^\d{1,3}$/.test(text) ? text.padStart(3, '0') : '')

function addClass(classes: string[], code: string): void {
  const [, letter, digits] = /^(?:0*([A-Za-z])|0*([1-9]\d{0,2}))$/.exec(code) ?? []
  const found = letter?.toUpperCase() ?? digits?.padStart(3, '0')
  if (found !== undefined && !classes.includes(found)) classes.push(found)
}
