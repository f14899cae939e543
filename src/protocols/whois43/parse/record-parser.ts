import { add, domainIn, listFor, type DomainRecord, type Party } from './domain-record.ts'
import type { LineToken } from './tokenize-lines.ts'
import { meaningOf, normalizeKey, type Attribute, type Field, type Role } from './keys.ts'
import { looksLikeHandle } from './contact-names.ts'
import {
  addParty,
  closeSection,
  closeSectionIfEnded,
  createParserState,
  openSection,
  partyOf,
  startRecord,
  type ParserState,
} from './parser-state.ts'
import { parseProse } from './prose.ts'
import { CONTACT_KINDS, OBJECT_KEYS } from './vocabulary.ts'
import { FREE_STATUS } from './wording/not-found.ts'

type Entry = Extract<LineToken, { kind: 'entry' }>
type Text = Extract<LineToken, { kind: 'text' }>
/** The next entry or text. It decides whether a key without a value is a heading. */
type NextContent = Entry | Text | undefined

const MAX_HEADING_LENGTH = 60

/** Parses tokens top to bottom into one record per domain. */
export function parseDomainRecords(tokens: readonly LineToken[]): DomainRecord[] {
  const state = createParserState()
  tokens.forEach((token, at) => {
    if (token.kind === 'comment') readComment(state, token.text)
    else if (token.kind === 'entry') readEntry(state, token, nextContent(tokens, at))
    else if (token.kind === 'text') readText(state, token)
    state.afterGap = token.kind === 'blank' || token.kind === 'comment'
  })
  return state.records
}

/** Looks at most three tokens ahead. */
function nextContent(tokens: readonly LineToken[], at: number): NextContent {
  const next = tokens.slice(at + 1, at + 4).find(({ kind }) => kind === 'entry' || kind === 'text')
  return next as NextContent
}

function readEntry(state: ParserState, entry: Entry, next: NextContent): void {
  closeSectionIfEnded(state, entry.indent)
  const { meaning } = entry
  if (!meaning) readUnknown(state, entry, next)
  else if (meaning.of === 'domain') readField(state, entry, meaning.field, next)
  else if (meaning.of === 'unspecified') readAttribute(state, entry, meaning.attribute, next)
  else if (meaning.attribute === undefined) readRole(state, entry, meaning.role, next)
  else readAttributeOf(state, entry, meaning.role, meaning.attribute)
  const { section } = state
  if (section && (entry.value !== '' || section.party.role === 'other')) section.isFilled = true
}

/** An unknown key may be a heading; its content must not be attributed to another section. */
function readUnknown(state: ParserState, entry: Entry, next: NextContent): void {
  const isHeading = entry.value === '' && (next?.kind === 'text' || (next?.indent ?? 0) > entry.indent)
  if (isHeading && hasContentBelow(entry, next) && !state.section?.isObject) openSection(state, 'other', entry.indent)
  else state.list = undefined
}

const CONTACT_ROLES: ReadonlySet<Party['role']> = new Set<Party['role']>([
  'registrant',
  'admin',
  'tech',
  'billing',
  'registrar',
  'reseller',
  'abuse',
  'contact',
])

function readField(state: ParserState, entry: Entry, field: Field, next: NextContent): void {
  const { section, record } = state
  const { value, indent } = entry
  const name = field === 'domain' || field === 'alias' ? domainIn(value) : undefined
  if (field === 'alias') {
    if (name !== undefined) record.names.add(name)
  } else if (field === 'domain') {
    if (name !== undefined) startRecord(state, name)
    else if (value === '') openSection(state, 'domain', indent)
  } else if (section?.party.role === 'keys') add(section.party.lines, value)
  else if (section?.party.role === 'other' || belongsToContact(state, entry, field)) return
  else if (field === 'nameserver' && value === '') {
    if (hasContentBelow(entry, next)) openSection(state, 'nameservers', indent)
  } else if (field === 'ds' && value === '' && (next?.indent ?? 0) > indent) openSection(state, 'keys', indent)
  else addField(state, field, value, indent)
}

/** Contacts and objects have their own dates and status. Only domains expire. */
function belongsToContact({ section, record }: ParserState, { label }: Entry, field: Field): boolean {
  // `State` after an address is part of the address.
  const isAddress = record.parties.some(
    ({ role, values }) => role === 'domain' && (values.has('other') || values.has('address')),
  )
  if (field === 'status' && isAddress && normalizeKey(label) === 'state') return true
  if (!section || !CONTACT_ROLES.has(section.party.role) || /^domain/i.test(label)) return false
  if (field === 'expires') return section.isObject
  return field === 'created' || field === 'updated' || field === 'status' || field === 'description'
}

function addField(state: ParserState, field: Field, value: string, indent: number): void {
  const values = listFor(state.record.fields, field)
  add(values, value)
  const isContinuation = value === '' || field === 'nameserver'
  state.list = { into: values, from: isContinuation ? 0 : indent + 1 }
}

/** `Registrant Name: …` */
function readAttributeOf(state: ParserState, entry: Entry, role: Role, attribute: Attribute): void {
  if (isInsideObject(state)) return
  state.list = undefined
  if (role === 'other') return
  const party = partyOf(state, role)
  const values = listFor(party.values, attribute)
  add(values, entry.value)
  state.aside = party
  if (attribute === 'handle') state.list = { into: party.lines, from: 0 }
  else if (entry.value === '') state.list = { into: values, from: entry.indent + 1 }
}

