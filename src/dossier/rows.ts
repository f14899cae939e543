import type { AvailabilityData, Offers } from './lookups.ts'
import { type Part, PART_NAMES, type PartName } from './part.ts'
import { formatOffer } from './sentence.ts'

type Row = Readonly<Record<string, string | number>>
type Dossier = {
  readonly name: string
  readonly domain?: string
  readonly sentence: string
  readonly parts: { readonly [Name in PartName]?: Part }
  readonly paid: readonly Row[]
}

/** A dossier for people at a terminal: the domains, one line for each part, and what can be bought. */
export function toRows({ name, domain, sentence, parts, paid }: Dossier): Readonly<Record<string, unknown>> {
  const rows = PART_NAMES.flatMap((part): Row[] => {
    const found = parts[part]
    return found === undefined ? [] : [{ part, state: found.state, summary: summaryOf(part, found) }]
  })
  const { availability } = parts
  const domains =
    availability?.state === 'known' ? (availability.data as AvailabilityData).results.map(domainRow) : undefined
  return {
    name: domain ?? name,
    summary: sentence,
    ...(domains && { domains }),
    parts: rows,
    ...(paid.length > 0 && { paid: paid.map(({ what, usd, command }) => ({ what, usd, command })) }),
  }
}

const domainRow = ({ domain, status, premium, error }: AvailabilityData['results'][number]): Row => ({
  domain,
  status: status[0] ?? 'unknown',
  note: error ?? (premium === true ? 'premium' : ''),
})

function summaryOf(name: PartName, part: Part): string {
  switch (part.state) {
    case 'known':
      return (SUMMARIES[name] as (data: unknown) => string)(part.data)
    case 'nothing':
      return part.message ?? ''
    case 'unknown':
      return `${part.message} Ask again in ${part.retryAfterSeconds} s.`
    case 'off':
      return part.message
  }
}

type Links = readonly {
  readonly registrars: readonly { readonly name: string; readonly registrationPrice?: number }[]
}[]
type Ens = { readonly name: string; readonly available: boolean; readonly expiry?: { readonly expires_at: string } }
type Marks = {
  readonly results: readonly { readonly mark_text: string }[]
  readonly total: number
  readonly total_is_lower_bound?: boolean
}
type Auctions = {
  readonly auctions: readonly { readonly domain: string; readonly price_usd: number }[]
  readonly meta: { readonly total: number }
}
type Presence = { readonly score: number; readonly status: string }
type Whois = {
  readonly available: boolean
  readonly registrar?: { readonly name?: string }
  readonly dates?: { readonly created?: string | null; readonly expires?: string | null }
}
type Dns = { readonly records: { readonly a: readonly string[]; readonly ns: readonly { readonly host: string }[] } }

const day = (date: string): string => date.slice(0, 10)
const listed = (texts: readonly (string | undefined)[]): string => texts.filter(Boolean).join(', ')

/** One line about what a part knows. */
const SUMMARIES: Readonly<Record<PartName, (data: never) => string>> = {
  availability: ({ summary }: AvailabilityData) =>
    `${summary.available} of ${summary.checked} available${summary.unknown === 0 ? '' : `, ${summary.unknown} unknown`}`,
  register: (links: Links) => {
    const offers = links.flatMap(({ registrars }) => registrars)
    const prices = offers.flatMap(({ registrationPrice }) => registrationPrice ?? [])
    const names = [...new Set(offers.map(({ name }) => name))].join(', ')
    return `${names}${prices.length === 0 ? '' : `; from $${Math.min(...prices).toFixed(2)} for the first year`}`
  },
  ens: ({ name, available, expiry }: Ens) =>
    available ? `${name} is available` : `${name} is registered${expiry ? ` until ${day(expiry.expires_at)}` : ''}`,
  trademarks: ({ results, total, total_is_lower_bound: isLowerBound }: Marks) =>
    `${isLowerBound ? 'at least ' : ''}${total} similar: ${results
      .slice(0, 3)
      .map(({ mark_text: text }) => text)
      .join(', ')}`,
  aftermarket: (offers: Offers) =>
    offers.listed ? formatOffer(offers) : `not for sale where it could be looked up; ${offers.errors.length} failed`,
  auctions: ({ auctions, meta }: Auctions) =>
    `${meta.total} running: ${auctions
      .slice(0, 3)
      .map(({ domain, price_usd: usd }) => `${domain} $${usd}`)
      .join(', ')}`,
  presence: ({ score, status }: Presence) => `${status}, score ${score} of 100`,
  whois: ({ available, registrar, dates }: Whois) =>
    available
      ? 'not registered'
      : listed([
          registrar?.name,
          dates?.created ? `created ${day(dates.created)}` : undefined,
          dates?.expires ? `expires ${day(dates.expires)}` : undefined,
        ]) || 'registered',
  dns: ({ records }: Dns) =>
    listed([
      records.a.length > 0 ? `A ${records.a.join(' ')}` : undefined,
      records.ns.length > 0 ? `NS ${records.ns.map(({ host }) => host).join(' ')}` : undefined,
    ]) || 'no address and no name server',
}
