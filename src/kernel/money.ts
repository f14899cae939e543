declare const currency: unique symbol

/** US dollars in whole micro-dollars (six decimals), never negative. */
export type Usd = bigint & { readonly [currency]: 'USD' }
/** Euros in whole micro-euros (six decimals), never negative. */
export type Eur = bigint & { readonly [currency]: 'EUR' }

const DECIMALS = 6
const UNIT = 10n ** BigInt(DECIMALS)
const MICROS_PER_CENT = UNIT / 100n

export const parseUsd = (text: string): Usd => parseMicros(text) as Usd
export const parseEur = (text: string): Eur => parseMicros(text) as Eur

/** Plain decimal text only: no sign, no exponent, no grouping, at most 15 digits before the point and 6 after it. */
function parseMicros(text: string): bigint {
  const [, whole, fraction = ''] = /^(\d{1,15})(?:\.(\d{1,6}))?$/.exec(text) ?? []
  if (whole === undefined) {
    throw new RangeError(`an amount is written like 12 or 12.34, with at most ${DECIMALS} decimals and no sign`)
  }
  return BigInt(whole) * UNIT + BigInt(fraction.padEnd(DECIMALS, '0'))
}

/** The shortest exact decimal text with at least two decimals: 0.02, 12.50, 0.000001. */
export function formatMoney(amount: Usd | Eur): string {
  const fraction = (amount % UNIT).toString().padStart(DECIMALS, '0')
  return `${amount / UNIT}.${fraction.slice(0, 2)}${fraction.slice(2).replace(/0+$/, '')}`
}

/** The amount as the nearest JSON number. For answers only: do not calculate with it. */
export const moneyToNumber = (amount: Usd | Eur): number => Number(formatMoney(amount))

export const addUsd = (...amounts: readonly Usd[]): Usd => amounts.reduce((sum, each) => sum + each, 0n) as Usd

/** Negative, zero or positive, as `sort` wants it. */
export const compareUsd = (a: Usd, b: Usd): number => (a < b ? -1 : a > b ? 1 : 0)

/** Converts euros to dollars at a decimal rate such as '1.08', rounded half up to a micro-dollar. */
export const eurToUsd = (amount: Eur, rate: string): Usd => divideHalfUp(amount * parseMicros(rate), UNIT) as Usd

/** Rounds half up to a whole cent. */
export const roundToCents = (amount: Usd): Usd => (divideHalfUp(amount, MICROS_PER_CENT) * MICROS_PER_CENT) as Usd

const divideHalfUp = (dividend: bigint, divisor: bigint): bigint => (dividend + divisor / 2n) / divisor
