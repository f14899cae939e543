import { normalizeCountry, phoneNumber, type Contact } from './contact.ts'
import { list, record, text, texts, type Json } from './json.ts'

type Property = { readonly name: string; readonly parameters: Json; readonly value: unknown }

/** A jCard (RFC 7095) as RDAP servers send it, well formed or not. */
export function readJcard(vcardArray: unknown): Contact {
  const properties = propertiesOf(vcardArray)
  const all = (name: string) => properties.filter((property) => property.name === name)
  const first = (name: string) => all(name).flatMap(({ value }) => flat(value) ?? [])[0]
  return {
    name: first('fn') ?? nameOf(all('n')[0]?.value),
    // Further components are departments.
    organization: all('org').flatMap(({ value }) => texts(value)[0] ?? [])[0],
    isOrganization: first('kind')?.toLowerCase() === 'org',
    country: all('adr').flatMap((address) => countryOf(address) ?? [])[0],
    email: first('email')?.replace(/^mailto:/i, ''),
    phone: phoneOf(all('tel')),
    url: first('url'),
  }
}

/** `["vcard", [property, …]]`; some servers leave out the word, or the inner list. */
function propertiesOf(vcardArray: unknown): readonly Property[] {
  if (!Array.isArray(vcardArray)) return []
  const [head, ...rest] = list(vcardArray)
  const outer = typeof head === 'string' ? rest : [head, ...rest]
  const isProperty = (value: unknown) => Array.isArray(value) && typeof value[0] === 'string'
  const candidates = outer.flatMap((one) => (isProperty(one) ? [one] : list(one)))
  return candidates.filter(isProperty).map((property) => {
    const [name, parameters, , ...values] = list(property)
    return {
      name: String(name).toLowerCase(),
      parameters: record(parameters) ?? {},
      value: values.length > 1 ? values : values[0],
    }
  })
}

/** A value that may have been split into parts. */
const flat = (value: unknown): string | undefined => text(Array.isArray(value) ? texts(value).join(' ') : value)

/** Joins family name, given name and further names in reading order. */
function nameOf(value: unknown): string | undefined {
  const [family, given, further] = Array.isArray(value) ? value.map(flat) : []
  return text([given, further, family].filter((part) => part !== undefined).join(' '))
}

/** The country parameter, the seventh component, or the last line of an unstructured address. */
function countryOf({ parameters, value }: Property): string | undefined {
  const said = text(parameters['cc']) ?? text(parameters['CC']) ?? (Array.isArray(value) ? flat(value[6]) : undefined)
  if (said !== undefined) return normalizeCountry(said)
  const label = typeof parameters['label'] === 'string' ? parameters['label'] : typeof value === 'string' ? value : ''
  const lastLine =
    label
      .slice(-200)
      .trim()
      .split(/[\r\n]+/)
      .at(-1)
      ?.trim() ?? ''
  // In unstructured text only a country code is certain to be a country.
  return /^[A-Z]{2}$/.test(lastLine) ? lastLine : undefined
}

/** The number to call: one marked as voice, else one that is not marked as something else. */
function phoneOf(numbers: readonly Property[]): string | undefined {
  const kinds = ({ parameters }: Property) =>
    texts(parameters['type'] ?? parameters['TYPE'])
      .join(' ')
      .toLowerCase()
  const voice = numbers.find((number) => kinds(number).includes('voice'))
  const plain = numbers.find((number) => !/fax|pager|text|video|textphone/.test(kinds(number)))
  return [voice, plain].flatMap((number) => phoneNumber(flat(number?.value)) ?? [])[0]
}
