import { domainToASCII } from 'node:url'
import type { RegistryAnswer } from '../../kernel/registration.ts'
import { isoDate } from './dates.ts'
import { compact, readRegistrant, readRegistrar } from './entities.ts'
import { list, record, records, squash, text, texts, type Json } from './json.ts'
import { saysPremium } from './premium.ts'
import { replacedFields } from './redaction.ts'
import { eppStatus } from './status.ts'

const notUnderstood = (said: string): RegistryAnswer => ({ kind: 'unclear', why: 'not_understood', said })

/** Status words of names that a registry does not register, although it answers as if they were registered. */
const RESERVED_STATUSES = new Set(['reserved', 'blocked', 'notavailable', 'unavailable', 'prohibited', 'restricted'])
/** Status words of names that the registry sells at a premium price. */
const PREMIUM_STATUSES = new Set(['premium', 'premiumname', 'premiumdomain', 'premiumdomainname', 'registrypremium'])
/** Status words of unregistered names. Not trusted: only a 404 means that a name is available. */
const UNREGISTERED_STATUSES = new Set(['available', 'free', 'notregistered', 'unregistered', 'notfound'])

/** Parses a domain object (RFC 9083). `unclear` if it is about another name. */
export function parseDomainObject(object: Json, domain: string): RegistryAnswer {
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
  const isPremium =
    words.some((word) => PREMIUM_STATUSES.has(word)) || saysPremium(remarks(object), domain) !== undefined
  const premium = isPremium ? ({ premium: true } as const) : {}
  if (!registrar && !dates?.created) {
    const isKept = words.some((word) => RESERVED_STATUSES.has(word) || PREMIUM_STATUSES.has(word))
    if (isKept) return { kind: 'reserved', reason: status.join(', '), ...premium }
    if (words.some((word) => UNREGISTERED_STATUSES.has(word)))
      return notUnderstood(`an object with status ${status.join(', ')}`)
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

/** The remarks about this object. Of the notices only the titles: the rest is terms of use. */
const remarks = (object: Json): readonly string[] => [
  ...records(object['remarks']).flatMap(({ title, description }) => [...texts(title), ...texts(description)]),
  ...records(object['notices']).flatMap(({ title }) => texts(title)),
]

/** The name of the object. Some servers leave out `ldhName` and have one of the others. */
function nameOf(object: Json): string | undefined {
  const said = text(object['ldhName']) ?? text(object['unicodeName']) ?? text(object['handle'])
  return said === undefined ? undefined : asciiName(said)
}

/** Lower case, ASCII, no trailing dot; empty if it is not a name. */
const asciiName = (said: string): string => domainToASCII(said.replace(/\.$/, '')).toLowerCase()

/** A nameserver object, or its bare name. */
function hostOf(nameserver: unknown): string | undefined {
  const object = record(nameserver)
  const said = object ? (text(object['ldhName']) ?? text(object['unicodeName'])) : text(nameserver)
  if (said === undefined) return undefined
  const host = /^[\x21-\x7e]+$/.test(said) ? said.toLowerCase().replace(/\.$/, '') : asciiName(said)
  return /^[a-z0-9_-]+(?:\.[a-z0-9_-]+)+$/.test(host) ? host : undefined
}

/** Event actions, squashed: few servers use the exact values of the IANA registry. */
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
/** When the contract with the registrar ends: a fallback. */
const REGISTRAR_EXPIRES = ['registrarexpiration', 'registrarregistrationexpiration', 'softexpiration']

function readDates(object: Json) {
  const events = records(object['events']).flatMap((event) => {
    const action = squash(text(event['eventAction']) ?? '')
    const date = isoDate(text(event['eventDate']) ?? '')
    return date === undefined ? [] : [{ action, date }]
  })
  const when = (actions: readonly string[]) =>
    events.filter(({ action }) => actions.includes(action)).map(({ date }) => date)
  return compact({
    created: when(CREATED)[0],
    // There may be a change date for every part of the object; the last one counts.
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
