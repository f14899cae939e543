import type { Clock } from '../../src/kernel/clock.ts'
import { timestamp } from '../../src/kernel/clock.ts'
import type { Registration } from '../../src/kernel/registration.ts'
import type { HttpAnswer } from '../play-http.ts'
import { OK } from '../outcome.ts'
import { delegationSigner } from './zone.ts'
import type { Truth } from './truth.ts'

const CONFORMANCE = ['rdap_level_0', 'icann_rdap_technical_implementation_guide_1', 'redacted']

const rdapAnswer = (status: number, body: unknown): HttpAnswer => ({
  status,
  type: 'application/rdap+json',
  body: JSON.stringify(body),
})

/** An error as in RFC 9083. */
export const rdapError = (status: number, title: string, ...description: string[]): HttpAnswer =>
  rdapAnswer(status, { rdapConformance: CONFORMANCE, errorCode: status, title, description })

/** The answer of the registry's RDAP server, unless another outcome is scripted. */
export function rdapAnswerFor(truth: Truth, { seed, clock, base }: RdapContext): HttpAnswer {
  const { domain, registration, isReservationPublished, tld, outcomes } = truth
  if (registration !== null) return rdapAnswer(200, domainObject(truth, registration, { seed, clock, base }))
  if (isReservationPublished) return rdapError(404, 'Not found', `The name ${domain} is reserved by the registry.`)
  // One large registry sends an empty 404; a scripted outcome must still have a body.
  const isEmpty = (tld.tld === 'com' || tld.tld === 'net') && outcomes.rdap === OK
  return isEmpty
    ? { status: 404, type: 'application/rdap+json', body: '' }
    : rdapError(404, 'Not found', `There is no domain ${domain} in this register.`)
}

type RdapContext = { readonly seed: number; readonly clock: Clock; readonly base: string }

function domainObject({ domain, tld }: Truth, registration: Registration, { seed, clock, base }: RdapContext) {
  const { dates, status, nameservers, dnssec, registrar, registrant } = registration
  const isRedacted = registrant?.name === undefined
  const self = `${base}/domain/${domain}`
  return {
    rdapConformance: CONFORMANCE,
    objectClassName: 'domain',
    handle: `${Buffer.from(domain).toString('hex').slice(0, 10).toUpperCase()}-${tld.tld.toUpperCase()}`,
    ldhName: domain.toUpperCase(),
    status: status.map(rdapStatus),
    events: [
      { eventAction: 'registration', eventDate: dates?.created },
      { eventAction: 'expiration', eventDate: dates?.expires },
      { eventAction: 'last changed', eventDate: dates?.updated },
      { eventAction: 'last update of RDAP database', eventDate: timestamp(clock) },
    ],
    entities: [registrarEntity(registrar ?? {}), registrantEntity(registrant ?? {})],
    nameservers: nameservers.map((host) => ({ objectClassName: 'nameserver', ldhName: host.toUpperCase() })),
    secureDNS: dnssec?.delegationSigned
      ? { delegationSigned: true, dsData: [delegationSigner(domain, seed)] }
      : { delegationSigned: false },
    links: [{ value: self, rel: 'self', href: self, type: 'application/rdap+json' }],
    notices: [{ title: 'Terms of use', description: ['Everything here is invented.'] }],
    ...(isRedacted && {
      redacted: ['Registrant Name', 'Registrant Organization'].map((type) => ({
        name: { type },
        prePath: "$.entities[?(@.roles[0]=='registrant')]",
        method: 'removal',
        reason: { description: 'Server policy' },
      })),
    }),
  }
}

/** RFC 8056: the EPP status in words, except `ok`. */
const rdapStatus = (epp: string): string =>
  epp === 'ok' ? 'active' : epp.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`)

const card = (...properties: readonly unknown[]) => ['vcard', [['version', {}, 'text', '4.0'], ...properties]]

function registrarEntity({ name, url, abuseEmail, abusePhone, ianaId }: NonNullable<Registration['registrar']>) {
  return {
    objectClassName: 'entity',
    handle: ianaId,
    roles: ['registrar'],
    publicIds: [{ type: 'IANA Registrar ID', identifier: ianaId }],
    vcardArray: card(['fn', {}, 'text', name]),
    links: [{ value: url, rel: 'about', href: url, type: 'text/html' }],
    entities: [
      {
        objectClassName: 'entity',
        roles: ['abuse'],
        vcardArray: card(
          ['fn', {}, 'text', 'Abuse desk'],
          ['tel', { type: 'voice' }, 'uri', `tel:${abusePhone}`],
          ['email', {}, 'text', abuseEmail],
        ),
      },
    ],
  }
}

function registrantEntity({ name = '', organization, country }: NonNullable<Registration['registrant']>) {
  const address = ['adr', { cc: country }, 'text', ['', '', '', '', '', '', '']]
  return {
    objectClassName: 'entity',
    roles: ['registrant'],
    vcardArray: card(
      ['fn', {}, 'text', name],
      ...(organization === undefined ? [] : [['org', {}, 'text', organization]]),
      address,
    ),
  }
}
