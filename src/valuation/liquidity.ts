/**
 * All prices we learn from are prices of names that sold; most names never do. A second model tells names that look
 * like sold ones from random letters and words thrown together, and a name that fails it is drawn towards the price of
 * a registration, on the log scale.
 */
const REGISTRATION = { low: Math.log(8), mid: Math.log(10), high: Math.log(16) }

/** Below the first a name is taken for junk, above the second for a name like those that sell. */
const JUNK = 0.15
const SELLABLE = 0.35

/** How much of the market price is believed, from 0 to 1. */
export function belief(liquidity: number): number {
  return Math.min(1, Math.max(0, (liquidity - JUNK) / (SELLABLE - JUNK)))
}

/** The liquidity of a name of which `believed` of the market price is believed at most. */
export const liquidityCap = (believed: number): number => (believed >= 1 ? 1 : JUNK + believed * (SELLABLE - JUNK))

/** What a registration costs: nothing is said to be worth less. */
export const floorOf = (end: 'low' | 'mid' | 'high'): number => REGISTRATION[end]

export function drawn(logPrice: number, end: 'low' | 'mid' | 'high', believed: number): number {
  const cost = REGISTRATION[end]
  return cost + believed * Math.max(0, logPrice - cost)
}
