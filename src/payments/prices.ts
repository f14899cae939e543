import type { Endpoint } from '../kernel/endpoint.ts'
import { parseUsd, type Usd } from '../kernel/money.ts'

/** Prices stand in contracts, so there are a few. */
const parsedPrices = new Map<string, Usd>()

function parsePrice(text: string): Usd {
  let amount = parsedPrices.get(text)
  if (amount === undefined) parsedPrices.set(text, (amount = parseUsd(text)))
  return amount
}

/** What one request costs; undefined where the endpoint is free. The input has been checked before. */
export function priceOf({ price }: Pick<Endpoint, 'price'>, input: Readonly<Record<string, unknown>>): Usd | undefined {
  if (price === undefined) return undefined
  if (!('by' in price)) {
    const list = price.each === undefined ? undefined : input[price.each]
    return Array.isArray(list) ? ((parsePrice(price.usd) * BigInt(list.length)) as Usd) : parsePrice(price.usd)
  }
  const amount = price.usd[String(input[price.by])]
  // A contract that names a value without a price is ours to mend.
  if (amount === undefined) throw new RangeError(`no price is set for ${price.by}`)
  return parsePrice(amount)
}
