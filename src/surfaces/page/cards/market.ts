import { type Html, markup } from '../html.ts'
import type { CheckResult } from '../check-result.ts'
import { affiliateLinkOut, card, linkOut, moment, money, type Part, state, withoutData } from './card.ts'

type Listing = {
  readonly platform: string
  readonly status: string
  readonly saleType?: string
  readonly price?: { readonly amount: number; readonly currency: string }
  readonly affiliateUrl: string
  readonly url: string
}
type Report = {
  readonly domain: string
  readonly listed: boolean
  readonly listings: readonly Listing[]
  readonly errors: readonly { readonly source: string; readonly code: string; readonly message: string }[]
  readonly summary: { readonly lowestPrice?: { readonly amount: number; readonly currency: string } | null }
  readonly meta: { readonly affiliateDisclosure: string }
}
type AuctionPage = {
  readonly auctions: readonly {
    readonly domain: string
    readonly source_url?: string
    readonly price_usd: number
    readonly bid_count: number
    readonly ends_at: string
    readonly quality_score: number
  }[]
  readonly meta: { readonly total: number }
}
type SaleOptions = Options & { readonly result: CheckResult | undefined }
type Options = { readonly number: number; readonly domain: string; readonly again: string }

const SALES: Readonly<Record<string, string>> = {
  buyNow: 'Buy now',
  makeOffer: 'Make an offer',
  auction: 'Auction',
  backorder: 'Backorder',
}

/** The lowest offer; its price is null if no seller names one. */
export function offerIn(part: Part): { readonly domain: string; readonly price: string | null } | undefined {
  if (part.state !== 'known') return undefined
  const { domain, listed, summary } = part.data as Report
  if (!listed) return undefined
  const { lowestPrice: lowest } = summary
  return { domain, price: lowest ? money(lowest.amount, lowest.currency) : null }
}

/** Where the domain is for sale. The registry's word counts: an offer for a domain that is free is an old one. */
export function saleCard(part: Part, { number, domain, result, again }: SaleOptions): Html {
  const common = { number, title: 'For sale', source: `/v1/aftermarket/${domain}` }
  const empty = withoutData(part, `No marketplace that was asked lists ${domain}.`, again)
  if (empty) return card({ ...common, body: empty })
  const { listed, listings, errors, summary, meta } = (part as { data: Report }).data
  const offers = listings.filter(({ saleType }) => saleType !== undefined)
  // What the operator has not set up is listed at /status.
  const failed = errors.filter(({ code }) => code !== 'not_configured')
  const isFree = result?.status[0] === 'available'
  const lowest = isFree ? null : summary.lowestPrice
  return card({
    ...common,
    aside: lowest ? markup`from <b>${money(lowest.amount, lowest.currency)}</b>` : null,
    body: markup`${
      listed && isFree
        ? markup`<p>The registry says that ${domain} is free: these offers are out of date, or not for the domain itself.</p>`
        : null
    }${listed ? null : markup`<p>No marketplace that answered lists ${domain}.</p>`}<div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Where</th>
            <th scope="col">How</th>
            <th scope="col" class="num">Price</th>
          </tr>
        </thead>
        <tbody>
          ${offers.map(
            ({ platform, saleType, price, url, affiliateUrl }) =>
              markup`<tr>
                <th scope="row">${offerLink({ url, affiliateUrl }, domain)}</th>
                <td>${platform}</td>
                <td>${SALES[saleType ?? ''] ?? ''}</td>
                <td class="num">${price ? markup`<b>${money(price.amount, price.currency)}</b>` : 'on request'}</td>
              </tr> `,
          )}${failed.map(
            ({ source, message }) =>
              markup`<tr>
                <th scope="row" class="q">${source}</th>
                <td colspan="3">${state('unknown', 'unknown')} ${message} <a href="${again}">Ask again</a></td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`,
    notes: [meta.affiliateDisclosure],
  })
}

function offerLink({ url, affiliateUrl }: Pick<Listing, 'url' | 'affiliateUrl'>, domain: string): Html {
  const text = markup`<bdi>${domain}</bdi>`
  const isAffiliate = affiliateUrl !== url && /^https?:\/\//.test(affiliateUrl)
  return isAffiliate ? affiliateLinkOut(affiliateUrl, text) : linkOut(url, text)
}

/** Auctions of domains with the name in them. */
export function auctionCard(part: Part, { number, domain, again }: Options): Html {
  const common = { number, title: 'At auction', source: `/v1/auctions?q=${encodeURIComponent(domain)}` }
  const empty = withoutData(part, `No auction that is running has “${domain}” in its domain.`, again)
  if (empty) return card({ ...common, body: empty })
  const { auctions, meta } = (part as { data: AuctionPage }).data
  return card({
    ...common,
    aside: markup`<b>${meta.total}</b> running${auctions.length < meta.total ? `, ${auctions.length} shown` : ''}`,
    body: markup`<div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col" class="num">Now</th>
            <th scope="col" class="num">Ends</th>
            <th scope="col" class="num">Bids</th>
            <th scope="col" class="num">Quality</th>
          </tr>
        </thead>
        <tbody>
          ${auctions.map(
            (auction) =>
              markup`<tr>
                <th scope="row">${linkOut(auction.source_url ?? '', markup`<bdi>${auction.domain}</bdi>`)}</th>
                <td class="num"><b>${money(auction.price_usd)}</b></td>
                <td class="num"><time datetime="${auction.ends_at}">${moment(auction.ends_at)}</time></td>
                <td class="num">${auction.bid_count}</td>
                <td class="num">${auction.quality_score}</td>
              </tr> `,
          )}
        </tbody>
      </table>
    </div>`,
  })
}
