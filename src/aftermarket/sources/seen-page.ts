import type { DomainName } from '../../kernel/names.ts'
import type { Marketplace } from '../marketplace.ts'
import { fixedPage, parseLink } from './values.ts'

/** A page that offers its domain for sale, visited for another request. */
export type SalePage = {
  readonly url: string
  /** ISO 8601 in UTC. */
  readonly seenAt: string
}

type Needs = {
  /** Null if the page was not visited lately, or did not offer the domain. */
  salePageOf(domain: DomainName): SalePage | null
}

/** The domain's own page, if this service has looked at it lately. It is never visited for this. */
export const seenPage = ({ salePageOf }: Needs): Marketplace => ({
  id: 'page',
  platform: 'Page of the domain',
  pageOf: fixedPage('https://{domain}/', null),
  async find(domain) {
    const page = salePageOf(domain)
    // No page, or one without an offer, does not say that the domain is not for sale.
    if (page === null) return undefined
    const { url, seenAt } = page
    return { sale: 'makeOffer', price: null, makeOffer: true, auction: null, url: parseLink(url), seenAt }
  },
})
