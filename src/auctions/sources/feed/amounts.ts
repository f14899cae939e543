/** Dollars for one euro, as the API defines it. */
const EUR_USD_RATE = '1.08'

const CURRENCY_SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['$', 'USD'],
  ['US$', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
])

/** $42,949,672.95, the maximum of a 32-bit column of the index. No domain was auctioned for more. */
export const MAX_USD_CENTS = 0xffff_ffff
const MAX_AMOUNT = 1e12

/** Parses an amount such as `1,234.50`, `$80` or 80. Undefined if invalid, negative or implausibly large. */
export function parseAmount(value: unknown): number | undefined {
  if (typeof value === 'number') return value >= 0 && value <= MAX_AMOUNT ? value : undefined
  if (typeof value !== 'string') return undefined
  const match = /^\s*(?:US\$|[$€£])?\s*(\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(\.\d{1,9})?\s*$/.exec(value)
  if (!match) return undefined
  const amount = Number(match[1]!.replaceAll(',', '') + (match[2] ?? ''))
  return amount <= MAX_AMOUNT ? amount : undefined
}

/** The ISO 4217 code of a currency given as code or symbol; undefined if invalid. */
export function parseCurrency(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined
  const text = value.trim().toUpperCase()
  return CURRENCY_SYMBOLS.get(text) ?? (/^[A-Z]{3}$/.test(text) ? text : undefined)
}

/** Converts an amount into US cents, rounded half up; undefined for a currency without a rate. */
export function usdConverter(rates: Readonly<Record<string, string>>) {
  const micros = new Map(
    Object.entries({ EUR: EUR_USD_RATE, ...rates, USD: '1' }).map(([code, rate]) => [
      code,
      Math.round(Number(rate) * 1e6),
    ]),
  )
  return (amount: number, currency: string): number | undefined => {
    const rate = micros.get(currency)
    return rate === undefined ? undefined : Math.floor((Math.round(amount * 100) * rate + 500_000) / 1_000_000)
  }
}
