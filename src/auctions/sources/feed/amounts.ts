/** Dollars for one unit. The euro as the API defines it; the pound of the same year (2024), since one feed lists pounds. */
const DEFAULT_RATES = { EUR: '1.08', GBP: '1.27' }

const CURRENCY_SYMBOLS: ReadonlyMap<string, string> = new Map([
  ['$', 'USD'],
  ['US$', 'USD'],
  ['$US', 'USD'],
  ['€', 'EUR'],
  ['£', 'GBP'],
])

/** $42,949,672.95, the maximum of a 32-bit column of the index. No domain was auctioned for more. */
export const MAX_USD_CENTS = 0xffff_ffff
const MAX_AMOUNT = 1e12

/** The decimal separator of a feed's amounts. */
export type Decimal = '.' | ',' | 'any'
/** `currency` is the code or symbol beside the number; undefined without one. */
export type Money = { readonly amount: number; readonly currency: string | undefined }

const PLAIN_NUMBER = /^\d{1,13}(?:\.\d{1,9})?$/
const MONEY = /^(US\$|\$US|[$€£]|[A-Z]{3}(?=[\s\d]))?\s*([\d.,]+)\s*(US\$|\$US|[$€£]|[A-Z]{3})?$/i
const WITH_POINT = /^(?:\d{1,13}|\d{1,3}(?:,\d{3}){1,4})(?:\.\d{1,9})?$/
const WITH_COMMA = /^(?:\d{1,13}|\d{1,3}(?:\.\d{3}){1,4})(?:,\d{1,9})?$/
/** `1.234,56`, `1.234.567` and `12,50` have one meaning only, also in a feed that uses a point: 1.234 has two. */
const CLEARLY_WITH_COMMA = /^(?:\d{1,3}(?:\.\d{3}){1,4},\d{1,2}|\d{1,3}(?:\.\d{3}){2,4}|\d{1,13},\d{2})$/
/** For feeds that use both: a separator before three digits groups thousands, one before one or two ends the amount. */
const WITH_EITHER = /^(?:\d{1,13}(?:[.,]\d{1,2})?|[1-9]\d{0,2}([.,])\d{3}(?:\1\d{3}){0,3}(?:(?!\1)[.,]\d{1,2})?)$/
const MAX_MONEY_LENGTH = 40

/** Parses an amount such as `1,234.50`, `$80`, `1.234,56 €` or 80. Undefined if invalid, negative or implausibly large. */
export function parseMoney(value: unknown, decimal: Decimal = '.'): Money | undefined {
  if (typeof value === 'number')
    return value >= 0 && value <= MAX_AMOUNT ? { amount: value, currency: undefined } : undefined
  if (typeof value !== 'string' || value.length > MAX_MONEY_LENGTH) return undefined
  const [, before, digits, after] = MONEY.exec(value.trim()) ?? []
  // A currency on both sides says nothing clear.
  if (digits === undefined || (before !== undefined && after !== undefined)) return undefined
  const number = parseDigits(digits, decimal)
  return number !== undefined && number <= MAX_AMOUNT ? { amount: number, currency: before ?? after } : undefined
}

function parseDigits(text: string, decimal: Decimal): number | undefined {
  if (decimal === 'any') {
    const [whole, cents = ''] = text.split(/[.,](?=\d{1,2}$)/)
    return WITH_EITHER.test(text) ? Number(`${whole!.replaceAll(/[.,]/g, '')}.${cents}`) : undefined
  }
  if (decimal === '.' && WITH_POINT.test(text)) return Number(text.replaceAll(',', ''))
  if (decimal === ',' ? WITH_COMMA.test(text) : CLEARLY_WITH_COMMA.test(text))
    return Number(text.replaceAll('.', '').replace(',', '.'))
  return undefined
}

/** The number alone. Most values of a feed are plain numbers, which need no further look. */
export function parseAmount(value: unknown, decimal: Decimal = '.'): number | undefined {
  if (typeof value === 'string' && decimal === '.' && PLAIN_NUMBER.test(value)) {
    const amount = Number(value)
    return amount <= MAX_AMOUNT ? amount : undefined
  }
  return parseMoney(value, decimal)?.amount
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
    Object.entries({ ...DEFAULT_RATES, ...rates, USD: '1' }).map(([code, rate]) => [
      code,
      Math.round(Number(rate) * 1e6),
    ]),
  )
  return (amount: number, currency: string): number | undefined => {
    const rate = micros.get(currency)
    return rate === undefined ? undefined : Math.floor((Math.round(amount * 100) * rate + 500_000) / 1_000_000)
  }
}
