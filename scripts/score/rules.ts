/** When two values of a record count as equal: registries and parsers write one fact in many ways. */

const textOf = (value: unknown): string => (typeof value === 'string' || typeof value === 'number' ? String(value) : '')
const words = (value: unknown): string => textOf(value).normalize('NFC').replace(/\s+/g, ' ').trim()

/** Letters and digits only, in lower case. */
const letters = (value: unknown): string =>
  words(value)
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '')

const DAY_MS = 86_400_000

/** Without the registry's ID of the registrar, which may stand before or after the name. */
const registrarName = (value: unknown): string =>
  letters(
    words(value)
      .replace(/\s*\((?:[A-Z]*\d[\w-]*|https?:[^)]*)\)\s*$/i, '')
      .replace(/\s+R\d+-[A-Z]+$/, '')
      .replace(/^[A-Z]*\d+-[A-Z]+\s+/, ''),
  )

const url = (value: unknown): string =>
  words(value)
    .toLowerCase()
    .replace(/^https?:\/\//, '')
    .replace(/^www\./, '')
    .replace(/\/+$/, '')
const phone = (value: unknown): string => textOf(value).replace(/\D/g, '').replace(/^0+/, '')
const host = (value: unknown): string =>
  words(value)
    .toLowerCase()
    .split(/[\s,([]/)[0]!
    .replace(/\.$/, '')

/** Without URLs and comments; `active` in RDAP is `ok` in EPP. */
function status(value: unknown): string {
  const plain = words(value)
    .replace(/\(?https?:\/\/\S+\)?/gi, '')
    .replace(/\s+--.*$/, '')
  const word = letters(plain)
  return word === 'active' ? 'ok' : word
}

const COUNTRIES = countryNames()

function country(value: unknown): string {
  const text = words(value)
  if (/^[A-Za-z]{2}$/.test(text)) return text.toUpperCase() === 'UK' ? 'GB' : text.toUpperCase()
  return COUNTRIES.get(letters(text)) ?? letters(text)
}

/** English names of all countries, and other spellings that registries use. */
function countryNames(): ReadonlyMap<string, string> {
  const alphabet = Array.from({ length: 26 }, (_, at) => String.fromCharCode(65 + at))
  const codes = alphabet.flatMap((first) => alphabet.map((second) => first + second))
  const english = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })
  const names = new Map(codes.map((code) => [letters(english.of(code) ?? code), code]))
  const others = `great britain GB, uk GB, united kingdom GB, usa US, united states of america US, russian federation RU,
    republic of korea KR, korea KR, czech republic CZ, slovakia SK, slovak republic SK, the netherlands NL, viet nam VN,
    hong kong HK, macau MO, taiwan TW, turkey TR, iran IR, cote divoire CI, deutschland DE, osterreich AT, schweiz CH,
    espana ES, brasil BR, polska PL, norge NO, sverige SE, danmark DK, suomi FI, italia IT`
  for (const [, name, code] of others.matchAll(/(\w[\w ]*) ([A-Z]{2})/g)) names.set(letters(name), code!)
  return names
}

const alike = (form: (value: unknown) => unknown) => (expected: unknown, got: unknown) => form(expected) === form(got)

function sameDay(expected: unknown, got: unknown): boolean {
  const distance = Math.abs(Date.parse(textOf(expected)) - Date.parse(textOf(got)))
  return distance <= DAY_MS
}

const sameSet = (form: (value: unknown) => string) => (expected: unknown, got: unknown) => {
  if (!Array.isArray(expected) || !Array.isArray(got)) return false
  const wanted = new Set(expected.map(form))
  const found = new Set(got.map(form).filter((value) => value !== ''))
  return wanted.size === found.size && [...wanted].every((value) => found.has(value))
}

/** The scored fields, by path in the record. */
export const RULES: Readonly<Record<string, (expected: unknown, got: unknown) => boolean>> = {
  available: (expected, got) => expected === got,
  'registrar.name': alike(registrarName),
  'registrar.url': alike(url),
  'registrar.ianaId': alike(textOf),
  'registrar.abuseEmail': alike((value) => words(value).toLowerCase()),
  'registrar.abusePhone': alike(phone),
  'dates.created': sameDay,
  'dates.updated': sameDay,
  'dates.expires': sameDay,
  'registrant.name': alike(letters),
  'registrant.organization': alike(letters),
  'registrant.country': alike(country),
  'dnssec.delegationSigned': (expected, got) => expected === got,
  status: sameSet(status),
  nameservers: sameSet(host),
}

export function valueAt(record: unknown, place: string): unknown {
  let value = record
  for (const key of place.split('.')) value = (value as Record<string, unknown> | null | undefined)?.[key]
  return value
}

export const isMissing = (value: unknown): boolean =>
  value === undefined || value === null || value === '' || (Array.isArray(value) && value.length === 0)

/** Dates with a time of day are also compared to the second, as a separate score. */
export const hasTime = (date: unknown): boolean => /T(?!00:00:00)/.test(textOf(date))
export const sameInstant = (expected: unknown, got: unknown): boolean =>
  Date.parse(textOf(expected)) === Date.parse(textOf(got))
