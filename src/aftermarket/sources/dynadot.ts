import { UpstreamError } from '../../kernel/errors.ts'
import type { DomainName } from '../../kernel/names.ts'
import type { Upstream } from '../../kernel/upstream/client.ts'
import type { Marketplace, Offer } from '../marketplace.ts'
import { fixedPage, invalidReply, parsePrice } from './values.ts'
import { parseXmlReply } from './xml-records.ts'

export type DynadotOptions = {
  /** One request at a time: Dynadot allows no more to a regular account. */
  readonly upstream: Upstream
  /** URL of its API in XML. */
  readonly url: string
  readonly key: string
  readonly affiliatePage: string | null
}

const DYNADOT_PAGE = 'https://www.dynadot.com/domain/search?domain={domain}'
/** The price of a listing that invites offers. */
const OFFERS_PRICE = '-0.01'

/** Dynadot's marketplace: the listing of one domain. */
export function dynadot({ upstream, url, key, affiliatePage }: DynadotOptions): Marketplace {
  return {
    id: 'source_b',
    platform: 'Dynadot',
    pageOf: fixedPage(DYNADOT_PAGE, affiliatePage),
    async find(domain, signal) {
      const query = new URL(url)
      query.searchParams.set('key', key)
      query.searchParams.set('command', 'get_listing_item')
      query.searchParams.set('domain', domain)
      query.searchParams.set('currency', 'usd')
      const headers = { accept: 'application/xml' }
      const reply = await upstream.request({ url: query, headers, accept: [200], signal })
      return parseDynadot(reply.text(), domain)
    },
  }
}

/** Null if the reply says that there is no listing. Throws UpstreamError if it is an error or about another domain. */
export function parseDynadot(xml: string, domain: DomainName): Offer | null {
  const { records, fields } = parseXmlReply(xml, 'listing')
  const listing = records.find((one) => one['domain']?.toLowerCase() === domain)
  if (!listing) {
    if (records.length > 0) throw invalidReply('Dynadot', 'replied about another domain')
    const error = fields['error'] ?? ''
    if (NO_LISTING.test(error)) return null
    throw errorOf(error)
  }
  const text = (listing['price'] ?? '').replace(/^\$\s*/, '').replaceAll(',', '')
  const price = text === OFFERS_PRICE ? null : parsePrice(text, 'USD')
  if (price === undefined) throw invalidReply('Dynadot', 'sent an invalid price')
  return { sale: price === null ? 'makeOffer' : 'buyNow', price, makeOffer: price === null, auction: null, url: null }
}

const NO_LISTING =
  /not (?:been )?(?:found|listed|for sale)|no (?:such )?listing|(?:could|can) ?not find|does not exist/i

/** Errors arrive with HTTP 200 and have no codes: the text decides. */
function errorOf(words: string): UpstreamError {
  const failure = /too many|limit|often|quota/i.test(words)
    ? 'rate_limited'
    : /key|auth|login|denied|permission|approv/i.test(words)
      ? 'auth_error'
      : 'unavailable'
  return new UpstreamError(failure, words === '' ? 'Dynadot sent no listing' : 'Dynadot answered with an error')
}
