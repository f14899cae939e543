import type { Registration } from '../../../kernel/registration.ts'
import { parseDate, type DateOrder } from './dates.ts'
import type { DomainRecord } from './domain-record.ts'
import { parseHosts } from './hosts.ts'
import type { Line } from './lines.ts'
import { readName } from './contact-names.ts'

/** What is special about one registry's answers and cannot be detected from the text. */
export type RegistryQuirks = {
  /** Set if the month comes first in `03/04/2005`. */
  readonly order?: DateOrder
  /** A "not found" wording valid for this registry only, matched against `Statement.words`. */
  readonly notFound?: RegExp
  /** Adds or fixes values in registry-specific places. */
  readonly correct?: (
    registration: Registration,
    said: { record: DomainRecord; lines: readonly Line[]; domain: string },
  ) => Registration
}

type Correct = NonNullable<RegistryQuirks['correct']>

/** The status holds the expiry date: `Connected (2027/03/31)`, `OK-UNTIL 20270903000000`. */
const expiryInStatus: Correct = (registration, { record }) => {
  if (registration.dates?.expires !== undefined) return registration
  const statuses = record.fields.get('status') ?? []
  const paid = statuses.map((status) => /\((\d{4}\/\d\d\/\d\d)\)|until (\d{14})/i.exec(status)).find((match) => match)
  const expires = paid ? parseDate(paid[1] ?? paid[2] ?? '') : undefined
  return expires === undefined ? registration : { ...registration, dates: { ...registration.dates, expires } }
}

/** One line per name server, with the domain without its TLD and the host; nothing else. */
const hostsBesideLabel: Correct = (registration, { lines, domain }) => {
  const label = domain.slice(0, domain.lastIndexOf('.'))
  const served = lines.filter(({ text }) => text.toLowerCase().startsWith(`${label} `))
  const nameservers = served.flatMap(({ text }) => parseHosts(text.slice(label.length)))
  return nameservers.length > 0 ? { ...registration, nameservers: [...new Set(nameservers)] } : registration
}

/** Name servers are listed with an internal code that looks like a host (`NS1EXAM0.SER`). */
const withoutHostCodes: Correct = (registration) => ({
  ...registration,
  nameservers: registration.nameservers.filter((host) => !host.endsWith('.ser')),
})

/** The only date is in a separate section about the record: `[Whois]`, `Updated: …`. */
const updatedOfRecord: Correct = (registration, { lines }) => {
  if (registration.dates?.updated !== undefined) return registration
  const start = lines.findIndex(({ text }) => /^\[whois\]$/i.test(text))
  const line = start === -1 ? undefined : lines.slice(start).find(({ text }) => /^updated:/i.test(text))
  const updated = line ? parseDate(line.text.slice(line.text.indexOf(':') + 1)) : undefined
  return updated === undefined ? registration : { ...registration, dates: { ...registration.dates, updated } }
}

/** Lines: the organization in one or two scripts, then the person with an email address, then the postal address. */
const holderAbovePerson: Correct = (registration, { record }) => {
  const lines = record.parties.find(({ role, lines }) => role === 'registrant' && lines.length > 0)?.lines ?? []
  const person = lines.findIndex((line) => line.includes('@'))
  const bodies = lines.slice(0, Math.max(person, 0)).flatMap((line) => readName(line) ?? [])
  if (bodies.length === 0) return registration
  const name = readName(lines[person]!)
  const registrant = {
    ...registration.registrant,
    organization: bodies.join(', '),
    ...(name !== undefined && { name }),
  }
  return { ...registration, registrant }
}

/** The organization is in the first line, its contact person in the second. */
const personBelowHolder: Correct = (registration, { record }) => {
  const lines = record.parties.find(({ role, lines }) => role === 'registrant' && lines.length > 3)?.lines ?? []
  const [organization, name] = lines.slice(0, 2).map(readName)
  if (organization === undefined || name === undefined) return registration
  return { ...registration, registrant: { ...registration.registrant, organization, name } }
}

const FREENOM: RegistryQuirks = { order: 'month first' }

const QUIRKS_BY_TLD: ReadonlyMap<string, RegistryQuirks> = new Map<string, RegistryQuirks>([
  ['jp', { correct: expiryInStatus }],
  ['lv', { correct: updatedOfRecord }],
  ['ly', { correct: personBelowHolder }],
  ['md', { notFound: /^no match for$/ }],
  ['my', { correct: withoutHostCodes }],
  ['to', { correct: hostsBesideLabel }],
  ['tw', { correct: holderAbovePerson }],
  ['ua', { correct: expiryInStatus }],
  ['vu', { notFound: /^the domain @ is not valid$/ }],
  ...['cf', 'ga', 'gq', 'ml', 'tk'].map((tld) => [tld, FREENOM] as const),
])

export const quirksOf = (tld: string): RegistryQuirks => QUIRKS_BY_TLD.get(tld) ?? {}
