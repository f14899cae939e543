import type { Registration } from '../../../kernel/registration.ts'
import { countryAtEnd } from './countries.ts'
import { parseDate, type DateOrder } from './dates.ts'
import type { DomainRecord, Party } from './domain-record.ts'
import { parseHosts } from './hosts.ts'
import type { Attribute, Field } from './keys.ts'
import { isWithheld, looksLikeHandle, looksLikeOrganisation, readName } from './contact-names.ts'
import { parseStatuses } from './status.ts'

/** Converts the record of one domain to our format. */
export function extractRegistration(record: DomainRecord, domain: string, order?: DateOrder): Registration {
  const registrar = readRegistrar(record)
  const dates = readDates(record, order ?? dateOrderOf(record))
  const registrant = readRegistrant(record)
  const signed = readSigned(record)
  return {
    ...(registrar && { registrar }),
    ...(dates && { dates }),
    status: [...new Set(valuesOf(record, 'status').flatMap(parseStatuses))],
    nameservers: readNameservers(record, domain),
    ...(signed !== undefined && { dnssec: { delegationSigned: signed } }),
    ...(registrant && { registrant }),
  }
}

const valuesOf = (record: DomainRecord, field: Field): readonly string[] => record.fields.get(field) ?? []

const first = <T>(values: readonly T[], read: (value: T) => string | undefined): string | undefined => {
  for (const value of values) {
    const found = read(value)
    if (found !== undefined) return found
  }
  return undefined
}

function readDates(record: DomainRecord, order: DateOrder): Registration['dates'] {
  const created = first(valuesOf(record, 'created'), (value) => parseDate(value, order))
  const changes = valuesOf(record, 'updated')
  const updated = first(isHistory(changes) ? changes.toReversed() : changes, (value) => parseDate(value, order))
  const expires = first(valuesOf(record, 'expires'), (value) => parseDate(value, order))
  const assigned =
    created ??
    (isHistory(changes)
      ? first(
          changes.filter((change) => /\(assigned\)/i.test(change)),
          (value) => parseDate(value, order),
        )
      : undefined)
  return compact({ created: assigned, updated, expires })
}

/** `changed: who@where 19990812 (Changed)`, once per change: the first is the oldest. */
const isHistory = (changes: readonly string[]): boolean =>
  changes.length > 1 && changes.every((change) => /\D(?:19|20)\d{6}(?!\d)/.test(change))

/** One date whose second number is above twelve shows the order of all dates. */
function dateOrderOf(record: DomainRecord): DateOrder {
  const dates = (['created', 'updated', 'expires'] as const).flatMap((field) => valuesOf(record, field))
  return dates.some((date) => /^\s*\d{1,2}[/-](?:1[3-9]|[23]\d)[/-]\d{4}/.test(date)) ? 'month first' : 'day first'
}

function readNameservers(record: DomainRecord, domain: string): string[] {
  const hosts = valuesOf(record, 'nameserver').flatMap(parseHosts)
  const listed = record.parties.filter((party) => party.role === 'nameservers')
  const beside = listed.flatMap((party) => [...party.lines, ...(party.values.get('name') ?? [])]).flatMap(parseHosts)
  const all = [...new Set([...hosts, ...beside])]
  // One registry repeats the domain under `DNS:`. A domain that is its own name server has other name servers too.
  return all.length > 1 ? all.filter((host) => host !== domain && !record.names.has(host)) : all
}

const SIGNED = /^(?:yes|y|true|1|signed|signed ?delegation|active|enabled|on|secure|signe|ano|si|ja|oui|tak)$/
const UNSIGNED =
  /^(?:no|n|false|0|unsigned|unsigned ?delegation|inactive|disabled|off|not signed|non signe|insecure|none|ne|nein|non|nie|미서명|no ds|not enabled|notsigned)$/

