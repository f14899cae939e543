import type { Endpoint } from '../../kernel/endpoint.ts'
import { parseUsd } from '../../kernel/money.ts'
import type { Json } from './schemas.ts'

/** A supported way to pay: the method and the token, which has six decimals. */
export type WayToPay = { readonly method: string; readonly currency: string }

/** The price of an operation, in the format of the payment discovery draft; empty if it is free or cannot be paid. */
export function paymentInfo({ price }: Endpoint, ways: readonly WayToPay[]): Json {
  if (!price || ways.length === 0) return {}
  const prices: [string, string | undefined][] =
    'by' in price
      ? Object.entries(price.usd).map(([value, usd]) => [usd, `${price.by}=${value}`])
      : [[price.usd, price.times ? `times ${price.times}` : price.each && `for each of ${price.each}`]]
  const offers = prices.flatMap(([usd, description]) =>
    ways.map(({ method, currency }) => ({
      intent: 'charge',
      method,
      amount: parseUsd(usd).toString(),
      currency,
      ...(description !== undefined && { description }),
    })),
  )
  return { 'x-payment-info': { offers } }
}

/** Payment discovery data of the whole service. */
export const SERVICE_INFO: Json = {
  categories: ['domains', 'dns', 'whois', 'ens', 'valuation', 'trademarks'],
  docs: { homepage: '/', apiReference: '/openapi.json' },
}
