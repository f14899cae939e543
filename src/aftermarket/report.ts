import type { z } from 'zod'
import { UPSTREAM_FAILURES, type UpstreamFailure } from '../kernel/errors.ts'
import type { AftermarketReport, SourceId } from './contract.ts'
import type { Offer, Price } from './marketplace.ts'
import { byPrice, priceIn, shown } from './prices.ts'

type Report = z.input<typeof AftermarketReport>
type Listing = Report['listings'][number]

/** What was found out about a name, in no currency in particular: this is what is kept. */
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

const PRICE_S = 15 * 60
const OFFER_S = 30 * 60
const AUCTION_S = 5 * 60
const NOTHING_S = 60 * 60
const FAILURE_S = 30

/** Seconds findings stay true: as long as their most perishable part. */
export function freshFor({ answers, failures }: Pick<Findings, 'answers' | 'failures'>): number {
  const lives = answers.map(({ offer }) => lifeOf(offer))
  // One that is not set up will not be in half a minute; it says nothing about the others' answers.
  if (failures.some(({ code }) => code !== 'not_configured') || answers.length === 0) lives.push(FAILURE_S)
  return Math.min(...lives)
}

function lifeOf(offer: Offer | null): number {
  if (offer === null) return NOTHING_S
  if (offer.sale === 'auction') return AUCTION_S
  return offer.price === null ? OFFER_S : PRICE_S
}

/** What the whole answer is: 200, 501 or 503. */
export function outcomeOf({ answers, failures }: Pick<Findings, 'answers' | 'failures'>) {
  if (answers.length > 0) return 'answered'
  return failures.every(({ code }) => code === 'not_configured') ? 'not_configured' : 'unavailable'
}

/**
 * Milliseconds until asking again can help; null if no source said so. The first source to come back counts, but before
 * `expiresInMs` the cache would give the same failures again.
 */
export function retryAfterOf({ failures }: Pick<Findings, 'failures'>, nowMs: number, expiresInMs: number) {
  const retryAtMs = Math.min(...failures.map((failure) => failure.retryAtMs ?? Infinity))
  return retryAtMs === Infinity ? null : Math.max(retryAtMs - nowMs, expiresInMs, 0)
}

export function listingsOf({ answers, askedAt }: Findings, currency: 'USD' | 'EUR'): Listing[] {
  return answers.map(({ source, platform, page, offer, responseMs }) => {
    const common = { lastChecked: askedAt, responseMs }
    if (offer === null)
      return { source, platform, status: 'notListed', makeOffer: false, auction: false, ...page, ...common }
    const { sale, price, makeOffer, auction } = offer
    return {
      source,
      platform,
      status: sale === 'auction' || sale === 'backorder' ? sale : 'listed',
      saleType: sale,
      ...(price && { price: shown(priceIn(price, currency)) }),
      makeOffer,
      auction: sale === 'auction',
      ...(sale === 'auction' && { auctionDetails: auction ?? { endsAt: null, bidCount: null, reserveMet: null } }),
      // The holder's own link earns nobody anything.
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
      lowestPrice: { ...shown(priceIn(lowest.price, currency)), source: lowest.source, saleType: lowest.sale },
    }),
    hasAuction: listed.some(({ sale }) => sale === 'auction'),
    hasMakeOffer: listed.some(({ makeOffer }) => makeOffer),
    hasBackorder: listed.some(({ sale }) => sale === 'backorder'),
  }
}
