import type { SourceId } from '../../aftermarket/contract.ts'
import type { Marketplace } from '../../aftermarket/marketplace.ts'
import { dnsForSale } from '../../aftermarket/sources/dns-for-sale.ts'
import { jsonMarketplace } from '../../aftermarket/sources/json-marketplace.ts'
import { xmlMarketplace } from '../../aftermarket/sources/xml-marketplace.ts'
import type { Config } from '../settings/config.ts'
import type { Outbound } from './outbound.ts'
import type { Registries } from './registries.ts'

type Needs = {
  readonly config: Pick<Config, 'aftermarket'>
  readonly outbound: Outbound
  readonly registries: Pick<Registries, 'dns' | 'recursors'>
}

export type Marketplaces = {
  readonly marketplaces: readonly Marketplace[]
  /** The sources asked when a request names none. */
  readonly asked: readonly SourceId[]
  close(): Promise<void>
}

const SEDO_PAGE = 'https://sedo.com/search/details/?domain={domain}'

export function openMarketplaces({ config, outbound, registries }: Needs): Marketplaces {
  const { sourceA, sourceB, dns } = config.aftermarket
  const upstream = outbound.open('marketplaces')
  const marketplaces: Marketplace[] = [dnsForSale({ client: registries.dns, recursors: registries.recursors })]
  if (sourceA) {
    const { affiliateLink: affiliatePage, ...access } = sourceA
    marketplaces.push(xmlMarketplace({ upstream, ...access, page: SEDO_PAGE, affiliatePage, platform: 'Sedo' }))
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
