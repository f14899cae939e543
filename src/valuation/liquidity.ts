/**
 * All training prices come from names that sold, but most names never sell. A second model separates names that look like sold
 * ones from random letters and random pairs of words. The estimate of a name with low liquidity moves towards these log
 * prices of a registration.
 */
const REGISTRATION_LOG_USD = { low: Math.log(8), mid: Math.log(10), high: Math.log(16) }

/** Names up to the first liquidity are junk, names from the second on are like names that sell. */
const MAX_JUNK_LIQUIDITY = 0.15
const MIN_SELLABLE_LIQUIDITY = 0.35

/** The share of the market price in the estimate, 0 to 1; the rest is the price of a registration. */
export function belief(liquidity: number): number {
  return Math.min(1, Math.max(0, (liquidity - MAX_JUNK_LIQUIDITY) / (MIN_SELLABLE_LIQUIDITY - MAX_JUNK_LIQUIDITY)))
}

/** The highest liquidity whose share of the market price is at most this one: the inverse of `belief`. */
export const liquidityCap = (believed: number): number =>
  believed >= 1 ? 1 : MAX_JUNK_LIQUIDITY + believed * (MIN_SELLABLE_LIQUIDITY - MAX_JUNK_LIQUIDITY)

/** The log price of a registration: no estimate is below it. */
export const floorOf = (end: 'low' | 'mid' | 'high'): number => REGISTRATION_LOG_USD[end]

/** Interpolates between the log prices of a registration and of the market. */
export function drawn(logPrice: number, end: 'low' | 'mid' | 'high', believed: number): number {
  const cost = REGISTRATION_LOG_USD[end]
  return cost + believed * Math.max(0, logPrice - cost)
}
