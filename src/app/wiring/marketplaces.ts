import type { SourceId } from '../../aftermarket/contract.ts'
import type { Marketplace } from '../../aftermarket/marketplace.ts'
import { dnsForSale } from '../../aftermarket/sources/dns-for-sale.ts'
import { jsonMarketplace } from '../../aftermarket/sources/json-marketplace.ts'
import { xmlMarketplace } from '../../aftermarket/sources/xml-marketplace.ts'
import type { Clock } from '../../kernel/clock.ts'
import type { Log } from '../../kernel/log.ts'
import { createUpstream } from '../../kernel/upstream/client.ts'
import { addressPolicy } from './address-policy.ts'
import type { Config } from '../settings/config.ts'
import type { Registries } from './registries.ts'

type Needs = {
  readonly config: Pick<Config, 'aftermarket' | 'sandbox' | 'namedHosts'>
  readonly version: string
  readonly registries: Pick<Registries, 'dns' | 'recursors'>
  readonly clock: Clock
  readonly log: Log
}

export type Marketplaces = {
  readonly marketplaces: readonly Marketplace[]
  /** Those asked when nobody says which. */
  readonly asked: readonly SourceId[]
  close(): Promise<void>
}

const PAGE_A = 'https://sedo.com/search/details/?domain={domain}'
const MAX_MS = 15_000

export function openMarketplaces({ config, version, registries, clock, log }: Needs): Marketplaces {
  const { sourceA, sourceB, dns } = config.aftermarket
  const upstream = createUpstream({
    name: 'marketplaces',
    userAgent: `onoma/${version}`,
    clock,
    ...addressPolicy({
      config,
      log,
      settings: ['ONOMA_AFTERMARKET_SOURCE_A_URL', 'ONOMA_AFTERMARKET_SOURCE_B_URL'],
    }),
    deadlineMs: MAX_MS,
    maxBytes: 1024 * 1024,
    connections: 8,
    maxQueue: 256,
  })
  const marketplaces: Marketplace[] = [dnsForSale({ client: registries.dns, recursors: registries.recursors })]
  if (sourceA) {
    const { affiliateLink: affiliatePage, ...access } = sourceA
    marketplaces.push(xmlMarketplace({ upstream, ...access, page: PAGE_A, affiliatePage, platform: 'Sedo' }))
  }
  if (sourceB) {
    const { name: platform, link: page, affiliateLink: affiliatePage, ...access } = sourceB
    marketplaces.push(jsonMarketplace({ upstream, ...access, platform, page, affiliatePage }))
  }
  return {
    marketplaces,
    asked: ['source_a', 'source_b', ...(dns ? (['dns_for_sale'] as const) : [])],
    close: () => upstream.close(),
  }
}