/** `Registrant:` over lines or keys, `Registrant: …` with its name, or with its handle and more below. */
function readRole(state: ParserState, entry: Entry, role: Role, next: NextContent): void {
  if (isInsideObject(state)) return
  if (entry.value === '') {
    const isBracketHeading = entry.bracketed && next?.kind === 'entry' && !next.bracketed
    if (isBracketHeading || hasContentBelow(entry, next)) openSection(state, role, entry.indent)
    return
  }
  if (role === 'other') {
    // A host that begins with the name asked for: `Server Name: EXAMPLE.COM.SOMEWHERE.NET`.
    const isHost = state.afterGap && normalizeKey(entry.label) === 'server name'
    if (isHost) openSection(state, 'other', entry.indent, true)
    return
  }
  if (state.section && state.section.party.role !== role) closeSection(state)
  const isOwnParagraph = state.afterGap && next?.kind === 'entry' && next.meaning?.of === 'unspecified'
  if (isOwnParagraph && !state.section) openSection(state, role, entry.indent, true)
  const party = state.section?.party ?? addParty(state, role)
  add(listFor(party.values, 'itself'), entry.value)
  state.aside = party
  state.list = { into: party.lines, from: 0 }
}

const isInsideObject = ({ section }: ParserState): boolean =>
  section !== undefined && section.isObject && section.isFilled

/** `Name: …`, an attribute of the role given by the context. */
function readAttribute(state: ParserState, entry: Entry, attribute: Attribute, next: NextContent): void {
  const key = normalizeKey(entry.label)
  const kind = attribute === 'kind' || key === 'contact' ? CONTACT_KINDS.get(normalizeKey(entry.value)) : undefined
  if (kind) {
    openSection(state, kind, entry.indent, true)
    return
  }
  if (key === 'contact' && entry.value === '') {
    if (hasContentBelow(entry, next)) openSection(state, 'contact', entry.indent)
    return
  }
  const isFirst = !state.section || state.section.isFilled
  const startsObject = state.afterGap && OBJECT_KEYS.has(key) && isFirst
  // An `organisation` in its own paragraph after the domain's is the registrant.
  if (startsObject) openSection(state, key === 'organisation' ? 'registrant' : 'contact', entry.indent, true)
  const { section } = state
  // In registries without contact objects, `org` and `person` are the registrant wherever they occur.
  if (!section && (key === 'org' || key === 'person')) state.aside = partyOf(state, 'registrant')
  const party = section?.party ?? state.aside ?? partyOf(state, 'domain')
  const isHandle =
    startsObject && attribute === 'name' && (looksLikeHandle(entry.value) || isReferredTo(state.record, entry.value))
  const values = listFor(party.values, isHandle ? 'handle' : attribute)
  add(values, entry.value)
  if (entry.value === '' || attribute === 'address') state.list = { into: values, from: entry.indent + 1 }
  else if (!section || section.party.lines.length === 0) state.list = undefined
}

/** Whether the domain refers to this handle: `registrant: SAMPLE`, and below, `contact: SAMPLE`. */
const isReferredTo = ({ parties }: DomainRecord, handle: string): boolean =>
  parties.some(({ role, values }) => role !== 'contact' && values.get('itself')?.includes(handle))

/** Whether a key without a value is a heading: the next content is indented, or depends on it. */
function hasContentBelow(entry: Entry, next: NextContent): boolean {
  if (!next) return false
  if (next.kind === 'text') return next.indent >= entry.indent
  return next.indent > entry.indent || (next.meaning?.of === 'unspecified' && next.indent >= entry.indent)
}

function readComment(state: ParserState, text: string): void {
  const meaning = text.length <= MAX_HEADING_LENGTH ? meaningOf(text.replace(/:$/, '')) : undefined
  if (meaning?.of !== 'role' || meaning.attribute !== undefined || meaning.role === 'other') return
  openSection(state, meaning.role, 0)
}

function readText(state: ParserState, text: Text): void {
  if (readHeading(state, text) || readProse(state, text)) return
  const { section } = state
  if (section && text.indent < section.indent) closeSection(state)
  else if (section && text.indent > section.indent) section.isDeep = true
  const { list, record } = state
  if (!list || text.indent < list.from || (state.afterGap && list.into.length > 0)) {
    state.list = undefined
    return
  }
  add(list.into, text.text)
  if (section) section.isFilled = true
  const mayName =
    section?.party.role === 'domain' && record.names.size === 0 && !FREE_STATUS.test(text.text.toLowerCase())
  const domain = mayName ? domainIn(text.text) : undefined
  if (domain !== undefined) startRecord(state, domain)
}

/** A heading without a colon starts a paragraph, or has the indentation of the section's heading. */
function readHeading(state: ParserState, { text, indent }: Text): boolean {
  const { section, afterGap } = state
  const meaning = text.length <= MAX_HEADING_LENGTH ? meaningOf(text) : undefined
  if (!meaning || meaning.of === 'unspecified' || (!afterGap && section && indent > section.indent)) return false
  if (meaning.of === 'role') {
    // A single word may be a name or title among the lines of a section.
    const isOneOfItsLines = section?.isFilled && !afterGap && !section.isDeep && !text.includes(' ')
    if (meaning.attribute !== undefined || isOneOfItsLines) return false
    openSection(state, meaning.role, indent)
    return true
  }
  if (meaning.field !== 'nameserver' && meaning.field !== 'dnssec') return false
  closeSection(state)
  if (meaning.field === 'nameserver') openSection(state, 'nameservers', indent)
  else addField(state, meaning.field, '', indent)
  return true
}

function readProse(state: ParserState, { text }: Text): boolean {
  const sentences = parseProse(text)
  for (const { field, value, status } of sentences) {
    if (field === 'domain') startRecord(state, value)
    else add(listFor(state.record.fields, field), value)
    if (status !== undefined) add(listFor(state.record.fields, 'status'), status)
  }
  return sentences.length > 0
}
