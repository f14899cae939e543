import type { Endpoint, Route } from '../../kernel/endpoint.ts'
import { ERRORS, type ErrorCode } from '../../kernel/errors.ts'
import { type Failing, failuresOf } from '../openapi/failures.ts'

/** An endpoint with what its page shows beyond its value. */
export type ReferenceEntry = {
  readonly endpoint: Endpoint
  readonly route: Route
  /** Path of its page. */
  readonly page: string
  readonly failures: readonly Failing[]
}

export type ReferenceGroup = {
  readonly name: string
  readonly description: string
  readonly entries: readonly ReferenceEntry[]
}

/** The status that an error has at some endpoints. */
type ErrorUse = { readonly status: number; readonly entries: readonly ReferenceEntry[] }

/** Everything that is generated from the endpoint values. */
export type Reference = {
  readonly groups: readonly ReferenceGroup[]
  readonly entries: readonly ReferenceEntry[]
  /** The page of `GET /v1/check`; undefined for anything else. */
  pageOf(address: string): string | undefined
  usesOf(code: ErrorCode): readonly ErrorUse[]
}

/** Reading order of the capabilities; those that are not listed follow. */
const FIRST = ['names', 'availability', 'tlds', 'registrars', 'whois', 'dns', 'aftermarket', 'auctions', 'valuation']

export function createReference(routes: readonly Route[]): Reference {
  const entries = routes.map((route): ReferenceEntry => {
    const { endpoint } = route
    return { endpoint, route, page: endpointPage(endpoint.name), failures: failuresOf(endpoint) }
  })
  const place = (name: string): number => (FIRST.includes(name) ? FIRST.indexOf(name) : FIRST.length)
  const groups = [...Map.groupBy(entries, ({ endpoint }) => endpoint.capability.name)]
    .map(([name, members]) => ({
      name,
      description: members[0]!.endpoint.capability.description,
      // Deprecated endpoints last.
      entries: members.toSorted(
        (one, other) => Number(one.endpoint.deprecated !== undefined) - Number(other.endpoint.deprecated !== undefined),
      ),
    }))
    .toSorted((one, other) => place(one.name) - place(other.name))
  const byAddress = new Map<string, string>(
    entries.map(({ endpoint, page }) => [`${endpoint.method} ${endpoint.path}`, page]),
  )
  return {
    groups,
    entries: groups.flatMap((group) => group.entries),
    pageOf: (address) => byAddress.get(address),
    usesOf(code) {
      const uses = entries.flatMap((entry) =>
        entry.failures.filter((failing) => failing.code === code).map(({ status }) => ({ status, entry })),
      )
      return [...Map.groupBy(uses, ({ status }) => status)]
        .map(([status, found]) => ({ status, entries: found.map(({ entry }) => entry) }))
        .toSorted((one, other) => one.status - other.status)
    },
  }
}

const endpointPage = (name: string): string => `/docs/${name}`

export const errorPage = (code: string): string => `/docs/errors/${code}`

export const isErrorCode = (text: string): text is ErrorCode => Object.hasOwn(ERRORS, text)

/** Capabilities whose name is an abbreviation. */
const TITLES: Readonly<Record<string, string>> = { dns: 'DNS', ens: 'ENS', tlds: 'TLDs', whois: 'WHOIS' }

export const titleOf = (capability: string): string =>
  TITLES[capability] ?? `${capability[0]!.toUpperCase()}${capability.slice(1)}`
