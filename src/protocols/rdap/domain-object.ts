import { domainToASCII } from 'node:url'
import type { RegistryAnswer } from '../../kernel/registration.ts'
import { isoDate } from './dates.ts'
import { filled, readRegistrant, readRegistrar } from './entities.ts'
import { list, record, records, squash, text, texts, type Json } from './json.ts'
import { saysPremium } from './premium.ts'
import { replacedFields } from './redaction.ts'
import { eppStatus } from './status.ts'

const notUnderstood = (said: string): RegistryAnswer => ({ kind: 'unclear', why: 'not_understood', said })

/** Some registries answer for a name they keep to themselves as if it were registered. */
const KEPT_BACK = new Set(['reserved', 'blocked', 'notavailable', 'unavailable', 'prohibited', 'restricted'])
/** The registry sells the name at a price of its own. */
const PREMIUM = new Set(['premium', 'premiumname', 'premiumdomain', 'premiumdomainname', 'registrypremium'])
/** And some, for a name nobody has; but only a 404 is believed to say so. */
const NOBODYS = new Set(['available', 'free', 'notregistered', 'unregistered', 'notfound'])

/** A domain object of RFC 9083, if it is the one that was asked for. */
export function readDomainObject(object: Json, domain: string): RegistryAnswer {
  const objectClass = text(object['objectClassName'])
  if (objectClass !== undefined && objectClass.toLowerCase() !== 'domain') {
    return notUnderstood(`an object of class ${objectClass}`)
  }
  const name = nameOf(object)
  if (name !== domain) return notUnderstood(name ? `an object about ${name}` : 'an object without a name')

  const status = [...new Set(texts(object['status']).map(eppStatus))]
  const registrar = readRegistrar(object)
  const dates = readDates(object)
  const words = status.map(squash)
  const isPremium = words.some((word) => PREMIUM.has(word)) || saysPremium(remarks(object), domain) !== undefined
  const premium = isPremium ? ({ premium: true } as const) : {}
  if (!registrar && !dates?.created) {
    const isKept = words.some((word) => KEPT_BACK.has(word) || PREMIUM.has(word))
    if (isKept) return { kind: 'reserved', reason: status.join(', '), ...premium }
    if (words.some((word) => NOBODYS.has(word))) return notUnderstood(`an object with status ${status.join(', ')}`)
  }
  const signed = delegationSigned(record(object['secureDNS']))
  const registrant = readRegistrant(object, replacedFields(object))
  return {
    kind: 'registered',
    ...premium,
    registration: {
      ...(registrar && { registrar }),
      ...(dates && { dates }),
      status,
      nameservers: [...new Set(list(object['nameservers']).flatMap((one) => hostOf(one) ?? []))],
      ...(signed !== undefined && { dnssec: { delegationSigned: signed } }),
      ...(registrant && { registrant }),
    },
  }
}

/** What is said of this very object; of the notices only their titles, the rest is small print. */
const remarks = (object: Json): readonly string[] => [
  ...records(object['remarks']).flatMap(({ title, description }) => [...texts(title), ...texts(description)]),
  ...records(object['notices']).flatMap(({ title }) => texts(title)),
]

/** The name the object is about. Where a server leaves out `ldhName` it has one of the others. */
function nameOf(object: Json): string | undefined {
  const said = text(object['ldhName']) ?? text(object['unicodeName']) ?? text(object['handle'])
  return said === undefined ? undefined : asciiName(said)
}

/** Lower case, ASCII, no dot at the end; empty for what is no name. */
const asciiName = (said: string): string => domainToASCII(said.replace(/\.$/, '')).toLowerCase()

/** A nameserver object, or its bare name. */
function hostOf(nameserver: unknown): string | undefined {
  const object = record(nameserver)
  const said = object ? (text(object['ldhName']) ?? text(object['unicodeName'])) : text(nameserver)
  if (said === undefined) return undefined
  const host = /^[\x21-\x7e]+$/.test(said) ? said.toLowerCase().replace(/\.$/, '') : asciiName(said)
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(host) ? host : undefined
}

/** Squashed, since few servers keep to the letter of the registry of event actions. */
const CREATED = ['registration', 'registered', 'created', 'creation', 'registrationdate', 'createddate', 'creationdate']
const UPDATED = [
  'lastchanged',
  'lastchange',
  'lastmodified',
  'lastupdated',
  'lastupdate',
  'updated',
  'changed',
  'modified',
]
const EXPIRES = ['expiration', 'expiry', 'expires', 'expirationdate', 'expirydate', 'registryexpiration']
/** When the registrar's own contract ends: second best. */
const REGISTRAR_EXPIRES = ['registrarexpiration', 'registrarregistrationexpiration', 'softexpiration']

function readDates(object: Json) {
  const events = records(object['events']).flatMap((event) => {
    const action = squash(text(event['eventAction']) ?? '')
    const date = isoDate(text(event['eventDate']) ?? '')
    return date === undefined ? [] : [{ action, date }]
  })
  const when = (actions: readonly string[]) =>
    events.filter(({ action }) => actions.includes(action)).map(({ date }) => date)
  return filled({
    created: when(CREATED)[0],
    // A change may be told for every part of the object; the last one counts.
    updated: when(UPDATED)
      .toSorted((a, b) => Date.parse(a) - Date.parse(b))
      .at(-1),
    expires: when(EXPIRES)[0] ?? when(REGISTRAR_EXPIRES)[0],
  })
}

function delegationSigned(secureDns: Json | undefined): boolean | undefined {
  const said = secureDns?.['delegationSigned']
  if (typeof said === 'boolean') return said
  if (said === 'true' || said === 'false') return said === 'true'
  return list(secureDns?.['dsData']).length + list(secureDns?.['keyData']).length > 0 ? true : undefined
}
