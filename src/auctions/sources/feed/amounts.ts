/** Euros to dollars, as the contract has it; in millionths. */
const EUR_RATE = '1.08'

const SPELLINGS: ReadonlyMap<string, string> = new Map([
  ['$', 'USD'],
  ['US$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
])

/** 42,949,672.95: more than any domain was auctioned for, and the most a column of the index can hold. */
export const MAX_CENTS = 0xffff_ffff
const MAX_AMOUNT = 1e12

/** The number a feed means by `1,234.50`, `$80` or 80. Undefined where it is none, or below zero, or beyond reason. */
export function parseAmount(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 && value <= MAX_AMOUNT ? value : undefined
  if (typeof value !== 'string') return undefined
  const match = /^\s*(?:US\$|[$€£])?\s*(\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(\.\d{1,9})?\s*$/.exec(value)
  if (!match) return undefined
  const amount = Number(match[1]!.replaceAll(',', '') + (match[2] ?? ''))
  return amount <= MAX_AMOUNT ? amount : undefined
}

/** The three letters of a currency, however it is written; undefined where it is none. */
export function parseCurrency(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim().toUpperCase()
  return SPELLINGS.get(text) ?? (/^[A-Z]{3}$/.test(text) ? text : undefined)
}

/** Turns an amount into whole cents of a US dollar, a half up; undefined for a currency without a rate. */
export function usdConverter(rates: Readonly<Record<string, string>>) {
  const micros = new Map(
    Object.entries({ EUR: EUR_RATE, ...rates, USD: '1' }).map(([code, rate]) => [code, Math.round(Number(rate) * 1e6)]),
  )
  return (amount: number, currency: string): number | undefined => {
    const rate = micros.get(currency)
    return rate === undefined ? undefined : Math.floor((Math.round(amount * 100) * rate + 500_000) / 1_000_000)
  }
}
