import { newPart, newParty, type Part, type Party } from './document.ts'
import type { Role } from './keys.ts'

/** Where in an answer we are, and what was read until here. */
export type Reading = {
  readonly parts: Part[]
  part: Part
  /** The heading or object we are below; without one we are at the domain itself. */
  section: Section | undefined
  /** Whom bare keys speak of after a role's own key in the middle of a paragraph. */
  aside: Party | undefined
  /** Where lines without a key belong, and how far right they must stand. */
  list: { readonly into: string[]; readonly from: number } | undefined
  /** The piece before was a blank line or a comment. */
  afterGap: boolean
}

export type Section = {
  readonly party: Party
  readonly indent: number
  /** Linked objects (`nic-hdl: …`) repeat keys of the domain with a meaning of their own. */
  readonly isObject: boolean
  isFilled: boolean
  /** Its content stands further right than its heading. */
  isDeep: boolean
}

/** More than any domain has; what comes after them is read, but not kept. */
const MAX_PARTIES = 100
const MAX_PARTS = 50

export function newReading(): Reading {
  const part = newPart()
  return { parts: [part], part, section: undefined, aside: undefined, list: undefined, afterGap: true }
}

export function addParty({ part }: Reading, role: Party['role']): Party {
  const party = newParty(role)
  if (part.parties.length < MAX_PARTIES) part.parties.push(party)
  return party
}

export function openSection(reading: Reading, role: Party['role'], indent: number, isObject = false): void {
  const party = addParty(reading, role)
  reading.section = { party, indent, isObject, isFilled: false, isDeep: false }
  reading.aside = undefined
  reading.list = { into: party.lines, from: 0 }
}

export function closeSection(reading: Reading): void {
  reading.section = undefined
  reading.aside = undefined
  reading.list = undefined
}

/** A section ends where something stands further left than its content, or after a gap where nothing stands deeper. */
export function leaveIfOver(reading: Reading, indent: number): void {
  const { section, afterGap } = reading
  if (!section) return
  if (indent > section.indent) section.isDeep = true
  else if (indent < section.indent || section.isDeep || (afterGap && section.isFilled)) closeSection(reading)
}

/** From here on the answer speaks of this domain. */
export function startPart(reading: Reading, domain: string): void {
  closeSection(reading)
  const { parts, part } = reading
  const known = parts.find((other) => other.names.has(domain))
  if (known) reading.part = known
  // Until something was said of it, another name is another spelling.
  else if (part.names.size === 0 || (part.fields.size === 0 && part.parties.length === 0)) part.names.add(domain)
  else {
    reading.part = newPart(domain)
    if (parts.length < MAX_PARTS) parts.push(reading.part)
  }
}

/** The party that keys with a role in them (`Registrant Name`) speak of, one per role and part. */
export function partyOf(reading: Reading, role: Role): Party {
  const { section, part } = reading
  if (section?.party.role === role) return section.party
  return part.parties.find((party) => party.role === role && party.lines.length === 0) ?? addParty(reading, role)
}
