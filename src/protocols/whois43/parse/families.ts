import type { Registration } from '../../../kernel/registration.ts'
import { readDate, type Order } from './dates.ts'
import type { Part } from './document.ts'
import { readHosts } from './hosts.ts'
import type { Line } from './lines.ts'
import { readName } from './people.ts'

/** What a registry does in a way of its own, that its text alone does not show. */
export type Family = {
  /** Which number comes first in `03/04/2005`, where that is not the day. */
  readonly order?: Order
  /** How it says that it has no such domain, in the form of `Statement.words`, where these words mean it nowhere else. */
  readonly notFound?: RegExp
  /** What it tells in places of its own. */
  readonly correct?: (
    registration: Registration,
    said: { part: Part; lines: readonly Line[]; domain: string },
  ) => Registration
}

type Correct = NonNullable<Family['correct']>

/** The status carries the day until which the name is paid: `Connected (2027/03/31)`, `OK-UNTIL 20270903000000`. */
const expiryInStatus: Correct = (registration, { part }) => {
  if (registration.dates?.expires !== undefined) return registration
  const statuses = part.fields.get('status') ?? []
  const paid = statuses.map((status) => /\((\d{4}\/\d\d\/\d\d)\)|until (\d{14})/i.exec(status)).find((match) => match)
  const expires = paid ? readDate(paid[1] ?? paid[2] ?? '') : undefined
  return expires === undefined ? registration : { ...registration, dates: { ...registration.dates, expires } }
}

/** Nothing but one line for each name server: the name without its TLD, and the host. */
const hostsBesideLabel: Correct = (registration, { lines, domain }) => {
  const label = domain.slice(0, domain.lastIndexOf('.'))
  const served = lines.filter(({ text }) => text.toLowerCase().startsWith(`${label} `))
  const nameservers = served.flatMap(({ text }) => readHosts(text.slice(label.length)))
  return nameservers.length > 0 ? { ...registration, nameservers: [...new Set(nameservers)] } : registration
}

/** Hosts have a code of the form of a host (`NS1EXAM0.SER`) beside their name. */
const withoutHostCodes: Correct = (registration) => ({
  ...registration,
  nameservers: registration.nameservers.filter((host) => !host.endsWith('.ser')),
})

/** The only date stands apart, in a paragraph about the record: `[Whois]`, `Updated: …`. */
const updatedOfRecord: Correct = (registration, { lines }) => {
  if (registration.dates?.updated !== undefined) return registration
  const start = lines.findIndex(({ text }) => /^\[whois\]$/i.test(text))
  const line = start === -1 ? undefined : lines.slice(start).find(({ text }) => /^updated:/i.test(text))
  const updated = line ? readDate(line.text.slice(line.text.indexOf(':') + 1)) : undefined
  return updated === undefined ? registration : { ...registration, dates: { ...registration.dates, updated } }
}

/** The holder's names, in one or two scripts; then the person, who alone has an address for mail; then where it is. */
const holderAbovePerson: Correct = (registration, { part }) => {
  const lines = part.parties.find(({ role, lines }) => role === 'registrant' && lines.length > 0)?.lines ?? []
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

/** The holder in the first line, and in the second the person who acts for it. */
const personBelowHolder: Correct = (registration, { part }) => {
  const lines = part.parties.find(({ role, lines }) => role === 'registrant' && lines.length > 3)?.lines ?? []
  const [organization, name] = lines.slice(0, 2).map(readName)
  if (organization === undefined || name === undefined) return registration
  return { ...registration, registrant: { ...registration.registrant, organization, name } }
}

const FREENOM: Family = { order: 'month first' }

const FAMILIES: ReadonlyMap<string, Family> = new Map<string, Family>([
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

export const familyOf = (tld: string): Family => FAMILIES.get(tld) ?? {}
