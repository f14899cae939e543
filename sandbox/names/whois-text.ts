import type { Registration } from '../../src/kernel/registration.ts'
import type { Outcome } from '../outcome.ts'
import type { Truth } from './truth.ts'
import { freeLines } from './whois-free.ts'

/** The wording of a registry's WHOIS answers. */
type Style = {
  registered(truth: Truth, registration: Registration): readonly string[]
  reserved(domain: string): readonly string[]
  /** Follows "not found". */
  premium(domain: string): readonly string[]
  throttled: readonly string[]
  denied: readonly string[]
  broken: readonly string[]
  /** Refers to another WHOIS server. */
  referral(domain: string, host: string): readonly string[]
}

/** The format that ICANN requires of generic TLDs. */
const GENERIC: Style = {
  registered({ domain }, { registrar, dates, status, nameservers, dnssec, registrant }) {
    return [
      `Domain Name: ${domain.toUpperCase()}`,
      `Registrar URL: ${registrar?.url}`,
      `Updated Date: ${dates?.updated}`,
      `Creation Date: ${dates?.created}`,
      `Registry Expiry Date: ${dates?.expires}`,
      `Registrar: ${registrar?.name}`,
      `Registrar IANA ID: ${registrar?.ianaId}`,
      `Registrar Abuse Contact Email: ${registrar?.abuseEmail}`,
      `Registrar Abuse Contact Phone: ${registrar?.abusePhone}`,
      ...status.map((word) => `Domain Status: ${word} https://icann.org/epp#${word}`),
      `Registrant Name: ${registrant?.name ?? 'REDACTED FOR PRIVACY'}`,
      `Registrant Organization: ${registrant?.organization ?? 'REDACTED FOR PRIVACY'}`,
      `Registrant Country: ${registrant?.country}`,
      ...nameservers.map((host) => `Name Server: ${host.toUpperCase()}`),
      `DNSSEC: ${dnssec?.delegationSigned ? 'signedDelegation' : 'unsigned'}`,
      '>>> Last update of WHOIS database: 2026-11-15T00:00:00Z <<<',
      '',
      'Everything in this database is invented.',
    ]
  },
  reserved: (domain) => [`The domain name ${domain} is reserved by the registry.`],
  premium: (domain) => [`The domain ${domain} is available for registration at a premium price.`],
  throttled: ['Query rate limit exceeded. Please try again later.'],
  denied: ['Access denied. Your address has been blocked.'],
  broken: ['Internal server error. Please try again later.'],
  referral: (domain, host) => [`Domain Name: ${domain.toUpperCase()}`, `Registrar WHOIS Server: ${host}`],
}

/** Keys in lower case and comments after a percent sign, as at many country registries. */
const COUNTRY: Style = {
  registered({ domain }, { registrar, dates, status, nameservers, registrant }) {
    const line = (key: string, value: string | undefined) =>
      value === undefined ? [] : [`${`${key}:`.padEnd(14)}${value}`]
    return [
      '% Everything in this register is invented.',
      '',
      ...line('domain', domain),
      ...status.flatMap((word) => line('status', word)),
      ...line('registrant', registrant?.name),
      ...line('org', registrant?.organization),
      ...line('country', registrant?.country),
      ...nameservers.flatMap((host) => line('nserver', host)),
      ...line('registrar', registrar?.name),
      ...line('created', dates?.created),
      ...line('changed', dates?.updated),
      ...line('expires', dates?.expires),
    ]
  },
  reserved: (domain) => [
    '% Everything in this register is invented.',
    '',
    `% The domain ${domain} is reserved and cannot be registered.`,
  ],
  premium: (domain) => [`% The domain ${domain} is available at a premium price.`],
  throttled: ['% Too many queries from your address, try again later.'],
  denied: ['% Access denied.'],
  broken: ['% Internal error, try again later.'],
  referral: (domain, host) => [`domain:       ${domain}`, `whois:        ${host}`, `refer:        ${host}`],
}

/** A short form without registrar and registrant. */
const TERSE: Style = {
  registered: ({ domain, isDelegated }, { dates, nameservers }) => [
    `Domain: ${domain}`,
    ...nameservers.map((host) => `Nserver: ${host}`),
    `Status: ${isDelegated ? 'connect' : 'failed'}`,
    `Changed: ${dates?.updated}`,
  ],
  reserved: (domain) => [`Domain: ${domain}`, 'Status: reserved'],
  premium: () => ['Premium: yes'],
  throttled: ['% Error: 201 query limit exceeded'],
  denied: ['% Error: 101 access denied'],
  broken: ['% Error: 500 internal error'],
  referral: (domain, host) => [`Domain: ${domain}`, `ReferralServer: whois://${host}`],
}

const TERSE_TLDS = new Set(['at', 'be', 'ch', 'de', 'eu', 'it', 'li', 'nl'])

const styleOf = ({ tld: { tld, type } }: Truth): Style =>
  TERSE_TLDS.has(tld) ? TERSE : type === 'gTLD' ? GENERIC : COUNTRY

const joinLines = (lines: readonly string[]): string => lines.map((line) => `${line}\r\n`).join('')

/** The answer of the registry's WHOIS server, unless another outcome is scripted. */
export function whoisText(truth: Truth): string {
  const { domain, registration, isReservationPublished, isPremium } = truth
  const style = styleOf(truth)
  if (registration !== null) return joinLines(style.registered(truth, registration))
  if (isReservationPublished) return joinLines(style.reserved(domain))
  return joinLines([...freeLines(truth.tld, domain), ...(isPremium ? style.premium(domain) : [])])
}

type Refusal = Extract<Outcome['kind'], 'throttled' | 'denied' | 'broken'>

export const refusalText = (refusal: Refusal, truth: Truth): string => joinLines(styleOf(truth)[refusal])

export const referralText = (truth: Truth, host: string): string =>
  joinLines(styleOf(truth).referral(truth.domain, host))

/** The answer to a query for a TLD that the server does not operate. */
export const unknownTldText = joinLines(['% This server has no data for that top-level domain.'])
