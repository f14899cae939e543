/** What a registrar asks for a domain under one TLD, in US dollars a year. */
export type TldPrice = {
  /** For the first year. */
  readonly registration: number
  /** For every further year; null if unknown. */
  readonly renewal: number | null
}

/** Prices by TLD; a TLD may have several labels, such as `co.uk`. */
export type PriceList = {
  /** When they were published or fetched, in milliseconds since the epoch. */
  readonly asOf: number
  readonly prices: ReadonlyMap<string, TldPrice>
}

/** Some TLDs cost thousands of dollars; a higher price is an error. */
const MAX_PRICE_USD = 50_000
/** A shorter list is cut off, or is another document. */
const MIN_TLDS = 100
/** A new list has at least this share of the TLDs of the last one. */
const MIN_KEPT_SHARE = 0.8
/** With a larger share of refused prices the whole list cannot be trusted. */
const MAX_REFUSED_SHARE = 0.05

/** US dollars and cents, with or without commas between thousands; undefined if negative, zero or implausible. */
export function parsePriceUsd(text: string): number | undefined {
  if (!/^(?:\d{1,6}|\d{1,3}(?:,\d{3})+)(?:\.\d{1,2})?$/.test(text)) return undefined
  const usd = Number(text.replaceAll(',', ''))
  return usd > 0 && usd <= MAX_PRICE_USD ? usd : undefined
}

/** Why a new list must not replace the current one; undefined if it may. */
export function findListProblem(
  { prices, refused }: { readonly prices: PriceList['prices']; readonly refused: readonly string[] },
  current: PriceList['prices'] | undefined,
): string | undefined {
  if (prices.size < MIN_TLDS) return `it has only ${prices.size} TLDs`
  if (refused.length > MAX_REFUSED_SHARE * (prices.size + refused.length))
    return `${refused.length} of its prices are negative or implausible, such as that of .${refused[0]}`
  if (!current) return undefined
  const kept = current
    .keys()
    .filter((tld) => prices.has(tld))
    .toArray().length
  return kept < MIN_KEPT_SHARE * current.size ? `it has only ${kept} of the ${current.size} TLDs we know` : undefined
}
