import * as z from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { Marketplace, Offer } from '../marketplace.ts'
import { fixedPage, invalidReply, parsePrice } from './values.ts'

export type PorkbunOptions = {
  readonly upstream: Upstream
  /** URL of its `marketplace/getAll` call. */
  readonly url: string
  readonly key: string
  readonly secretKey: string
}

const PORKBUN_PAGE = 'https://porkbun.com/checkout/search?q={domain}'
/** A filtered list ends here, and there is no second page. */
const MAX_LISTINGS = 1000

/** Porkbun's marketplace. It has a search only, so the list is filtered as narrowly as it can be. */
export function porkbun({ upstream, url, key, secretKey }: PorkbunOptions): Marketplace {
  return {
    id: 'source_d',
    platform: 'Porkbun',
    pageOf: fixedPage(PORKBUN_PAGE, null),
    async find(domain, signal) {
      const dot = domain.indexOf('.')
      const label = domain.slice(0, dot)
      const query = new URL(url)
      query.searchParams.set('query', label)
      query.searchParams.set('tlds[]', domain.slice(dot + 1))
      query.searchParams.set('sld_length_min', String(label.length))
      query.searchParams.set('sld_length_max', String(label.length))
      const headers = { accept: 'application/json', 'x-api-key': key, 'x-secret-api-key': secretKey }
      const reply = await upstream.request({ url: query, headers, accept: [200, 400], signal })
      return parsePorkbun(reply.json(), domain)
    },
  }
}

const Failed = z.object({ status: z.literal('ERROR'), message: z.string().max(1000).default('') })
/** The fields we use; others are ignored. Prices are US dollars. */
const ListReply = z.object({
  status: z.literal('SUCCESS'),
  domains: z.array(z.object({ domain: z.string().max(253), price: z.union([z.number(), z.string().max(30)]) })),
})

export function parsePorkbun(body: unknown, domain: DomainName): Offer | null {
  const failed = Failed.safeParse(body)
  if (failed.success)
    throw new UpstreamError(/key|auth/i.test(failed.data.message) ? 'auth_error' : 'unavailable', 'Porkbun: an error')
  const parsed = ListReply.safeParse(body)
  if (!parsed.success) throw invalidReply('Porkbun', 'sent unexpected JSON', parsed.error)
  const { domains } = parsed.data
  const listing = domains.find((one) => one.domain.toLowerCase() === domain)
  if (!listing) {
    if (domains.length >= MAX_LISTINGS) throw invalidReply('Porkbun', 'cut off its list before the domain')
    return null
  }
  const price = parsePrice(String(listing.price), 'USD')
  if (price === undefined) throw invalidReply('Porkbun', 'sent an invalid price')
  return { sale: price === null ? 'makeOffer' : 'buyNow', price, makeOffer: price === null, auction: null, url: null }
}
