import { domainToUnicode } from 'node:url'
import type { Part, PartName, Source } from './part.ts'
import type { Subject } from './subject.ts'

/** A part that is the answer of one endpoint. */
export type Lookup = Source & {
  readonly endpoint: string
  input(subject: Subject): Readonly<Record<string, unknown>>
  /** Whether the answer says that there is nothing. */
  isNothing?(answer: never): boolean
  /** Whether the answer says that none of its sources is set up. */
  isOff?(answer: never): boolean
}

export type SinglePart = Exclude<PartName, 'availability' | 'register' | 'ens'>

const MAX_AUCTIONS = 10

/** The domain that offers are looked for: the one asked for, else the most valuable one of the set. */
export const mainDomain = ({ domain, label, tlds }: Subject): string =>
  domain ?? `${label}.${tlds.includes('com') ? 'com' : tlds[0]!}`

/** ENS and people write `bücher`, the DNS writes `xn--bcher-kva`. */
export const readableLabel = ({ label }: Pick<Subject, 'label'>): string => domainToUnicode(label) || label

export const LOOKUPS: Readonly<Record<SinglePart, Lookup>> = {
  trademarks: {
    endpoint: 'searchTrademarks',
    who: 'The trademark register',
    input: (subject) => ({ q: readableLabel(subject) }),
    isNothing: ({ total }: { total: number }) => total === 0,
  },
  aftermarket: {
    endpoint: 'findListings',
    who: 'The aftermarket',
    settings: 'ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID, ONOMA_AFTERMARKET_SOURCE_B_URL or ONOMA_AFTERMARKET_DNS',
    input: (subject) => ({ domain: mainDomain(subject) }),
    isNothing: ({ listed, errors }: Offers) => !listed && errors.every(({ code }) => code === 'not_configured'),
    isOff: ({ error }: Offers) => error === 'not_configured',
  },
  auctions: {
    endpoint: 'listAuctions',
    who: 'The auction search',
    input: ({ domain, label }) => ({ q: domain ?? label, limit: MAX_AUCTIONS }),
    isNothing: ({ meta }: { meta: { total: number } }) => meta.total === 0,
  },
  presence: {
    endpoint: 'searchPresence',
    who: 'The web search',
    input: (subject) => ({ name: readableLabel(subject) }),
  },
  whois: { endpoint: 'whoisLookup', who: 'The registry', input: ({ domain }) => ({ domain, evidence: true }) },
  dns: { endpoint: 'dnsRecords', who: 'The resolver', input: ({ domain }) => ({ domain }) },
}

/** What the marketplaces offer. */
export type Offers = {
  readonly error?: string
  readonly listed: boolean
  readonly summary: { readonly lowestPrice?: { readonly amount: number; readonly currency: string } | null }
  readonly errors: readonly { readonly code: string }[]
}

/** The result of one domain, as the availability endpoints answer it. */
export type CheckResult = {
  readonly name: string
  readonly domain: string
  readonly tld: string
  readonly available: boolean
  readonly status: readonly string[]
  readonly premium?: boolean
  readonly source: string
  readonly checkedAt: string
  readonly responseMs: number
  readonly cached: boolean
  /** Why it is unknown. */
  readonly error?: string
}

export type AvailabilityData = { readonly results: readonly CheckResult[]; readonly summary: Summary }
type Summary = {
  readonly checked: number
  readonly available: number
  readonly unavailable: number
  readonly unknown: number
  readonly premium: number
}

export type Parts = { readonly [Name in PartName]?: Part }
