import { add, domainIn, listFor, type Part, type Party } from './document.ts'
import type { Piece } from './entries.ts'
import { meaningOf, normaliseKey, type Attribute, type Field, type Role } from './keys.ts'
import { looksLikeHandle } from './people.ts'
import {
  addParty,
  closeSection,
  leaveIfOver,
  newReading,
  openSection,
  partyOf,
  startPart,
  type Reading,
} from './reading.ts'
import { readSentences } from './sentences.ts'
import { CONTACT_KINDS, OBJECT_KEYS } from './vocabulary.ts'
import { FREE_STATUS } from './wording/not-found.ts'

type Entry = Extract<Piece, { kind: 'entry' }>
type Text = Extract<Piece, { kind: 'text' }>
/** The next piece that says something: it tells whether a key without a value is a heading. */
type Follower = Entry | Text | undefined

const MAX_HEADING_LENGTH = 60

/** Reads an answer's pieces from top to bottom into what it says of each domain. */
export function readParts(pieces: readonly Piece[]): Part[] {
  const reading = newReading()
  pieces.forEach((piece, at) => {
    if (piece.kind === 'comment') readComment(reading, piece.text)
    else if (piece.kind === 'entry') readEntry(reading, piece, nextContent(pieces, at))
    else if (piece.kind === 'text') readText(reading, piece)
    reading.afterGap = piece.kind === 'blank' || piece.kind === 'comment'
  })
  return reading.parts
}

/** Across one gap at most. */
function nextContent(pieces: readonly Piece[], at: number): Follower {
  const next = pieces.slice(at + 1, at + 4).find(({ kind }) => kind === 'entry' || kind === 'text')
  return next as Follower
}

function readEntry(reading: Reading, entry: Entry, follower: Follower): void {
  leaveIfOver(reading, entry.indent)
  const { meaning } = entry
  if (!meaning) readUnknown(reading, entry, follower)
  else if (meaning.of === 'domain') readField(reading, entry, meaning.field, follower)
  else if (meaning.of === 'whoever') readAttribute(reading, entry, meaning.attribute, follower)
  else if (meaning.attribute === undefined) readRole(reading, entry, meaning.role, follower)
  else readAttributeOf(reading, entry, meaning.role, meaning.attribute)
  const { section } = reading
  if (section && (entry.value !== '' || section.party.role === 'other')) section.isFilled = true
}

/** A key we do not know may still be a heading over what must not be taken for something else. */
function readUnknown(reading: Reading, entry: Entry, follower: Follower): void {
  const isHeading = entry.value === '' && (follower?.kind === 'text' || (follower?.indent ?? 0) > entry.indent)
  if (isHeading && hasContentBelow(entry, follower) && !reading.section?.isObject)
    openSection(reading, 'other', entry.indent)
  else reading.list = undefined
}

const PEOPLE: ReadonlySet<Party['role']> = new Set<Party['role']>([
  'registrant',
  'admin',
  'tech',
  'billing',
  'registrar',
  'reseller',
  'abuse',
  'contact',
])

function readField(reading: Reading, entry: Entry, field: Field, follower: Follower): void {
  const { section, part } = reading
  const { value, indent } = entry
  const name = field === 'domain' || field === 'alias' ? domainIn(value) : undefined
  if (field === 'alias') {
    if (name !== undefined) part.names.add(name)
  } else if (field === 'domain') {
    if (name !== undefined) startPart(reading, name)
    else if (value === '') openSection(reading, 'domain', indent)
  } else if (section?.party.role === 'keys') add(section.party.lines, value)
  else if (section?.party.role === 'other' || isTheirs(reading, entry, field)) return
  else if (field === 'nameserver' && value === '') {
    if (hasContentBelow(entry, follower)) openSection(reading, 'nameservers', indent)
  } else if (field === 'ds' && value === '' && (follower?.indent ?? 0) > indent) openSection(reading, 'keys', indent)
  else addField(reading, field, value, indent)
}

/** People and objects have dates and a status too; theirs are not the domain's. Only domains expire. */
function isTheirs({ section, part }: Reading, { label }: Entry, field: Field): boolean {
  // After an address, the state is a part of it.
  const isAddress = part.parties.some(
    ({ role, values }) => role === 'domain' && (values.has('other') || values.has('address')),
  )
  if (field === 'status' && isAddress && normaliseKey(label) === 'state') return true
  if (!section || !PEOPLE.has(section.party.role) || /^domain/i.test(label)) return false
  if (field === 'expires') return section.isObject
  return field === 'created' || field === 'updated' || field === 'status' || field === 'description'
}

function addField(reading: Reading, field: Field, value: string, indent: number): void {
  const values = listFor(reading.part.fields, field)
  add(values, value)
  const goesOn = value === '' || field === 'nameserver'
  reading.list = { into: values, from: goesOn ? 0 : indent + 1 }
}

/** `Registrant Name: …` */
function readAttributeOf(reading: Reading, entry: Entry, role: Role, attribute: Attribute): void {
  if (isInsideObject(reading)) return
  reading.list = undefined
  if (role === 'other') return
  const party = partyOf(reading, role)
  const values = listFor(party.values, attribute)
  add(values, entry.value)
  reading.aside = party
  if (attribute === 'handle') reading.list = { into: party.lines, from: 0 }
  else if (entry.value === '') reading.list = { into: values, from: entry.indent + 1 }
}

