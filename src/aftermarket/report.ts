import type * as z from 'zod'
import { UPSTREAM_FAILURES, type UpstreamFailure } from '../kernel/errors.ts'
import type { AftermarketReport, SourceId } from './contract.ts'
import type { Offer, Price } from './marketplace.ts'
import { byPrice, priceIn, roundPrice } from './prices.ts'

type Report = z.input<typeof AftermarketReport>
type Listing = Report['listings'][number]

/** What all sources found about a domain, with prices in their original currency. This is cached. */
export type Findings = {
  readonly answers: readonly Finding[]
  readonly failures: readonly SourceFailure[]
  readonly askedAt: string
}
export type SourceFailure = {
  readonly source: SourceId
  readonly code: UpstreamFailure
  readonly message: string
  /** When the source may be asked again, on the monotonic clock; null if it did not say. */
  readonly retryAtMs: number | null
}
export type Finding = {
  readonly source: SourceId
  readonly platform: string
  readonly page: { readonly url: string; readonly affiliateUrl: string }
  readonly offer: Offer | null
  readonly responseMs: number
}

const PRICE_TTL_SECONDS = 15 * 60
const OFFER_TTL_SECONDS = 30 * 60
const AUCTION_TTL_SECONDS = 5 * 60
const NOT_LISTED_TTL_SECONDS = 60 * 60
const FAILURE_TTL_SECONDS = 30

/** The shortest TTL of all parts. */
export function ttlSecondsOf({ answers, failures }: Pick<Findings, 'answers' | 'failures'>): number {
  const ttls = answers.map(({ offer }) => offerTtlSeconds(offer))
  // A source that is not configured will not be configured soon, so it does not shorten the TTL.
  if (failures.some(({ code }) => code !== 'not_configured') || answers.length === 0) ttls.push(FAILURE_TTL_SECONDS)
  return Math.min(...ttls)
}

function offerTtlSeconds(offer: Offer | null): number {
  if (offer === null) return NOT_LISTED_TTL_SECONDS
  if (offer.sale === 'auction') return AUCTION_TTL_SECONDS
  return offer.price === null ? OFFER_TTL_SECONDS : PRICE_TTL_SECONDS
}

/** Decides the status of the response: 200, 501 or 503. */
export function outcomeOf({ answers, failures }: Pick<Findings, 'answers' | 'failures'>) {
  // Without a failure, the sources that were asked had nothing to say.
  if (answers.length > 0 || failures.length === 0) return 'answered'
  return failures.every(({ code }) => code === 'not_configured') ? 'not_configured' : 'unavailable'
}

/**
 * Milliseconds until a retry can succeed; null if no source said so. The earliest source counts, but not before
 * `expiresInMs`, because until then the failures are cached.
 */
export function retryAfterOf({ failures }: Pick<Findings, 'failures'>, nowMs: number, expiresInMs: number) {
  const retryAtMs = Math.min(...failures.map((failure) => failure.retryAtMs ?? Infinity))
  return retryAtMs === Infinity ? null : Math.max(retryAtMs - nowMs, expiresInMs, 0)
}

export function listingsOf({ answers, askedAt }: Findings, currency: 'USD' | 'EUR'): Listing[] {
  return answers.map(({ source, platform, page, offer, responseMs }) => {
    const common = { lastChecked: offer?.seenAt ?? askedAt, responseMs }
    if (offer === null)
      return { source, platform, status: 'notListed', makeOffer: false, auction: false, ...page, ...common }
    const { sale, price, makeOffer, auction } = offer
    return {
      source,
      platform: offer.platform ?? platform,
      status: sale === 'auction' || sale === 'backorder' ? sale : 'listed',
      saleType: sale,
      ...(price && { price: roundPrice(priceIn(price, currency)) }),
      makeOffer,
      auction: sale === 'auction',
      ...(sale === 'auction' && { auctionDetails: auction ?? { endsAt: null, bidCount: null, reserveMet: null } }),
      // A link given by the owner is never an affiliate link.
      url: offer.url ?? page.url,
      affiliateUrl: offer.url === null ? page.affiliateUrl : offer.url,
      ...common,
    }
  })
}

export const errorsOf = ({ failures }: Findings): Report['errors'] =>
  failures.map(({ source, code, message }) => ({ source, code, message, retryable: UPSTREAM_FAILURES[code].retryable }))

export function summaryOf(
  { answers, failures }: Findings,
  totalSources: number,
  currency: 'USD' | 'EUR',
): Report['summary'] {
  const listed = answers.flatMap(({ source, offer }) => (offer ? [{ source, ...offer }] : []))
  const priced = listed.filter((one): one is typeof one & { price: Price } => one.price !== null)
  const lowest = priced.toSorted((a, b) => byPrice(a.price, b.price))[0]
  return {
    totalSources,
    sourcesChecked: answers.length + failures.length,
    sourcesWithData: answers.length,
    listedCount: listed.length,
    ...(lowest && {
      lowestPrice: { ...roundPrice(priceIn(lowest.price, currency)), source: lowest.source, saleType: lowest.sale },
    }),
    hasAuction: listed.some(({ sale }) => sale === 'auction'),
    hasMakeOffer: listed.some(({ makeOffer }) => makeOffer),
    hasBackorder: listed.some(({ sale }) => sale === 'backorder'),
  }
}
