import type { SourceId } from '../../aftermarket/contract.ts'
import type { Marketplace } from '../../aftermarket/marketplace.ts'
import { auctionStock } from '../../aftermarket/sources/auction-stock.ts'
import { dnsForSale } from '../../aftermarket/sources/dns-for-sale.ts'
import { listingStock } from '../../aftermarket/sources/listing-stock.ts'
import { dynadot } from '../../aftermarket/sources/dynadot.ts'
import { fastly } from '../../aftermarket/sources/fastly.ts'
import { nameServers } from '../../aftermarket/sources/name-servers.ts'
import { porkbun } from '../../aftermarket/sources/porkbun.ts'
import { sedo } from '../../aftermarket/sources/sedo.ts'
import { seenPage, type SalePage } from '../../aftermarket/sources/seen-page.ts'
import type { ListingIndex } from '../../auctions/listing-index.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { DomainName } from '../../kernel/names.ts'
import type { Config } from '../settings/config.ts'
import { auctionOf, nameServersOf, saleListingsOf } from './between-capabilities.ts'
import type { Outbound } from './outbound.ts'
import type { Registries } from './registries.ts'

type Needs = {
  readonly config: Pick<Config, 'aftermarket' | 'auctions' | 'saleFeeds'>
  readonly outbound: Outbound
  readonly registries: Pick<Registries, 'dns' | 'recursors' | 'delegations' | 'serversOf'>
  readonly suffixes: ReadonlySet<string>
  /** Null if no auction feed is configured. */
  readonly auctions: Pick<Required<ListingIndex>, 'search' | 'findSales'> | null
  readonly salePageOf: (domain: DomainName) => SalePage | null
  readonly clock: Clock
}

export type Marketplaces = {
  readonly marketplaces: readonly Marketplace[]
  /** The sources asked when a request names none. */
  readonly asked: readonly SourceId[]
  close(): Promise<void>
}

/** The two of the contract are always asked, so that `errors` says that they are not configured. */
const ALWAYS_ASKED: readonly SourceId[] = ['source_a', 'source_b']

export function openMarketplaces(needs: Needs): Marketplaces {
  const { config, outbound, registries, suffixes, auctions, salePageOf, clock } = needs
  const { sourceA, sourceB, sourceC, sourceD, dns } = config.aftermarket
  const upstream = outbound.open('marketplaces')
  const oneAtATime = outbound.open('second marketplace')
  const sources = config.auctions.map(({ source }) => source)
  const feeds = config.saleFeeds.map(({ feed }) => feed)
  const accounts = [
    ...(sourceA ? [sedo({ upstream, ...sourceA })] : []),
    ...(sourceB ? [dynadot({ upstream: oneAtATime, ...sourceB })] : []),
    ...(sourceC ? [fastly({ upstream, ...sourceC })] : []),
    ...(sourceD ? [porkbun({ upstream, ...sourceD })] : []),
  ]
  const lookups = [
    dnsForSale({ client: registries.dns, recursors: registries.recursors }),
    nameServers({ nameServersOf: nameServersOf({ ...registries, suffixes }) }),
  ]
  const own = [
    ...(auctions && sources.length > 0
      ? [auctionStock({ auctionOf: auctionOf({ index: auctions, sources, clock }) })]
      : []),
    ...(auctions && feeds.length > 0 ? [listingStock({ listingsOf: saleListingsOf({ index: auctions, feeds }) })] : []),
    seenPage({ salePageOf }),
  ]
  const asked = [...accounts, ...(dns ? lookups : []), ...own].map(({ id }) => id)
  return {
    marketplaces: [...accounts, ...lookups, ...own],
    asked: [...new Set([...ALWAYS_ASKED, ...asked])],
    async close() {
      await Promise.all([upstream.close(), oneAtATime.close()])
    },
  }
}
