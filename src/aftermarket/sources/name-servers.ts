import type { DomainName } from '../../kernel/names.ts'
import type { Marketplace } from '../marketplace.ts'
import { SEDO_PAGE } from './sedo.ts'
import { fillTemplate, fixedPage } from './values.ts'

type Needs = {
  /** The name servers a domain is delegated to, in lower case; none if it is not. Throws UpstreamError on failure. */
  nameServersOf(domain: DomainName, signal: AbortSignal): Promise<readonly string[]>
}

export const AFTERNIC_PAGE = 'https://www.afternic.com/forsale/{domain}'

/** Marketplaces whose name servers are used for domains that are for sale there. */
const MARKETPLACES = [
  { servers: 'sedoparking.com', platform: 'Sedo', page: SEDO_PAGE },
  { servers: 'afternic.com', platform: 'Afternic', page: AFTERNIC_PAGE },
]

/** The name servers of a marketplace: evidence that its holder offers a domain there. Needs no account. */
export const nameServers = ({ nameServersOf }: Needs): Marketplace => ({
  id: 'name_servers',
  platform: 'DNS (name servers)',
  pageOf: fixedPage('https://{domain}/', null),
  async find(domain, signal) {
    const servers = await nameServersOf(domain, signal)
    const market = MARKETPLACES.find((one) => servers.some((host) => isUnder(host, one.servers)))
    // The domains of a marketplace have its name servers and are not for sale.
    if (!market || isUnder(domain, market.servers)) return null
    const { platform, page } = market
    const url = fillTemplate(page, domain)
    return { sale: 'makeOffer', price: null, makeOffer: true, auction: null, url, platform }
  },
})

const isUnder = (host: string, domain: string): boolean => host === domain || host.endsWith(`.${domain}`)
