import { createDomainRecord, createParty, type DomainRecord, type Party } from './domain-record.ts'
import type { Role } from './keys.ts'

/** The position in an answer, and the records parsed so far. */
export type ParserState = {
  readonly records: DomainRecord[]
  record: DomainRecord
  /** The current heading or object; undefined at the domain itself. */
  section: Section | undefined
  /** The party that attribute keys belong to after a role key in the middle of a paragraph. */
  aside: Party | undefined
  /** Where lines without a key are added, and their minimum indentation. */
  list: { readonly into: string[]; readonly from: number } | undefined
  /** The previous token was a blank line or a comment. */
  afterGap: boolean
}

export type Section = {
  readonly party: Party
  readonly indent: number
  /** Linked objects (`nic-hdl: …`) reuse keys of the domain with another meaning. */
  readonly isObject: boolean
  isFilled: boolean
  /** The content is indented more than the heading. */
  isDeep: boolean
}

/** More than any domain has; further ones are parsed but not stored. */
const MAX_PARTIES = 100
const MAX_RECORDS = 50

export function createParserState(): ParserState {
  const record = createDomainRecord()
  return { records: [record], record, section: undefined, aside: undefined, list: undefined, afterGap: true }
}

export function addParty({ record }: ParserState, role: Party['role']): Party {
  const party = createParty(role)
  if (record.parties.length < MAX_PARTIES) record.parties.push(party)
  return party
}

export function openSection(state: ParserState, role: Party['role'], indent: number, isObject = false): void {
  const party = addParty(state, role)
  state.section = { party, indent, isObject, isFilled: false, isDeep: false }
  state.aside = undefined
  state.list = { into: party.lines, from: 0 }
}

export function closeSection(state: ParserState): void {
  state.section = undefined
  state.aside = undefined
  state.list = undefined
}

/** A section ends at a smaller indentation, or after a gap unless its content is indented. */
export function closeSectionIfEnded(state: ParserState, indent: number): void {
  const { section, afterGap } = state
  if (!section) return
  if (indent > section.indent) section.isDeep = true
  else if (indent < section.indent || section.isDeep || (afterGap && section.isFilled)) closeSection(state)
}

/** Switches to the record of this domain. */
export function startRecord(state: ParserState, domain: string): void {
  closeSection(state)
  const { records, record } = state
  const known = records.find((other) => other.names.has(domain))
  if (known) state.record = known
  // While the record is empty, another name is another spelling of the domain.
  else if (record.names.size === 0 || (record.fields.size === 0 && record.parties.length === 0))
    record.names.add(domain)
  else {
    state.record = createDomainRecord(domain)
    if (records.length < MAX_RECORDS) records.push(state.record)
  }
}

/** The party of keys that include a role (`Registrant Name`): one per role and record. */
export function partyOf(state: ParserState, role: Role): Party {
  const { section, record } = state
  if (section?.party.role === role) return section.party
  return record.parties.find((party) => party.role === role && party.lines.length === 0) ?? addParty(state, role)
}