function readSigned(record: DomainRecord): boolean | undefined {
  for (const value of valuesOf(record, 'dnssec')) {
    const said = value
      .toLowerCase()
      .replace(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
    if (UNSIGNED.test(said) || said.startsWith('unsigned') || said.startsWith('not ')) return false
    if (SIGNED.test(said) || /^signed\b/.test(said)) return true
  }
  const keys = valuesOf(record, 'ds').filter((value) => !isWithheld(value) && !/^(?:no|-)/i.test(value))
  const listed = record.parties.some(({ role, lines }) => role === 'keys' && lines.length > 0)
  return keys.length > 0 || listed ? true : undefined
}

function readRegistrar(record: DomainRecord): Registration['registrar'] {
  const parties = record.parties.filter((party) => party.role === 'registrar')
  const abuse = record.parties.filter((party) => party.role === 'abuse')
  const names = NAMING.flatMap((naming) => parties.flatMap(naming))
  const full = first(names, plainName) ?? first(names, told)
  // A reseller may be listed next to the registrar; take the URL only from the registrar itself.
  const same = parties.filter((party) => namesOf(party).length === 0 || namesOf(party).some((name) => name === full))
  const urls = [...said(same, 'url'), ...[full ?? ''].map(urlIn), ...same.flatMap((party) => party.lines).map(urlIn)]
  const reachable = [...said(abuse, 'itself'), ...abuse.flatMap((party) => party.lines)]
  return compact({
    name: full === undefined ? undefined : registrarName(full),
    url: first(urls, plainUrl),
    abuseEmail: first([...said(parties, 'abuseEmail'), ...said(abuse, 'email'), ...reachable], emailIn),
    abusePhone: first([...said(parties, 'abusePhone'), ...said(abuse, 'phone'), ...reachable], phoneIn),
    ianaId: first(said(parties, 'ianaId'), (id) => /^\d{1,10}$/.exec(id.trim())?.[0]),
  })
}

/** Places for a registrar's name, best first. */
const NAMING: readonly ((party: Party) => readonly string[])[] = [
  ({ values }) => values.get('itself') ?? [],
  ({ values }) => values.get('name') ?? [],
  ({ values }) => values.get('organization') ?? [],
  ({ lines }) => lines.slice(0, 1),
  ({ values }) => values.get('handle') ?? [],
]
const namesOf = (party: Party): string[] => NAMING.flatMap((naming) => naming(party))

const said = (parties: readonly Party[], attribute: Attribute | 'itself'): string[] =>
  parties.flatMap((party) => party.values.get(attribute) ?? [])

const told = (value: string): string | undefined => (isWithheld(value) ? undefined : value)
const plainName = (value: string): string | undefined => (looksLikeHandle(value) ? undefined : told(value))
const plainUrl = (url: string | undefined): string | undefined =>
  url === undefined || isWithheld(url) || !url.includes('.') || /\s/.test(url.trim()) ? undefined : url.trim()

/** Strips the registry's own id or a URL: `Example, Inc. (R22-LRCC)`, `Example Inc R45-ME`, `Example (http://…)`. */
function registrarName(full: string): string {
  return full
    .replace(/\s*\(\s*https?:\/\/[^()]*\)\s*$/i, '')
    .replace(/\s*\((?:[A-Z]*\d[\w-]*)\)\s*$/, '')
    .replace(/\s+R\d+-[A-Z]+$/, '')
    .replace(/\s+/g, ' ')
    .trim()
}

const urlIn = (text: string): string | undefined => /https?:\/\/[^\s()<>"]{3,200}/i.exec(text)?.[0]
const emailIn = (text: string): string | undefined => /[^\s<>@:]{1,64}@[^\s<>@]{1,190}\.[^\s<>@.]{2,30}/.exec(text)?.[0]
const phoneIn = (text: string): string | undefined =>
  /^\s*\(?\+?\d[\d\s().-]{4,30}(?:x\d+)?$/i.exec(text.trim())?.[0]?.trim()

function readRegistrant(record: DomainRecord): Registration['registrant'] {
  const own = record.parties.filter((party) => party.role === 'registrant')
  const linked = own.flatMap((party) => linkedTo(record, party))
  const beside = record.parties.filter((party) => party.role === 'domain')
  const contacts = record.parties.filter((party) => party.role === 'contact' && !party.values.has('handle'))
  const isHandle = handlesIn(record, linked)
  const unlabelled = [
    ...said(own, 'itself').filter((value) => !isHandle(value)),
    ...(own.length === 0 ? contacts : own).flatMap((party) =>
      party.lines.filter((line) => !looksLikeHandle(line)).slice(0, 1),
    ),
  ]
  const everybody = [...own, ...linked, ...beside]
  const name =
    first(own.flatMap(fullNames), readName) ??
    first(unlabelled, readName) ??
    first([...linked, ...beside].flatMap(fullNames), readName) ??
    first(
      said(everybody, 'organization').length === 0 ? valuesOf(record, 'description') : said(beside, 'organization'),
      readName,
    )
  const isBody = said(everybody, 'kind').some((kind) =>
    /^(?:organi[sz]ation|company|legal|juridical|corporate)/i.test(kind),
  )
  const bodies = [...unlabelled.slice(0, 2), name].filter(
    (text) => text !== undefined && (isBody || looksLikeOrganisation(text)),
  )
  const countries = said(everybody, 'country').filter((country) => !isWithheld(country))
  return compact({
    name,
    organization: first(said(everybody, 'organization'), readName) ?? first(bodies, (text) => readName(text ?? '')),
    country: countries.find((country) => /^[A-Z]{2}$/i.test(country)) ?? countries[0] ?? first(everybody, countryOf),
  })
}

/** In RPSL-style registries a single word after `registrant:` is always a handle. */
function handlesIn(record: DomainRecord, linked: readonly Party[]): (value: string) => boolean {
  const isRegister =
    linked.length > 0 || record.parties.some(({ role, values }) => role === 'contact' && values.has('handle'))
  return (value) => looksLikeHandle(value) || (isRegister && !/\s/.test(value))
}

/** Without a country key, the country is the last line of the address. */
function countryOf({ values, lines }: Party): string | undefined {
  const organization = values.get('organization') ?? []
  const addresses = [values.get('address') ?? [], lines, organization.length > 2 ? organization : []]
  return first(addresses, countryAtEnd)
}

/** Names from the name key, or from first and last name keys. */
function fullNames({ values }: Party): string[] {
  const halves = [values.get('firstName')?.[0], values.get('lastName')?.[0]].filter((half) => half !== undefined)
  return [...(values.get('name') ?? []), ...(halves.length > 0 ? [halves.join(' ')] : [])]
}

/** The contact objects whose handle the registrant refers to. */
function linkedTo(record: DomainRecord, registrant: Party): Party[] {
  const handles = [...(registrant.values.get('itself') ?? []), ...(registrant.values.get('handle') ?? [])]
  return record.parties.filter((party) => party.role === 'contact' && handles.some((handle) => isNamed(party, handle)))
}

const isNamed = (party: Party, handle: string): boolean =>
  (party.values.get('handle') ?? []).includes(handle) || (party.values.get('name') ?? []).includes(handle)

/** Drops empty fields; undefined if none is left. */
function compact<T extends Record<string, string | undefined>>(fields: T): { [Key in keyof T]?: string } | undefined {
  const told = Object.entries(fields).filter(([, value]) => value !== undefined && value !== '')
  return told.length === 0 ? undefined : (Object.fromEntries(told) as { [Key in keyof T]?: string })
}
