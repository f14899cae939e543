import { domainToASCII } from 'node:url'
import { parseDomain } from '../../../kernel/names.ts'
import { hasControlCharacter } from '../../../kernel/control-characters.ts'
import type { Auction, Metrics, SourceId } from '../../auction.ts'
import type { Row } from '../../auction-house.ts'
import { qualityScore } from '../../quality.ts'
import { parseAmount, parseCurrency, MAX_CENTS, usdConverter } from './amounts.ts'
import type { Field, FeedMap } from './feed-map.ts'
import { parseMetrics } from './metrics.ts'
import { timestampParser } from './timestamps.ts'

/** The value of a field in one record; undefined where it has none. */
export type Values = (field: Field) => unknown
/** 0 to 1, or null where nobody can tell. */
export type NameScore = (domain: string) => number | null

type Options = {
  readonly source: SourceId
  readonly map: FeedMap
  /** Seconds since the epoch. */
  readonly now: number
  readonly nameScore?: NameScore | undefined
}

const MAX_ID_LENGTH = 128
const MAX_URL_LENGTH = 2048
const MAX_BIDS = 0xffff
const TWO_YEARS_S = 2 * 366 * 86_400
/** Nobody has auctioned a domain for longer. */
const TEN_YEARS_S = 10 * 366 * 86_400

/** Makes an auction of a record, or says why it cannot be one. A bad extra is left out; a bad essential refuses the row. */
export function rowParser({ source, map, now, nameScore }: Options): (values: Values) => Row {
  const moment = timestampParser(map.timeZone)
  const toCents = usdConverter(map.rates)
  const has = (field: Field) => map.fields[field] !== undefined
  const [hasCurrency, hasBids] = [has('currency'), has('bid_count')]
  const idIn = idParser(map)

  return (values) => {
    const domain = parseFeedDomain(values('domain'))
    if (domain === undefined) return refused('the domain is none')
    const externalId = idIn(values)
    if (externalId === null) return refused('the id is missing or too long')
    const endsAt = moment(values('ends_at'))
    if (endsAt === undefined) return refused('the end is no moment')
    if (endsAt > now + TWO_YEARS_S || endsAt < now - TEN_YEARS_S) return refused('the end is beyond reason')
    const price = parseAmount(values('current_price'))
    if (price === undefined) return refused('the price is no amount')
    const said = hasCurrency ? values('currency') : undefined
    const currency = isBlank(said) ? map.currency : parseCurrency(said)
    if (currency === undefined) return refused('the currency is none')
    const priceUsdCents = toCents(price, currency)
    if (priceUsdCents === undefined) return refused('the currency has no rate')
    if (priceUsdCents > MAX_CENTS) return refused('the price is beyond reason')
    const bids = hasBids ? parseCount(values('bid_count')) : 0
    if (bids === undefined || bids > MAX_BIDS) return refused('the bids are no number')

    const startPrice = parseAmount(values('start_price'))
    const startedAt = moment(values('started_at'))
    const url =
      parseUrl(values('source_url')) ?? (map.url === undefined ? undefined : fillUrl(map.url, externalId, domain))
    const metrics = parseMetrics(values, moment, endsAt)
    return {
      source,
      externalId,
      domain,
      tld: domain.slice(domain.indexOf('.') + 1),
      ...(url !== undefined && { url }),
      price: cents(price),
      ...(startPrice !== undefined && { startPrice: cents(startPrice) }),
      currency,
      priceUsdCents,
      bids,
      ...(startedAt !== undefined && startedAt < endsAt && startedAt > endsAt - TEN_YEARS_S && { startedAt }),
      endsAt,
      quality: qualityScore({ metrics, bids, endsAt, nameScore: nameScore?.(domain) ?? null }),
      metrics,
    } satisfies Auction & { metrics: Metrics }
  }
}

/** What the house calls the auction of a record: the domain where it has no other name for it; null where that is none. */
export const idParser =
  ({ fields }: FeedMap) =>
  (values: Values): string | null =>
    (fields.id === undefined ? parseFeedDomain(values('domain')) : parseId(values('id'))) ?? null

const refused = (why: string) => ({ refused: why })
const cents = (amount: number): number => Math.round(amount * 100) / 100
const isBlank = (value: unknown) => value === undefined || value === null || value === ''

/** Nearly all are plain; the rest is judged by the rules all names are judged by. */
const PLAIN = /^(?!.*xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.[a-z]{2,63}$/

function parseFeedDomain(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 300) return undefined
  const text = value.trim().toLowerCase()
  if (PLAIN.test(text)) return text
  const reading = parseDomain(/[^\0-\x7f]/.test(text) ? domainToASCII(text) : text)
  return reading.ok ? reading.name : undefined
}

/** What the house calls it. Of a URL the last part is enough, and a tenth as long. */
function parseId(value: unknown): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  if (typeof value !== 'string') return undefined
  const text = /^https?:\/\//.test(value) ? (/([^/?#]+)\/?$/.exec(value)?.[1] ?? '') : value.trim()
  return text === '' || text.length > MAX_ID_LENGTH || hasControlCharacter(text) ? undefined : text
}

/** Only what a browser may be sent to: no script, no credentials, nothing hidden in control characters. */
function parseUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH || !/^https?:\/\/[\x21-\x7e]+$/i.test(value))
    return undefined
  const url = URL.parse(value)
  return url && url.username === '' && url.password === '' ? url.href : undefined
}

const fillUrl = (template: string, id: string, domain: string): string | undefined =>
  parseUrl(template.replaceAll('{id}', encodeURIComponent(id)).replaceAll('{domain}', encodeURIComponent(domain)))

function parseCount(value: unknown): number | undefined {
  if (isBlank(value)) return 0
  const amount = parseAmount(value)
  return amount === undefined ? undefined : Math.floor(amount)
}
