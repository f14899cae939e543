import type { Day } from '../../record.ts'
import { textOf } from './markup.ts'
import { countOf, dayOf } from './numbers.ts'
import { TAG } from './tags.ts'

type Party = { name: string; type: number; entry: number }

/** The fields of a record that have been read so far. */
export type Draft = {
  serial: string
  hasHeader: boolean
  mark: string
  drawing: string
  status: string
  statusDate: Day | null
  filingDate: Day | null
  registrationDate: Day | null
  renewalDate: Day | null
  transactionDate: Day | null
  attorney: string
  /** The rest of a long mark. */
  readonly overflow: string[]
  readonly pseudoMarks: string[]
  readonly goods: string[]
  readonly classes: string[]
  /** The statement that is being read. */
  statementKind: string
  statementText: string
  /** The owner that is being read, and the latest owner before it. */
  party: Party
  owner: Party
}

const noParty = (): Party => ({ name: '', type: -1, entry: -1 })

export function createDraft(): Draft {
  const party = noParty()
  return {
    serial: '',
    hasHeader: false,
    mark: '',
    drawing: '',
    status: '',
    statusDate: null,
    filingDate: null,
    registrationDate: null,
    renewalDate: null,
    transactionDate: null,
    attorney: '',
    overflow: [],
    pseudoMarks: [],
    goods: [],
    classes: [],
    statementKind: '',
    statementText: '',
    party,
    owner: party,
  }
}

export function readHeaderField(draft: Draft, bytes: Buffer, tag: number, start: number, end: number): void {
  draft.hasHeader = true
  switch (tag) {
    case TAG['filing-date']:
      draft.filingDate = dayOf(bytes, start, end)
      break
    case TAG['registration-date']:
      draft.registrationDate = dayOf(bytes, start, end)
      break
    case TAG['renewal-date']:
      draft.renewalDate = dayOf(bytes, start, end)
      break
    case TAG['status-date']:
      draft.statusDate = dayOf(bytes, start, end)
      break
    case TAG['status-code']:
      draft.status = statusOf(textOf(bytes, start, end))
      break
    case TAG['mark-identification']:
      draft.mark = textOf(bytes, start, end)
      break
    case TAG['mark-drawing-code']:
      draft.drawing = textOf(bytes, start, end)
      break
    case TAG['attorney-name']:
      draft.attorney = textOf(bytes, start, end)
      break
  }
}

export function readStatementField(draft: Draft, bytes: Buffer, tag: number, start: number, end: number): void {
  if (tag === TAG['type-code']) draft.statementKind = textOf(bytes, start, end).slice(0, 2)
  else if (tag === TAG.text && STATEMENT_KINDS.has(draft.statementKind)) {
    const text = textOf(bytes, start, end)
    draft.statementText = draft.statementText === '' ? text : `${draft.statementText} ${text}`.trimEnd()
  }
}

export function endStatement(draft: Draft): void {
  const { statementKind, statementText, pseudoMarks } = draft
  if (statementText !== '') {
    if (statementKind === 'GS') draft.goods.push(statementText)
    else if (statementKind === 'MK') draft.overflow.push(statementText)
    else if (!pseudoMarks.includes(statementText)) pseudoMarks.push(statementText)
  }
  draft.statementKind = ''
  draft.statementText = ''
}

export function readOwnerField({ party }: Draft, bytes: Buffer, tag: number, start: number, end: number): void {
  if (tag === TAG['party-name']) party.name = textOf(bytes, start, end)
  else if (tag === TAG['party-type']) party.type = countOf(bytes, start, end)
  else if (tag === TAG['entry-number']) party.entry = countOf(bytes, start, end)
}

export function endOwner(draft: Draft): void {
  const { party, owner } = draft
  const isLater = party.type > owner.type || (party.type === owner.type && party.entry >= owner.entry)
  if (party.name !== '' && (owner.name === '' || isLater)) draft.owner = party
  draft.party = noParty()
}

export function readClass({ classes }: Draft, code: string): void {
  const [, letter, digits] = /^(?:0*([A-Za-z])|0*([1-9]\d{0,2}))$/.exec(code) ?? []
  const found = letter?.toUpperCase() ?? digits?.padStart(3, '0')
  if (found !== undefined && !classes.includes(found)) classes.push(found)
}

/** Goods and services, the rest of a long mark, pseudo marks. */
const STATEMENT_KINDS: ReadonlySet<string> = new Set(['GS', 'MK', 'PM'])

const statusOf = (text: string) => (/^\d{1,3}$/.test(text) ? text.padStart(3, '0') : '')
