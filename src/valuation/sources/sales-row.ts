import { parseDomain, splitDomain } from '../../kernel/names.ts'
import { hasControlCharacter } from '../../kernel/control-characters.ts'
import type { Name } from '../sight.ts'

/** The column of each field; -1 if the file does not have it. */
export type Columns = {
  readonly count: number
  readonly domain: number
  readonly price: number
  readonly date: number
  readonly source: number
  readonly currency: number
}

export type SaleRow = Name & {
  readonly domain: string
  readonly price: number
  readonly date: string
  readonly source: string
}

type Terms = {
  readonly columns: Columns
  /** Supported TLDs. */
  readonly suffixes: ReadonlySet<string>
  /** YYYY-MM-DD; a sale cannot be later. */
  readonly today: string
  /** Source of rows without one. */
  readonly source: string | null
}

/** Parses the header line; a message if a column is missing. */
export function columnsOf(header: readonly string[], hasSource: boolean): Columns | string {
  const names = header.map((name) => name.trim().toLowerCase())
  const place = (...choices: readonly string[]) => {
    for (const choice of choices) if (names.includes(choice)) return names.indexOf(choice)
    return -1
  }
  const columns = {
    count: header.length,
    domain: place('domain'),
    price: place('price_usd', 'price'),
    date: place('date'),
    source: place('source', 'venue'),
    currency: names.includes('price_usd') ? -1 : place('currency'),
  }
  const lacking = [
    ...(columns.domain === -1 ? ['domain'] : []),
    ...(columns.price === -1 ? ['price_usd (or price)'] : []),
    ...(columns.date === -1 ? ['date'] : []),
    ...(columns.source === -1 && !hasSource ? ['source (or venue, or --source)'] : []),
  ]
  return lacking.length === 0
    ? columns
    : `The first line must name the columns; these are missing: ${lacking.join(', ')}.`
}

/** Parses a row; a message if it is invalid. */
export function readSale(fields: readonly string[], terms: Terms): SaleRow | string {
  const { columns, suffixes, today } = terms
  if (fields.length !== columns.count)
    return `it has ${fields.length} fields, the first line has ${columns.count} (a comma in a field needs quotes)`
  const given = (place: number) => (place === -1 ? '' : fields[place]!.trim())
  const parsed = parseDomain(given(columns.domain))
  if (!parsed.ok) return `the domain ${parsed.problem.replace(/\.$/, '')}`
  const split = splitDomain(parsed.name, suffixes)
  if (split.kind !== 'registrable') return split.problem.replace(/\.$/, '')
  const currency = given(columns.currency)
  if (currency !== '' && currency.toUpperCase() !== 'USD') return 'the price is not in US dollars'
  const price = priceOf(given(columns.price))
  if (typeof price === 'string') return price
  const date = given(columns.date)
  const problem = dateProblem(date, today)
  if (problem !== null) return problem
  const source = given(columns.source) || terms.source || ''
  const wrong = sourceProblem(source)
  if (wrong !== null) return wrong
  return { domain: parsed.name, label: split.label, tld: split.suffix, price, date, source }
}

/** Ten times the highest known price. */
const MAX_PRICE_USD = 1_000_000_000

function priceOf(text: string): number | string {
  if (!/^\$? ?(?:\d{1,12}|\d{1,3}(?:,\d{3}){1,3})(?:\.\d{1,2})?$/.test(text)) return 'the price is not an amount'
  const price = Math.round(Number(text.replaceAll(/[$, ]/g, '')))
  if (price < 1) return 'the price is nothing'
  return price > MAX_PRICE_USD ? 'the price is higher than any that was ever paid' : price
}

/** The date of the first .com registration. */
const MIN_DATE = '1985-03-15'

function dateProblem(text: string, today: string): string | null {
  if (!/^\d{4}-\d{2}-\d{2}$/.test(text)) return 'the date is not a full date (YYYY-MM-DD)'
  const moment = Date.parse(`${text}T00:00:00Z`)
  // Date turns February 30 into a day of March.
  if (Number.isNaN(moment) || new Date(moment).toISOString().slice(0, 10) !== text) return 'there is no such day'
  if (text > today) return 'the date is in the future'
  return text < MIN_DATE ? 'the date is before there were domains' : null
}

const MAX_SOURCE_LENGTH = 100

/** The source appears in responses, so it must be a short line of plain text. */
export function sourceProblem(source: string): string | null {
  if (source === '') return 'the source is missing'
  if (source.length > MAX_SOURCE_LENGTH) return `the source is longer than ${MAX_SOURCE_LENGTH} characters`
  // Control characters, and characters that are invisible or change the text direction.
  if (hasControlCharacter(source) || /[\p{Cc}\p{Cf}\p{Cs}\p{Co}\u2028\u2029]/u.test(source))
    return 'the source has characters that cannot be shown'
  return null
}
