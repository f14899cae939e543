import { normalizeCountry, phoneNumber, type Contact } from './contact.ts'
import { list, record, records, text, type Json } from './json.ts'

/** Parses a JSContact card (RFC 9553), the successor of jCard. */
export function readJsContact(card: Json): Contact {
  const [organization] = members(card['organizations'])
  const [address] = members(card['addresses'])
  const [email] = members(card['emails'])
  const [link] = members(card['links'] ?? card['onlineServices'])
  const phones = members(card['phones'])
  const voice = phones.find((phone) => features(phone).includes('voice'))
  const plain = phones.find((phone) => !/fax|pager|text|video/.test(features(phone)))
  return {
    name: nameOf(card),
    organization: text(organization?.['name']) ?? text(record(organization?.['name'])?.['value']),
    isOrganization: text(card['kind'])?.toLowerCase() === 'org',
    country: address && countryOf(address),
    email: text(email?.['address']) ?? text(email?.['email']),
    phone: phoneNumber(text((voice ?? plain)?.['number']) ?? text((voice ?? plain)?.['phone'])),
    url: text(link?.['uri']) ?? text(link?.['href']),
  }
}

/** The values of a map of ids. */
const members = (map: unknown): readonly Json[] => records(Object.values(record(map) ?? {}))

function nameOf(card: Json): string | undefined {
  const name = record(card['name'])
  const full = text(name?.['full']) ?? text(card['fullName']) ?? text(record(card['fullName'])?.['value'])
  if (full !== undefined) return full
  const parts = records(name?.['components'])
  const part = (kind: string) => text(parts.find((one) => (one['kind'] ?? one['type']) === kind)?.['value'])
  return text([part('given') ?? part('personal'), part('surname')].filter((one) => one !== undefined).join(' '))
}

function countryOf(address: Json): string | undefined {
  const component = list(address['components'])
    .map(record)
    .find((one) => one?.['kind'] === 'country')
  return normalizeCountry(text(address['countryCode']) ?? text(component?.['value']) ?? text(address['country']))
}

/** `{ voice: true }`, or a plain list. */
const features = (phone: Json): string =>
  Object.keys(record(phone['features']) ?? {})
    .concat(list(phone['features']).filter((one) => typeof one === 'string'))
    .join(' ')
    .toLowerCase()
