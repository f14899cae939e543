/** Codes that are not countries: user-assigned codes and unions of countries. */
const NO_COUNTRIES = new Set(['EU', 'EZ', 'QO', 'UN', 'XA', 'XB', 'ZZ'])
const LETTERS = Array.from({ length: 26 }, (_, at) => String.fromCharCode(0x41 + at))
const NAMES = new Intl.DisplayNames(['en'], { type: 'region', fallback: 'none' })

/** English names and codes of countries, in lower case. */
const COUNTRIES: ReadonlySet<string> = new Set([
  ...LETTERS.flatMap((first) => LETTERS.map((second) => first + second)).flatMap((code) => {
    const name = NAMES.of(code)
    return name === undefined || NO_COUNTRIES.has(code) ? [] : [code.toLowerCase(), name.toLowerCase()]
  }),
  'usa',
  'uk',
  'united states of america',
  'great britain',
  'the netherlands',
  'czech republic',
  'russian federation',
  'republic of korea',
  'korea, republic of',
  'viet nam',
  'turkey',
])

const MIN_ADDRESS_LINES = 2

/** The country in the last line of an address, ignoring phone numbers and email addresses. */
export function countryAtEnd(lines: readonly string[]): string | undefined {
  const address = lines.filter((line) => !/@|^\W*\+?[\d(][\d\s().+-]{5,}/.test(line))
  const last = address.at(-1)?.trim() ?? ''
  // Two lower-case letters are a word, not a country code.
  const isCountry = last.length === 2 ? /^[A-Z]{2}$/.test(last) : last.length > 2
  return isCountry && address.length >= MIN_ADDRESS_LINES && COUNTRIES.has(last.toLowerCase()) ? last : undefined
}
