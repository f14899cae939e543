import type { Appraisal } from './appraiser.ts'
import type { Sale } from './sales-book.ts'

type Facts = {
  readonly domain: string
  readonly appraisal: Appraisal
  readonly markets: { readonly wholesale: number; readonly retail: number }
  readonly comparables: readonly Sale[]
}

const REASONS_FOR: Readonly<Partial<Record<Appraisal['factors'][number], string>>> = {
  short_length: 'it is short',
  dot_com: 'it is a .com',
  dictionary_word: 'it is a word everybody knows',
  high_search_volume: 'its words are among the most used',
  brandable: 'it is easy to say',
  premium_tld: 'buyers pay for its ending',
  exact_match: 'its two words say what they mean',
}
const REASONS_AGAINST: Readonly<Partial<Record<Appraisal['factors'][number], string>>> = {
  numeric: 'digits',
  hyphenated: 'hyphens',
  long_name: 'its length',
}

/** Explains the estimate to a buyer. Every statement follows from the fields of the response. */
export function explain({ domain, appraisal, markets, comparables }: Facts): string {
  const { low, mid, high, confidence, factors } = appraisal
  const raises = factors.flatMap((factor) => REASONS_FOR[factor] ?? [])
  const lowers = factors.flatMap((factor) => REASONS_AGAINST[factor] ?? [])
  const sentences = [
    mid < MIN_SALE_USD
      ? `${domain} would bring hardly more than what a registration costs: about ${usd(mid)}.`
      : `${domain} would bring about ${usd(mid)}, most likely between ${usd(low)} and ${usd(high)}.`,
  ]
  if (mid >= MIN_SALE_USD && markets.wholesale < markets.retail)
    sentences.push(
      `A reseller at an auction would pay about ${usd(markets.wholesale)}, somebody who needs this very name about ${usd(markets.retail)}.`,
    )
  if (raises.length > 0) sentences.push(`What speaks for it: ${joinList(raises)}.`)
  if (lowers.length > 0) sentences.push(`What it loses by: ${joinList(lowers)}.`)
  const [nearest] = comparables
  if (nearest)
    sentences.push(
      nearest.domain === domain
        ? `It was sold itself for ${usd(nearest.price)} (${nearest.source}, ${nearest.date}).`
        : `The most similar sale we know of is ${nearest.domain} for ${usd(nearest.price)} (${nearest.source}, ${nearest.date}).`,
    )
  sentences.push(`${describeConfidence(confidence)} The model sees the name alone, not its visitors, links or history.`)
  return sentences.join(' ')
}

/** Cheaper names are hardly ever offered for sale. */
const MIN_SALE_USD = 50

function describeConfidence(confidence: number): string {
  const inTen = Math.round(confidence * 10)
  if (inTen <= 0) return 'A sale at anything near this price would be luck.'
  const share = inTen >= 10 ? 'Nearly all' : `About ${inTen} of 10`
  return `${share} sales of such names bring between half and twice the middle figure.`
}

const usd = (dollars: number): string => `$${dollars.toLocaleString('en-US')}`

const joinList = (all: readonly string[]): string =>
  all.length === 1 ? all[0]! : `${all.slice(0, -1).join(', ')} and ${all.at(-1)!}`
