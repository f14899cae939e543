import * as z from 'zod'
import type { DomainName } from '../../kernel/names.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { Marketplace, Offer } from '../marketplace.ts'
import { fillTemplate, parseLink, parsePrice, parseTime, invalidReply } from './values.ts'

export type JsonMarketplaceOptions = {
  readonly upstream: Upstream
  /** With `{domain}` as a placeholder. */
  readonly url: string
  /** The operator's credentials, sent with every request. */
  readonly header: { readonly name: string; readonly value: string } | null
  readonly page: string
  readonly affiliatePage: string | null
  readonly platform: string
}

/** The second marketplace: responds with JSON about one domain; 404 if it is not listed. */
export function jsonMarketplace(options: JsonMarketplaceOptions): Marketplace {
  const { upstream, url, header, page, affiliatePage, platform } = options
  return {
    id: 'source_b',
    platform,
    pageOf: (domain) => ({
      url: fillTemplate(page, domain),
      affiliateUrl: fillTemplate(affiliatePage ?? page, domain),
    }),
    async find(domain, signal) {
      const headers = { accept: 'application/json', ...(header && { [header.name]: header.value }) }
      const reply = await upstream.request({ url: fillTemplate(url, domain), headers, accept: [200, 404], signal })
      return reply.status === 404 ? null : parseReply(reply.json(), domain)
    },
  }
}

/** A number, or text with a currency sign and commas. */
const amount = z.union([
  z
    .number()
    .nonnegative()
    .max(1e12)
    .transform((value) => String(Math.round(value * 100) / 100)),
  z
    .string()
    .max(30)
    .transform((text) => text.replace(/^[$€£]\s*/, '').replaceAll(',', '')),
])

/** The fields we use; others are ignored. */
const ListingReply = z.object({
  domainName: z.string().max(253),
  auctionType: z.enum(['BuyNow', 'Bid', 'MakeOffer', 'Backorder', 'None']),
  price: amount.nullish(),
  currency: z.string().max(10).default('USD'),
  acceptsOffers: z.boolean().default(false),
  link: z.string().nullish(),
  auctionEndTime: z.string().nullish(),
  numberOfBids: z.int().nonnegative().max(1_000_000).nullish(),
  reserveMet: z.boolean().nullish(),
})

const SALES = { BuyNow: 'buyNow', Bid: 'auction', MakeOffer: 'makeOffer', Backorder: 'backorder' } as const

export function parseReply(body: unknown, domain: DomainName): Offer | null {
  const parsed = ListingReply.safeParse(body)
  if (!parsed.success) throw invalidReply('the marketplace', 'sent unexpected JSON', parsed.error)
  const { domainName, auctionType, price: asked, currency, acceptsOffers, link, ...auction } = parsed.data
  if (domainName.toLowerCase() !== domain) throw invalidReply('the marketplace', 'replied about another domain')
  if (auctionType === 'None') return null
  const price = parsePrice(asked ?? '0', currency.toUpperCase())
  if (price === undefined) throw invalidReply('the marketplace', 'sent an invalid price')
  const sale = SALES[auctionType] === 'buyNow' && price === null ? 'makeOffer' : SALES[auctionType]
  return {
    sale,
    price,
    makeOffer: sale === 'makeOffer' || acceptsOffers,
    auction:
      sale === 'auction'
        ? {
            endsAt: parseTime(auction.auctionEndTime ?? ''),
            bidCount: auction.numberOfBids ?? null,
            reserveMet: auction.reserveMet ?? null,
          }
        : null,
    url: parseLink(link ?? ''),
  }
}
