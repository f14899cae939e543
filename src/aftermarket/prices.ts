import { type Eur, eurToUsd, moneyToNumber, parseUsd, type Usd } from '../kernel/money.ts'
import type { Price } from './marketplace.ts'

/** US dollars per euro, fixed by the contract. */
const EUR_IN_USD = '1.08'
const MICROS = 1_000_000n

/** Converts a price if the contract has a rate for its currency; otherwise returns it unchanged. */
export function priceIn(price: Price, currency: 'USD' | 'EUR'): Price {
  if (price.currency === currency) return price
  const usd = inUsd(price)
  if (usd === null) return price
  return { currency, micros: currency === 'USD' ? usd : eurOf(usd) }
}

/** Null if the contract has no rate for the currency. */
function inUsd({ micros, currency }: Price): bigint | null {
  if (currency === 'USD') return micros
  return currency === 'EUR' ? eurToUsd(micros as Eur, EUR_IN_USD) : null
}

const eurOf = (usd: bigint): bigint => {
  const rate = parseUsd(EUR_IN_USD)
  return (usd * MICROS + rate / 2n) / rate
}

/** Rounds to cents for the response. */
export const roundPrice = ({ micros, currency }: Price): { amount: number; currency: string } => ({
  amount: moneyToNumber((((micros + 5_000n) / 10_000n) * 10_000n) as Usd),
  currency,
})

/** Sorts by price in US dollars; prices without a rate come last. */
export function byPrice(a: Price, b: Price): number {
  const [first, second] = [inUsd(a), inUsd(b)]
  if (first === null || second === null) return first === second ? 0 : first === null ? 1 : -1
  return first < second ? -1 : first > second ? 1 : 0
}
