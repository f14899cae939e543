import type { Registration } from '../../kernel/registration.ts'
import type { Contact } from './contact.ts'
import { readJcard } from './jcard.ts'
import { readJsContact } from './jscontact.ts'
import { list, record, records, squash, text, type Json } from './json.ts'
import { disclosed } from './redaction.ts'

/** Members under which RDAP servers send a JSContact card; the first is that of the specification. */
const JSCONTACT_MEMBERS = ['jscontact_card', 'jscard', 'jsCard', 'jscontact']

function readContact(entity: Json): Contact {
  const card = JSCONTACT_MEMBERS.map((member) => record(entity[member])).find((one) => one !== undefined)
  return card ? readJsContact(card) : readJcard(entity['vcardArray'])
}

const withRole = (entities: readonly Json[], role: string): Json | undefined =>
  entities.find(({ roles, role: alone }) => list(roles ?? alone).some((one) => text(one)?.toLowerCase() === role))

/** The registrar with its abuse contact, which is nested in it, or next to it at some registries. */
export function readRegistrar(domain: Json): Registration['registrar'] {
  const entities = records(domain['entities'])
  const registrar = withRole(entities, 'registrar') ?? withRole(entities, 'sponsor')
  const below = records(registrar?.['entities'])
  const abuse = withRole(below, 'abuse') ?? withRole(entities, 'abuse')
  const card = registrar && readContact(registrar)
  const abuseCard = abuse && readContact(abuse)
  return compact({
    name: disclosed(card?.name) ?? disclosed(card?.organization) ?? handleAsName(registrar),
    url: webAddress(linkTo(registrar, 'about')) ?? webAddress(card?.url) ?? webAddress(pageOf(registrar)),
    abuseEmail: disclosed(abuseCard?.email),
    abusePhone: disclosed(abuseCard?.phone),
    ianaId: ianaId(registrar) ?? ianaId(domain),
  })
}

/** Registries without cards name the registrar by its handle (`REG-EXAMPLE`); a bare number is not a name. */
function handleAsName(entity: Json | undefined): string | undefined {
  const handle = text(entity?.['handle'])
  return handle !== undefined && /\p{L}/u.test(handle) ? disclosed(handle) : undefined
}

const ianaId = (object: Json | undefined): string | undefined =>
  records(object?.['publicIds'])
    .filter(({ type }) => squash(text(type) ?? '').startsWith('iana'))
    .flatMap(({ identifier }) => text(identifier) ?? [])
    .find((identifier) => /^\d+$/.test(identifier))

const linkTo = (entity: Json | undefined, relation: string): string | undefined =>
  text(records(entity?.['links']).find(({ rel }) => text(rel)?.toLowerCase() === relation)?.['href'])

/** Any other link to an HTML page; `self` is the RDAP object itself, whatever its declared type. */
const pageOf = (entity: Json | undefined): string | undefined =>
  text(
    records(entity?.['links']).find(
      ({ rel, type }) => text(type)?.startsWith('text/html') && text(rel)?.toLowerCase() !== 'self',
    )?.['href'],
  )

/** An http or https URL, or a bare host; undefined for anything else. */
function webAddress(value: string | undefined): string | undefined {
  const url = disclosed(value)
  if (url === undefined) return undefined
  const full = /^[a-z0-9-]+(?:\.[a-z0-9-]+)+(?:\/\S*)?$/i.test(url) ? `http://${url}` : url
  const parsed = URL.parse(full)
  return parsed && /^https?:$/.test(parsed.protocol) ? url : undefined
}

/** The registrant, as far as disclosed. */
export function readRegistrant(domain: Json, replaced: ReadonlySet<string>): Registration['registrant'] {
  const entities = records(domain['entities'])
  const entity = withRole(entities, 'registrant') ?? withRole(entities, 'holder') ?? withRole(entities, 'owner')
  if (!entity) return undefined
  const card = readContact(entity)
  const unlessReplaced = (field: string, value: string | undefined) =>
    replaced.has(field) ? undefined : disclosed(value)
  const name = unlessReplaced('registrantname', card.name)
  return compact({
    name,
    organization:
      unlessReplaced('registrantorganization', card.organization) ?? (card.isOrganization ? name : undefined),
    country: unlessReplaced('registrantcountry', card.country),
  })
}

type Compact<T> = { readonly [Key in keyof T]?: Exclude<T[Key], undefined> }

/** Drops undefined members; undefined if none is left. */
export function compact<T extends Record<string, unknown>>(members: T): Compact<T> | undefined {
  const entries = Object.entries(members).filter(([, value]) => value !== undefined)
  return entries.length > 0 ? (Object.fromEntries(entries) as Compact<T>) : undefined
}
