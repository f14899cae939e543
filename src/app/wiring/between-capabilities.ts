import type { StockedAuction } from '../../aftermarket/sources/auction-stock.ts'
import type { StockedListing } from '../../aftermarket/sources/listing-stock.ts'
import type { SalePage } from '../../aftermarket/sources/seen-page.ts'
import type { SaleFeedId, SourceId } from '../../auctions/auction.ts'
import type { ListingIndex } from '../../auctions/listing-index.ts'
import type { Availability } from '../../availability/service.ts'
import type { Dns } from '../../dns/service.ts'
import type { Standing } from '../../intel/standing.ts'
import type { VisitedPage } from '../../intel/service.ts'
import { createCache } from '../../kernel/cache.ts'
import type { Clock } from '../../kernel/clock.ts'
import { ApiError, UpstreamError } from '../../kernel/errors.ts'
import { type DomainName, parseDomain, splitDomain, tldOf } from '../../kernel/names.ts'
import type { DnsClient } from '../../protocols/dns/client.ts'
import type { DelegationFinder } from '../../protocols/dns/delegation-finder.ts'
import { recordsFor } from '../../protocols/dns/outcome.ts'
import type { ServerAddress } from '../../protocols/dns/server-address.ts'
import type { FindRecord } from '../../whois/service.ts'

/** Adapters through which one capability uses another, so that capabilities do not import each other. */

const CHECK_TIMEOUT_MS = 8_000
const RESOLVE_TIMEOUT_MS = 5_000

type Needs = { readonly availability: Availability; readonly suffixes: ReadonlySet<string> }

/** The verdict on the domain a name belongs to. */
export function standingOf({ availability, suffixes }: Needs) {
  return async (name: DomainName, signal: AbortSignal, client: string): Promise<Standing> => {
    const split = splitDomain(name, suffixes)
    if (split.kind === 'unsupported') return { state: 'unsupported', problem: split.problem }
    const target = { domain: split.registrable, label: split.label, tld: split.suffix }
    const { verdict } = await availability.check(target, { signal, timeoutMs: CHECK_TIMEOUT_MS, lane: client })
    const { state, failure: reason = 'upstream_error' } = verdict
    return state === 'unknown' ? { state, reason } : { state }
  }
}

/** The verdict on a domain with the registry's record, in the form WHOIS uses. */
export function recordsOf(availability: Availability): FindRecord {
  return async (target, options) => {
    const { verdict, checkedAt, ...found } = await availability.record(target, options)
    const { state, source, reason } = verdict
    return { ...found, state, source, ...(reason !== undefined && { reason }), storedAt: checkedAt }
  }
}

/** The state of the verdict only; `unknown` also for an unsupported TLD. */
export function stateOf(needs: Needs) {
  const standing = standingOf(needs)
  return async (name: DomainName, signal: AbortSignal, client: string) => {
    const { state } = await standing(name, signal, client)
    return state === 'unsupported' ? 'unknown' : state
  }
}

/** Whether the name is registered under .com; null if unknown, false if it cannot be a domain. */
export function isRegisteredAsCom(state: ReturnType<typeof stateOf>) {
  return async (label: string, signal: AbortSignal, client: string): Promise<boolean | null> => {
    const parsed = parseDomain(`${label}.com`)
    if (!parsed.ok) return false
    const found = await state(parsed.name, signal, client)
    return found === 'unknown' ? null : found === 'registered'
  }
}

/** Addresses of a name, and the name servers of its domain. A failed lookup counts as no records. */
export function hostingOf(dns: Dns, suffixes: ReadonlySet<string>) {
  const lookUp = async (domain: DomainName, signal: AbortSignal) => {
    try {
      return (await dns.lookUp(domain, signal)).records
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ApiError) && !(error instanceof UpstreamError)) throw error
      return { ns: [], a: [], aaaa: [] }
    }
  }
  return async (name: DomainName, signal: AbortSignal) => {
    const split = splitDomain(name, suffixes)
    // Awaited together: if both are aborted, neither rejection goes unhandled.
    const [own, above] = await Promise.all([
      lookUp(name, signal),
      split.kind === 'subdomain' ? lookUp(split.registrable, signal) : undefined,
    ])
    return { nameservers: (above ?? own).ns.map(({ host }) => host), addresses: [...own.a, ...own.aaaa] }
  }
}

/** All addresses of a host, from the configured resolvers. Throws if none of them answers. */
export function addressesOf(client: DnsClient, recursors: readonly ServerAddress[]) {
  return async (host: string, signal: AbortSignal): Promise<readonly string[]> => {
    const query = async (type: 'A' | 'AAAA') => {
      const request = { name: host, type, servers: recursors, recursion: true, inOrder: true }
      const { outcome, answers } = await client.query({ ...request, timeoutMs: RESOLVE_TIMEOUT_MS, signal })
      if (outcome === 'answer') return recordsFor(answers, host, type).map(({ address }) => address)
      // SERVFAIL means that the name's own servers do not work, so it has no usable address.
      if (outcome === 'nodata' || outcome === 'nxdomain' || outcome === 'servfail') return []
      throw new UpstreamError('unavailable', `the resolvers did not answer: ${outcome}`)
    }
    const found = await Promise.allSettled([query('A'), query('AAAA')])
    signal.throwIfAborted()
    const answered = found.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []))
    // One of the two is enough. If both failed, the addresses are unknown, which is not the same as none.
    if (answered.length === 0) throw (found[0] as PromiseRejectedResult).reason
    return answered.flat()
  }
}

