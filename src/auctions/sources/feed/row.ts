import { domainToASCII } from 'node:url'
import { parseDomain } from '../../../kernel/names.ts'
import { hasControlCharacter } from '../../../kernel/control-characters.ts'
import type { Auction, Metrics, SourceId } from '../../auction.ts'
import type { Row } from '../../auction-house.ts'
import { qualityScore } from '../../quality.ts'
import { type Money, parseAmount, parseCurrency, parseMoney, MAX_USD_CENTS, usdConverter } from './amounts.ts'
import type { Field, FeedMap } from './feed-map.ts'
import { parseMetrics } from './metrics.ts'
import { parseYearDayMonth, timestampParser } from './timestamps.ts'

/** The value of a field in one record; undefined if missing. */
export type Values = (field: Field) => unknown
/** 0 to 1, or null if unknown. */
export type NameScore = (domain: string) => number | null

type Options = {
  readonly source: SourceId
  readonly map: FeedMap
  /** Seconds since the epoch. */
  readonly now: number
  readonly nameScore?: NameScore | undefined
}

const NO_MONEY: Money = { amount: 0, currency: undefined }
const MAX_ID_LENGTH = 128
const MAX_URL_LENGTH = 2048
const MAX_BIDS = 0xffff
const MAX_SECONDS_AHEAD = 2 * 366 * 86_400
/** No auction lasts longer. */
const MAX_AUCTION_SECONDS = 10 * 366 * 86_400

/** Parses a record into an auction, or says why it is refused. An invalid optional field is left out; an invalid required field refuses the record. */
export function rowParser({ source, map, now, nameScore }: Options): (values: Values) => Row {
  const { decimal } = map
  const parseTime = map.times === 'iso' ? timestampParser(map.timeZone) : parseYearDayMonth
  const toCents = usdConverter(map.rates)
  const has = (field: Field) => map.fields[field] !== undefined
  const [hasCurrency, hasBids] = [has('currency'), has('bid_count')]
  const externalIdOf = idParser(map)

  return (values) => {
    const domain = parseFeedDomain(values('domain'))
    if (domain === undefined) return { refused: 'the domain is not valid', value: values('domain') }
    const refused = (why: string, field: Field) => ({ refused: why, value: values(field), domain })
    const externalId = externalIdOf(values)
    if (externalId === null) return refused('the id is missing, too long or not valid', 'id')
    const endsAt = parseTime(values('ends_at'))
    if (endsAt === undefined) return refused('the end is not a valid time', 'ends_at')
    if (endsAt > now + MAX_SECONDS_AHEAD || endsAt < now - MAX_AUCTION_SECONDS)
      return refused('the end is implausible', 'ends_at')
    const startPrice = parseAmount(values('start_price'), decimal)
    const current = values('current_price')
    const money = startPrice !== undefined && isBlank(current) ? NO_MONEY : parseMoney(current, decimal)
    if (money === undefined) return refused('the price is not a valid amount', 'current_price')
    // Some feeds have no current price, or 0, before the first bid: that bid must be the start price.
    const price = money.amount === 0 ? (startPrice ?? 0) : money.amount
    const given = hasCurrency ? values('currency') : undefined
    // A currency of its own is more precise than one beside the price, and both more than the feed's.
    const currency = isBlank(given) ? parseCurrency(money.currency ?? map.currency) : parseCurrency(given)
    if (currency === undefined) return refused('the currency is not valid', 'currency')
    const priceUsdCents = toCents(price, currency)
    if (priceUsdCents === undefined) return { refused: 'the currency has no rate', value: currency, domain }
    if (priceUsdCents > MAX_USD_CENTS) return refused('the price is implausible', 'current_price')
    const bids = hasBids ? parseCount(values('bid_count'), map) : 0
    if (bids === undefined || bids > MAX_BIDS) return refused('the bid count is not valid', 'bid_count')

    const startedAt = parseTime(values('started_at'))
    const url =
      parseUrl(values('source_url')) ?? (map.url === undefined ? undefined : fillUrl(map.url, externalId, domain))
    const metrics = parseMetrics(values, { parseTime, decimal, endsAt })
    return {
      source,
      externalId,
      domain,
      tld: domain.slice(domain.indexOf('.') + 1),
      ...(url !== undefined && { url }),
      price: roundToCents(price),
      ...(startPrice !== undefined && { startPrice: roundToCents(startPrice) }),
      currency,
      priceUsdCents,
      bids,
      ...(startedAt !== undefined && startedAt < endsAt && startedAt > endsAt - MAX_AUCTION_SECONDS && { startedAt }),
      endsAt,
      quality: qualityScore({ metrics, bids, endsAt, nameScore: nameScore?.(domain) ?? null }),
      metrics,
    } satisfies Auction & { metrics: Metrics }
  }
}

/** The id of a record's auction: the domain if the feed has no ids; null if missing or invalid. */
export const idParser =
  ({ fields, idPart }: FeedMap) =>
  (values: Values): string | null =>
    (fields.id === undefined ? parseFeedDomain(values('domain')) : parseId(values('id'), idPart)) ?? null

export const roundToCents = (amount: number): number => Math.round(amount * 100) / 100
/** Some feeds write dashes for a missing value. */
export const isBlank = (value: unknown) =>
  value === undefined || value === null || (typeof value === 'string' && /^-*$/.test(value.trim()))

/** Fast path: nearly all domains match it. The others go through the general parser. */
const PLAIN_DOMAIN = /^(?!.*xn--)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.[a-z]{2,63}$/

export function parseFeedDomain(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > 300) return undefined
  const text = value.trim().toLowerCase()
  if (PLAIN_DOMAIN.test(text)) return text
  const parsed = parseDomain(/[^\0-\x7f]/.test(text) ? domainToASCII(text) : text)
  return parsed.ok ? parsed.name : undefined
}

/** The auction house's own id. For a URL the last path segment is used, or its last digits: unique, and a tenth as long. */
function parseId(value: unknown, part: FeedMap['idPart']): string | undefined {
  if (typeof value === 'number') return Number.isSafeInteger(value) ? String(value) : undefined
  if (typeof value !== 'string') return undefined
  const path = /^https?:\/\/[^/?#]*([^?#]*)/.exec(value)?.[1]
  const id = path === undefined ? value.trim() : (/([^/]+)\/?$/.exec(path)?.[1] ?? '')
  const text = part === 'digits' ? (/\d+$/.exec(id)?.[0] ?? '') : id
  return text === '' || text.length > MAX_ID_LENGTH || hasControlCharacter(text) ? undefined : text
}

/** Only links that are safe to follow: http or https, without credentials and control characters. */
export function parseUrl(value: unknown): string | undefined {
  if (typeof value !== 'string' || value.length > MAX_URL_LENGTH || !/^https?:\/\/[\x21-\x7e]+$/i.test(value))
    return undefined
  const url = URL.parse(value)
  return url && url.username === '' && url.password === '' ? url.href : undefined
}

export const fillUrl = (template: string, id: string, domain: string): string | undefined =>
  parseUrl(template.replaceAll('{id}', encodeURIComponent(id)).replaceAll('{domain}', encodeURIComponent(domain)))

function parseCount(value: unknown, { decimal, negativeIsMissing }: FeedMap): number | undefined {
  if (isBlank(value) || (negativeIsMissing && Number(value) < 0)) return 0
  const amount = parseAmount(value, decimal)
  return amount === undefined ? undefined : Math.floor(amount)
}
