import type { Row } from '../../auction-house.ts'
import type { SaleListing } from '../../sale-listing.ts'
import { parseCurrency, parseMoney } from './amounts.ts'
import type { Field } from './feed-map.ts'
import type { SaleFeedSettings } from './feed-settings.ts'
import { fillUrl, isBlank, parseFeedDomain, parseUrl, roundToCents, type Values } from './row.ts'

/** What stands in place of a price if the seller waits for offers. */
const MAKE_OFFER = /^make (?:an )?offer$/i
/** Far above any sale. */
const MAX_PRICE = 1e9

/** Parses a record into a listing, or says why it is refused. Without a price, or with 0, the seller waits for offers. */
export function saleParser({
  source,
  map,
}: Pick<SaleFeedSettings, 'source' | 'map'>): (values: Values) => Row<SaleListing> {
  return (values) => {
    const domain = parseFeedDomain(values('domain'))
    if (domain === undefined) return { refused: 'the domain is not valid', value: values('domain') }
    const refused = (why: string, field: Field) => ({ refused: why, value: values(field), domain })
    const text = values('current_price')
    const isOffer = isBlank(text) || (typeof text === 'string' && MAKE_OFFER.test(text.trim()))
    const money = isOffer ? { amount: 0, currency: undefined } : parseMoney(text, map.decimal)
    if (money === undefined) return refused('the price is not a valid amount', 'current_price')
    if (money.amount > MAX_PRICE) return refused('the price is implausible', 'current_price')
    const currency = parseCurrency(money.currency ?? map.currency)
    if (currency === undefined) return refused('the currency is not valid', 'current_price')
    const url = parseUrl(values('source_url')) ?? (map.url === undefined ? undefined : fillUrl(map.url, domain, domain))
    const price = roundToCents(money.amount)
    return { source, domain, ...(url !== undefined && { url }), price: price === 0 ? null : price, currency }
  }
}
