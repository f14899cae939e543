import type { Endpoint } from '../kernel/endpoint.ts'
import { parseUsd, type Usd } from '../kernel/money.ts'

/** A cache without a limit: prices are part of the endpoint definitions, so there are few. */
const parsedPrices = new Map<string, Usd>()

function parsePrice(text: string): Usd {
  let amount = parsedPrices.get(text)
  if (amount === undefined) parsedPrices.set(text, (amount = parseUsd(text)))
  return amount
}

/** The price of one request; undefined if the endpoint is free. The input must be validated already. */
export function priceOf({ price }: Pick<Endpoint, 'price'>, input: Readonly<Record<string, unknown>>): Usd | undefined {
  if (price === undefined) return undefined
  if (!('by' in price)) {
    if (price.times !== undefined) return (parsePrice(price.usd) * BigInt(input[price.times] as number)) as Usd
    const list = price.each === undefined ? undefined : input[price.each]
    return Array.isArray(list) ? ((parsePrice(price.usd) * BigInt(list.length)) as Usd) : parsePrice(price.usd)
  }
  const amount = price.usd[String(input[price.by])]
  // A bug in the endpoint definition: the input allows a value that has no price.
  if (amount === undefined) throw new RangeError(`no price is set for ${price.by}`)
  return parsePrice(amount)
}