type NameServerNeeds = {
  readonly delegations: DelegationFinder
  readonly serversOf: (tld: string) => readonly ServerAddress[]
  readonly suffixes: ReadonlySet<string>
}

/** The name servers a domain is delegated to, as its registry's own servers say; none for a name below a domain. */
export function nameServersOf({ delegations, serversOf, suffixes }: NameServerNeeds) {
  return async (domain: DomainName, signal: AbortSignal): Promise<readonly string[]> => {
    const split = splitDomain(domain, suffixes)
    if (split.kind === 'subdomain') return []
    const zone = tldOf(domain)
    const request = { domain, zone, servers: serversOf(zone), timeoutMs: RESOLVE_TIMEOUT_MS, signal }
    const found = await delegations.find(request)
    if (found.kind === 'delegated') return found.nameservers
    if (found.kind === 'not_delegated') return []
    const failure = found.why === 'timeout' ? 'timeout' : found.why === 'no_servers' ? 'not_configured' : 'unavailable'
    throw new UpstreamError(failure, `the name servers of ${zone} gave no answer: ${found.why}`)
  }
}

type StockNeeds = {
  readonly index: Pick<ListingIndex, 'search'>
  readonly sources: readonly SourceId[]
  readonly clock: Clock
}

/** The running auction of a domain that ends first; undefined before any feed was loaded. */
export function auctionOf({ index, sources, clock }: StockNeeds) {
  return async (domain: DomainName, signal: AbortSignal): Promise<StockedAuction | null | undefined> => {
    const now = Math.floor(clock.now() / 1000)
    const query = { now, sources, domain, sort: 'ends', descending: false, limit: 1, offset: 0 } as const
    const page = await index.search(query, signal)
    if (sources.every((id) => page.sources[id].lastSync === null)) return undefined
    const auction = page.auctions.find((one) => one.domain === domain)
    if (!auction) return null
    const { url = null, price, currency, bids, endsAt, updatedAt } = auction
    return { url, price, currency, bids, endsAt: isoTime(endsAt), seenAt: isoTime(updatedAt) }
  }
}

/** The domain's listings without an end, of the feeds that are configured now. */
export function saleListingsOf({ index, feeds }: { readonly index: SaleIndex; readonly feeds: readonly SaleFeedId[] }) {
  return async (domain: DomainName, signal: AbortSignal): Promise<readonly StockedListing[]> => {
    const found = await index.findSales(domain, signal)
    return found
      .filter(({ source }) => feeds.includes(source))
      .map(({ url = null, price, currency, seenAt }) => ({ url, price, currency, seenAt: isoTime(seenAt) }))
  }
}

type SaleIndex = Pick<Required<ListingIndex>, 'findSales'>

const isoTime = (seconds: number): string => new Date(seconds * 1000).toISOString()

const SALE_PAGE_TTL_MS = 24 * 3_600_000
const MAX_SALE_PAGES = 10_000

/** Remembers for a day which visited pages offer their domain for sale. */
export function createSalePages(clock: Clock) {
  const pages = createCache<SalePage>({ name: 'sale pages', max: MAX_SALE_PAGES, clock })
  return {
    add({ domain, url, signals }: VisitedPage): void {
      if (!signals.includes('for_sale')) return pages.delete(domain)
      pages.set(domain, { value: { url, seenAt: new Date(clock.now()).toISOString() }, ttlMs: SALE_PAGE_TTL_MS })
    },
    find: (domain: DomainName): SalePage | null => pages.get(domain)?.value ?? null,
  }
}

/** Whether a domain has addresses and accepts mail. Throws UpstreamError if the resolvers do not answer. */
export function isInUse(dns: Pick<Dns, 'lookUp'>) {
  return async (domain: string, signal: AbortSignal): Promise<boolean> => {
    const parsed = parseDomain(domain)
    if (!parsed.ok) return false
    try {
      const { records } = await dns.lookUp(parsed.name, signal)
      // A null MX (RFC 7505) says that a domain accepts no mail.
      const hasMail = records.mx.some(({ host }) => host !== '' && host !== '.')
      return hasMail && records.a.length + records.aaaa.length > 0
    } catch (cause) {
      signal.throwIfAborted()
      if (!(cause instanceof ApiError)) throw cause
      if (cause.code === 'domain_not_found') return false
      throw new UpstreamError('unavailable', 'the resolvers did not answer', { cause })
    }
  }
}
