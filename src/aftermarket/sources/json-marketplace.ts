import { z } from 'zod'
import type { DomainName } from '../../kernel/names.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { Marketplace, Offer } from '../marketplace.ts'
import { fillIn, readLink, readPrice, readTime, unreadable } from './values.ts'

export type JsonMarketplaceOptions = {
  readonly upstream: Upstream
  /** With `{domain}` where the name goes. */
  readonly url: string
  /** Sent with every question: the operator's credentials. */
  readonly header: { readonly name: string; readonly value: string } | null
  readonly page: string
  readonly affiliatePage: string | null
  readonly platform: string
}

/** The second marketplace: answers in JSON, about one name; 404 says that it does not have it. */
export function jsonMarketplace(options: JsonMarketplaceOptions): Marketplace {
  const { upstream, url, header, page, affiliatePage, platform } = options
  return {
    id: 'source_b',
    platform,
    pageOf: (domain) => ({ url: fillIn(page, domain), affiliateUrl: fillIn(affiliatePage ?? page, domain) }),
    async find(domain, signal) {
      const headers = { accept: 'application/json', ...(header && { [header.name]: header.value }) }
      const reply = await upstream.request({ url: fillIn(url, domain), headers, accept: [200, 404], signal })
      return reply.status === 404 ? null : readAnswer(reply.json(), domain)
    },
  }
}

/** Money comes as a number, or as text with a sign before it and commas in it. */
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

/** What we rely on; everything else may be as it likes. */
const Answer = z.object({
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

export function readAnswer(body: unknown, domain: DomainName): Offer | null {
  const parsed = Answer.safeParse(body)
  if (!parsed.success) throw unreadable('the marketplace', 'sent JSON of another shape', parsed.error)
  const { domainName, auctionType, price: asked, currency, acceptsOffers, link, ...auction } = parsed.data
  if (domainName.toLowerCase() !== domain)
    throw unreadable('the marketplace', 'did not speak of the name it was asked about')
  if (auctionType === 'None') return null
  const price = readPrice(asked ?? '0', currency.toUpperCase())
  if (price === undefined) throw unreadable('the marketplace', 'sent a price that is none')
  const sale = SALES[auctionType] === 'buyNow' && price === null ? 'makeOffer' : SALES[auctionType]
  return {
    sale,
    price,
    makeOffer: sale === 'makeOffer' || acceptsOffers,
    auction:
      sale === 'auction'
        ? {
            endsAt: readTime(auction.auctionEndTime ?? ''),
            bidCount: auction.numberOfBids ?? null,
            reserveMet: auction.reserveMet ?? null,
          }
        : null,
    url: readLink(link ?? ''),
  }
}
