import * as z from 'zod'
import type { DomainName } from '../../kernel/names.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { Marketplace, Offer, Price } from '../marketplace.ts'
import { byPrice } from '../prices.ts'
import { AFTERNIC_PAGE } from './name-servers.ts'
import { SEDO_PAGE } from './sedo.ts'
import { fillTemplate, fixedPage, invalidReply, parsePrice } from './values.ts'

export type FastlyOptions = {
  readonly upstream: Upstream
  /** URL of its `status` call. */
  readonly url: string
  readonly key: string
}

/** Fastly's domain research (formerly Domainr): what several marketplaces ask for a domain. Each request is charged. */
export function fastly({ upstream, url, key }: FastlyOptions): Marketplace {
  return {
    id: 'source_c',
    platform: 'Fastly Domain Research',
    // It has no page about a domain, so the domain's own site is used.
    pageOf: fixedPage('https://{domain}/', null),
    async find(domain, signal) {
      const query = new URL(url)
      query.searchParams.set('domain', domain)
      // Half the price of a precise status, which also asks the registry: this service does that by itself.
      query.searchParams.set('scope', 'estimate')
      const headers = { accept: 'application/json', 'fastly-key': key }
      const reply = await upstream.request({ url: query, headers, accept: [200], signal })
      return parseFastly(reply.json(), domain)
    },
  }
}

/** The fields we use; others are ignored. */
const StatusReply = z.object({
  domain: z.string().max(253),
  status: z.string().max(1000),
  offers: z
    .array(z.object({ vendor: z.string().max(253), currency: z.string().max(10), price: z.string().max(30) }))
    .max(100)
    .nullish(),
})

/** Pages of the vendors in offers. */
const VENDOR_PAGES: Readonly<Record<string, string>> = { 'am.godaddy.com': AFTERNIC_PAGE, 'sedo.com': SEDO_PAGE }
/** The last flag weighs most: with one of these the domain can be registered, whatever the flags before it say. */
const REGISTRABLE = new Set(['inactive', 'undelegated'])
const FOR_SALE = ['marketed', 'priced']

export function parseFastly(body: unknown, domain: DomainName): Offer | null {
  const parsed = StatusReply.safeParse(body)
  if (!parsed.success) throw invalidReply('Fastly', 'sent unexpected JSON', parsed.error)
  if (parsed.data.domain.toLowerCase() !== domain) throw invalidReply('Fastly', 'replied about another domain')
  const flags = parsed.data.status.toLowerCase().split(/\s+/)
  if (REGISTRABLE.has(flags.at(-1)!) || !FOR_SALE.some((flag) => flags.includes(flag))) return null
  const offers = (parsed.data.offers ?? []).flatMap(({ vendor, currency, price }) => {
    const parsedPrice = parsePrice(price, currency.toUpperCase())
    if (parsedPrice === undefined) throw invalidReply('Fastly', 'sent an invalid price')
    return parsedPrice === null ? [] : [{ vendor: vendor.toLowerCase(), price: parsedPrice }]
  })
  const lowest: { vendor: string; price: Price } | undefined = offers.toSorted((a, b) => byPrice(a.price, b.price))[0]
  const page = VENDOR_PAGES[lowest?.vendor ?? parsed.data.offers?.[0]?.vendor.toLowerCase() ?? '']
  return {
    sale: lowest ? 'buyNow' : 'makeOffer',
    price: lowest?.price ?? null,
    makeOffer: !lowest,
    auction: null,
    url: page === undefined ? null : fillTemplate(page, domain),
  }
}