/** `Registrant:` over lines or keys, `Registrant: …` with its name, or with its handle and more below. */
function readRole(reading: Reading, entry: Entry, role: Role, follower: Follower): void {
  if (isInsideObject(reading)) return
  if (entry.value === '') {
    const isBracketHeading = entry.bracketed && follower?.kind === 'entry' && !follower.bracketed
    if (isBracketHeading || hasContentBelow(entry, follower)) openSection(reading, role, entry.indent)
    return
  }
  if (role === 'other') {
    // A host that begins with the name asked for: `Server Name: EXAMPLE.COM.SOMEWHERE.NET`.
    const isHost = reading.afterGap && normaliseKey(entry.label) === 'server name'
    if (isHost) openSection(reading, 'other', entry.indent, true)
    return
  }
  if (reading.section && reading.section.party.role !== role) closeSection(reading)
  const isOwnParagraph = reading.afterGap && follower?.kind === 'entry' && follower.meaning?.of === 'whoever'
  if (isOwnParagraph && !reading.section) openSection(reading, role, entry.indent, true)
  const party = reading.section?.party ?? addParty(reading, role)
  add(listFor(party.values, 'itself'), entry.value)
  reading.aside = party
  reading.list = { into: party.lines, from: 0 }
}

const isInsideObject = ({ section }: Reading): boolean => section !== undefined && section.isObject && section.isFilled

/** `Name: …`, of whoever is spoken of here. */
function readAttribute(reading: Reading, entry: Entry, attribute: Attribute, follower: Follower): void {
  const key = normaliseKey(entry.label)
  const kind = attribute === 'kind' || key === 'contact' ? CONTACT_KINDS.get(normaliseKey(entry.value)) : undefined
  if (kind) {
    openSection(reading, kind, entry.indent, true)
    return
  }
  if (key === 'contact' && entry.value === '') {
    if (hasContentBelow(entry, follower)) openSection(reading, 'contact', entry.indent)
    return
  }
  const isFirst = !reading.section || reading.section.isFilled
  const startsObject = reading.afterGap && OBJECT_KEYS.has(key) && isFirst
  // An organisation in a paragraph of its own, right after the domain's, is the one that holds it.
  if (startsObject) openSection(reading, key === 'organisation' ? 'registrant' : 'contact', entry.indent, true)
  const { section } = reading
  // In registers without contacts these two name the holder wherever they stand.
  if (!section && (key === 'org' || key === 'person')) reading.aside = partyOf(reading, 'registrant')
  const party = section?.party ?? reading.aside ?? partyOf(reading, 'domain')
  const isHandle =
    startsObject && attribute === 'name' && (looksLikeHandle(entry.value) || isReferredTo(reading.part, entry.value))
  const values = listFor(party.values, isHandle ? 'handle' : attribute)
  add(values, entry.value)
  if (entry.value === '' || attribute === 'address') reading.list = { into: values, from: entry.indent + 1 }
  else if (!section || section.party.lines.length === 0) reading.list = undefined
}

/** The domain's own keys name this one: `registrant: SAMPLE`, and below, `contact: SAMPLE`. */
const isReferredTo = ({ parties }: Part, handle: string): boolean =>
  parties.some(({ role, values }) => role !== 'contact' && values.get('itself')?.includes(handle))

/** Whether a key without a value is a heading: what follows stands below it or cannot stand alone. */
function hasContentBelow(entry: Entry, follower: Follower): boolean {
  if (!follower) return false
  if (follower.kind === 'text') return follower.indent >= entry.indent
  return follower.indent > entry.indent || (follower.meaning?.of === 'whoever' && follower.indent >= entry.indent)
}

function readComment(reading: Reading, text: string): void {
  const meaning = text.length <= MAX_HEADING_LENGTH ? meaningOf(text.replace(/:$/, '')) : undefined
  if (meaning?.of !== 'role' || meaning.attribute !== undefined || meaning.role === 'other') return
  openSection(reading, meaning.role, 0)
}

function readText(reading: Reading, text: Text): void {
  if (readHeading(reading, text) || readTold(reading, text)) return
  const { section } = reading
  if (section && text.indent < section.indent) closeSection(reading)
  else if (section && text.indent > section.indent) section.isDeep = true
  const { list, part } = reading
  if (!list || text.indent < list.from || (reading.afterGap && list.into.length > 0)) {
    reading.list = undefined
    return
  }
  add(list.into, text.text)
  if (section) section.isFilled = true
  const mayName =
    section?.party.role === 'domain' && part.names.size === 0 && !FREE_STATUS.test(text.text.toLowerCase())
  const domain = mayName ? domainIn(text.text) : undefined
  if (domain !== undefined) startPart(reading, domain)
}

/** A heading without a colon starts a paragraph, or stands where the section's own heading stands. */
function readHeading(reading: Reading, { text, indent }: Text): boolean {
  const { section, afterGap } = reading
  const meaning = text.length <= MAX_HEADING_LENGTH ? meaningOf(text) : undefined
  if (!meaning || meaning.of === 'whoever' || (!afterGap && section && indent > section.indent)) return false
  if (meaning.of === 'role') {
    // One word may be a name or a title among the lines of a section.
    const isOneOfItsLines = section?.isFilled && !afterGap && !section.isDeep && !text.includes(' ')
    if (meaning.attribute !== undefined || isOneOfItsLines) return false
    openSection(reading, meaning.role, indent)
    return true
  }
  if (meaning.field !== 'nameserver' && meaning.field !== 'dnssec') return false
  closeSection(reading)
  if (meaning.field === 'nameserver') openSection(reading, 'nameservers', indent)
  else addField(reading, meaning.field, '', indent)
  return true
}

function readTold(reading: Reading, { text }: Text): boolean {
  const sentences = readSentences(text)
  for (const { field, value, status } of sentences) {
    if (field === 'domain') startPart(reading, value)
    else add(listFor(reading.part.fields, field), value)
    if (status !== undefined) add(listFor(reading.part.fields, 'status'), status)
  }
  return sentences.length > 0
}
