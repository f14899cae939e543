import { domainToUnicode } from 'node:url'
import type { Part, PartName } from './part.ts'
import type { Subject } from './subject.ts'

/** A part that is the answer of one endpoint. */
export type Lookup = {
  readonly endpoint: string
  /** The subject of a message to the caller. */
  readonly who: string
  input(subject: Subject): Readonly<Record<string, unknown>>
  /** Whether the answer says that there is nothing. */
  isNothing?(answer: never): boolean
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
    who: 'The marketplaces',
    input: (subject) => ({ domain: mainDomain(subject) }),
    isNothing: ({ listed, errors }: { listed: boolean; errors: readonly unknown[] }) => !listed && errors.length === 0,
  },
  auctions: {
    endpoint: 'listAuctions',
    who: 'The auctions',
    input: ({ domain, label }) => ({ q: domain ?? label, limit: MAX_AUCTIONS }),
    isNothing: ({ meta }: { meta: { total: number } }) => meta.total === 0,
  },
  presence: {
    endpoint: 'searchPresence',
    who: 'The search engines',
    input: (subject) => ({ name: readableLabel(subject) }),
  },
  whois: { endpoint: 'whoisLookup', who: 'The registry', input: ({ domain }) => ({ domain }) },
  dns: { endpoint: 'dnsRecords', who: 'The resolvers', input: ({ domain }) => ({ domain }) },
}

/** The result of one domain, as the availability endpoints answer it. */
export type CheckResult = {
  readonly domain: string
  readonly tld: string
  readonly available: boolean
  readonly status: readonly string[]
}

export type AvailabilityData = { readonly results: readonly CheckResult[]; readonly summary: Summary }
type Summary = { readonly checked: number; readonly available: number; readonly unknown: number }

export type Parts = { readonly [Name in PartName]?: Part }
