import type { Registration } from '../../../kernel/registration.ts'
import { readDate, type Order } from './dates.ts'
import type { Part } from './document.ts'
import { readHosts } from './hosts.ts'
import type { Line } from './lines.ts'

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

const FREENOM: Family = { order: 'month first' }

const FAMILIES: ReadonlyMap<string, Family> = new Map<string, Family>([
  ['jp', { correct: expiryInStatus }],
  ['my', { correct: withoutHostCodes }],
  ['to', { correct: hostsBesideLabel }],
  ['ua', { correct: expiryInStatus }],
  ['vu', { notFound: /^the domain @ is not valid$/ }],
  ...['cf', 'ga', 'gq', 'ml', 'tk'].map((tld) => [tld, FREENOM] as const),
])

export const familyOf = (tld: string): Family => FAMILIES.get(tld) ?? {}
