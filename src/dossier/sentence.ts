import type { AvailabilityData, Offers, Parts } from './lookups.ts'
import { mainDomain } from './lookups.ts'
import type { Part } from './part.ts'
import type { Subject } from './subject.ts'

type Marks = { readonly results: readonly { readonly match_details: { readonly exact_match: boolean } }[] }

/** Sums up a dossier in plain words. Says nothing of parts that are not known. */
export function summarize(subject: Subject, parts: Parts): string {
  const sentences = [...availabilitySentences(subject, parts), ...markSentences(parts), ...ensSentences(subject, parts)]
  return sentences.join(' ') || 'Nothing is known about it at the moment.'
}

const knownData = (part: Part | undefined): unknown => (part?.state === 'known' ? part.data : undefined)

function availabilitySentences(subject: Subject, parts: Parts): string[] {
  const found = knownData(parts.availability) as AvailabilityData | undefined
  if (found === undefined) return []
  const { checked, available, unknown } = found.summary
  const main = mainDomain(subject)
  const verdict = found.results.find(({ domain }) => domain === main)?.status[0]
  // The registry's word counts: nobody can sell a name that nobody holds.
  const offers = verdict === 'registered' ? (knownData(parts.aftermarket) as Offers | undefined) : undefined
  return [
    `${available} of ${checked} ${checked === 1 ? 'domain is' : 'domains are'} available${unknown === 0 ? '' : `, ${unknown} unknown`}.`,
    ...(verdict === undefined
      ? []
      : [`${main} is ${verdict}${offers?.listed !== true ? '' : `, ${formatOffer(offers)}`}.`]),
  ]
}

export function formatOffer({ summary: { lowestPrice } }: Offers): string {
  if (!lowestPrice) return 'for sale'
  const { amount, currency } = lowestPrice
  return `for sale from ${amount.toLocaleString('en', { style: 'currency', currency, maximumFractionDigits: 0 })}`
}

function markSentences({ trademarks }: Parts): string[] {
  if (trademarks?.state === 'nothing') return ['No trademark resembles it.']
  const found = knownData(trademarks) as Marks | undefined
  if (found === undefined) return []
  const same = found.results.filter(({ match_details: { exact_match: isSame } }) => isSame).length
  if (same === 0) return ['Trademarks resemble it, none is the same.']
  return [same === 1 ? 'One trademark is the same.' : `${same} trademarks are the same.`]
}

function ensSentences({ label }: Subject, { ens }: Parts): string[] {
  const found = knownData(ens) as { readonly available: boolean; readonly name: string } | undefined
  return found === undefined
    ? []
    : [`${found.name ?? `${label}.eth`} is ${found.available ? 'available' : 'registered'}.`]
}
