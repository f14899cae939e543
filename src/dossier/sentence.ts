import type { AvailabilityData, CheckResult, Offers, Parts } from './lookups.ts'
import { mainDomain } from './lookups.ts'
import type { Part } from './part.ts'
import type { Subject } from './subject.ts'

/** Whether the status code of the trademark office is that of a mark in force. */
export type IsLiveMark = (statusCode: string) => boolean

type Mark = {
  readonly status_code: string
  readonly class_numbers: readonly string[]
  readonly match_details: { readonly exact_match: boolean }
}
type Marks = { readonly results: readonly Mark[]; readonly total: number }
type Whois = { readonly dates?: { readonly created?: string | null; readonly expires?: string | null } }
type Ens = {
  readonly name: string
  readonly available: boolean
  readonly premium?: { readonly ends_at: string }
  readonly expiry?: { readonly in_grace_period: boolean; readonly grace_period_ends: string }
}

const MAX_LISTED_CLASSES = 3

/** Sums up a dossier in plain words, the verdict first. Says nothing of parts that are not known. */
export function summarize(subject: Subject, parts: Parts, isLiveMark: IsLiveMark): string {
  const sentences = [
    ...availabilitySentences(subject, parts),
    ...registrationSentences(parts),
    ...markSentences(parts, isLiveMark),
    ...ensSentences(parts),
  ]
  return sentences.join(' ') || 'Nothing is known about it at the moment.'
}

const knownData = (part: Part | undefined): unknown => (part?.state === 'known' ? part.data : undefined)

function availabilitySentences(subject: Subject, parts: Parts): string[] {
  if (parts.availability?.state === 'unknown') return ['It is not known which domains are free.']
  const found = knownData(parts.availability) as AvailabilityData | undefined
  if (found === undefined) return []
  const { checked, available, unknown } = found.summary
  const count = `${available} of ${checked} free${unknown === 0 ? '' : `, ${unknown} unknown`}.`
  const main = mainDomain(subject)
  // No answer at all is not "none is free".
  if (checked > 1 && unknown === checked) return [`${unknown} of ${checked} unknown.`]
  const result = found.results.find(({ domain }) => domain === main)
  if (result === undefined) return [count]
  const offers = knownData(parts.aftermarket) as Offers | undefined
  const isAlone = checked === 1
  // "20 of 20 free" has said it.
  if (!isAlone && subject.domain === null && available === checked && result.premium !== true) return [count]
  const name = isAlone || subject.domain !== null ? main : `.${result.tld}`
  const verdict = `${name} ${verdictWords(result, offers)}.`
  if (isAlone) return [verdict]
  return subject.domain === null ? [count, verdict] : [verdict, count]
}

function verdictWords({ status: [verdict], premium }: CheckResult, offers: Offers | undefined): string {
  switch (verdict) {
    case 'available':
      return `is free${premium === true ? ', at a premium price' : ''}`
    // The registry's word counts: nobody can sell a name that nobody holds.
    case 'registered':
      return `is taken${offers?.listed === true ? `, ${formatOffer(offers)}` : ''}`
    case 'reserved':
      return 'is reserved'
    default:
      return 'is unknown'
  }
}

export function formatOffer({ summary: { lowestPrice } }: Offers): string {
  if (!lowestPrice) return 'for sale'
  const { amount, currency } = lowestPrice
  return `for sale from ${amount.toLocaleString('en', { style: 'currency', currency, maximumFractionDigits: 0 })}`
}

function registrationSentences({ whois }: Parts): string[] {
  const { created, expires } = (knownData(whois) as Whois | undefined)?.dates ?? {}
  const words = [created ? `registered ${day(created)}` : '', expires ? `paid until ${day(expires)}` : '']
  const sentence = words.filter(Boolean).join(', ')
  return sentence === '' ? [] : [`${sentence.charAt(0).toUpperCase()}${sentence.slice(1)}.`]
}

function markSentences({ trademarks }: Parts, isLiveMark: IsLiveMark): string[] {
  if (trademarks?.state === 'nothing') return ['No trademark resembles it.']
  const found = knownData(trademarks) as Marks | undefined
  if (found === undefined) return []
  const live = found.results.filter(({ status_code: code }) => isLiveMark(code))
  const same = live.filter(({ match_details: { exact_match: isSame } }) => isSame)
  if (same.length > 0) {
    // The results are the best ones only: if all of them are the same, there may be more.
    const isCut = same.length === found.results.length && found.total > same.length
    const count = same.length === 1 ? 'One live mark' : `${isCut ? 'At least ' : ''}${same.length} live marks`
    return [`${count}${classWords(same)}.`]
  }
  if (live.length === 0) return ['Trademarks resemble it, none of the nearest is live.']
  return [live.length === 1 ? 'One live mark resembles it.' : `${live.length} live marks resemble it.`]
}

function classWords(marks: readonly Mark[]): string {
  const classes = [
    ...new Set(marks.flatMap(({ class_numbers: numbers }) => numbers.map((text) => text.replace(/^0+/, '')))),
  ]
  if (classes.length === 0) return ''
  const listed = classes.toSorted((a, b) => Number(a) - Number(b)).slice(0, MAX_LISTED_CLASSES)
  const left = classes.length - listed.length
  const words = left > 0 ? [...listed, `${left} more`] : listed
  const [last] = words.splice(-1)
  const list = words.length === 0 ? last : `${words.join(', ')} and ${last}`
  return ` in ${classes.length === 1 ? 'class' : 'classes'} ${list}`
}

function ensSentences({ ens }: Parts): string[] {
  const found = knownData(ens) as Ens | undefined
  if (found === undefined) return []
  const { name, available, premium, expiry } = found
  if (available) return [`${name} is free${premium ? `, at a premium until ${day(premium.ends_at)}` : ''}.`]
  if (expiry?.in_grace_period === true)
    return [`${name} has expired; its holder can renew it until ${day(expiry.grace_period_ends)}.`]
  return [`${name} is taken.`]
}

/** `14 March 2027`. */
const day = (date: string): string =>
  new Date(date).toLocaleDateString('en-GB', { day: 'numeric', month: 'long', year: 'numeric', timeZone: 'UTC' })
