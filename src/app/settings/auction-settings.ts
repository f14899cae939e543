/** Settings of the auction feeds, and what speaks against them. */
import { SALE_FEED_IDS, SOURCE_IDS } from '../../auctions/auction.ts'
import { type FeedChoice, feedLocation } from '../../auctions/sources/feed/load-feeds.ts'
import { findPreset, FORMER_PRESET_NAMES, type PresetName } from '../../auctions/sources/feed/presets.ts'
import { SALE_PRESETS, type SaleFeedChoice } from '../../auctions/sources/feed/sale-presets.ts'
import { hostnameOf, isLoopback } from './loopback.ts'
import type { Values } from './providers.ts'

const LETTERS = ['A', 'B', 'C'] as const
type Letter = (typeof LETTERS)[number]

const prefixOf = (letter: Letter) => `ONOMA_AUCTIONS_SOURCE_${letter}` as const

/** The preset that the settings of a letter name, by its present name. */
function ownPreset(values: Values, letter: Letter): PresetName | null {
  const name = values[`${prefixOf(letter)}_PRESET`]
  return name !== null && name in FORMER_PRESET_NAMES
    ? FORMER_PRESET_NAMES[name as keyof typeof FORMER_PRESET_NAMES]
    : (name as PresetName | null)
}

/** A feed with a URL or a preset of its own keeps its letter; those of ONOMA_AUCTIONS take the others in their order. */
function feedOf(values: Values): Readonly<Record<Letter, { url: string | null; preset: PresetName | null } | null>> {
  const named = namedAuctions(values)
  const feeds = LETTERS.map((letter) => {
    const [url, preset] = [values[`${prefixOf(letter)}_URL`], ownPreset(values, letter)]
    if (url !== null || preset !== null) return [letter, { url, preset }]
    const next = named.shift()
    return [letter, next === undefined ? null : { url: null, preset: next }]
  })
  return Object.fromEntries(feeds) as ReturnType<typeof feedOf>
}

/** The auction feeds that ONOMA_AUCTIONS names; it may name feeds of listings too. */
const namedAuctions = ({ ONOMA_AUCTIONS: named }: Values): PresetName[] =>
  (named ?? []).filter((name): name is Exclude<typeof name, SaleFeedChoice['feed']> => !(name in SALE_PRESETS))

/** The feeds of domains that are for sale without an end. One with a URL of its own need not be named. */
export function saleFeeds(values: Values): readonly SaleFeedChoice[] {
  const urls = {
    'namecheap-buynow': values.ONOMA_AUCTIONS_NAMECHEAP_BUYNOW_URL,
    'sedo-listings': values.ONOMA_AUCTIONS_SEDO_LISTINGS_URL,
  }
  return SALE_FEED_IDS.filter((feed) => urls[feed] !== null || values.ONOMA_AUCTIONS?.includes(feed)).map((feed) =>
    Object.freeze({ feed, url: urls[feed] }),
  )
}

export function auctionFeeds(values: Values): readonly FeedChoice[] {
  const feeds = feedOf(values)
  return LETTERS.flatMap((letter, at): FeedChoice[] => {
    const prefix = prefixOf(letter)
    const feed = feeds[letter]
    if (!feed) return []
    const choice = {
      source: SOURCE_IDS[at]!,
      ...feed,
      format: values[`${prefix}_FORMAT`],
      columns: values[`${prefix}_COLUMNS`],
      currency: values[`${prefix}_CURRENCY`],
      timeZone: values[`${prefix}_TIME_ZONE`],
      intervalMinutes: values[`${prefix}_INTERVAL`],
      header: values[`${prefix}_HEADER`],
    }
    return [Object.freeze(choice)]
  })
}

/** Feeds that cannot be loaded, or would be loaded twice. */
export function auctionProblems(values: Values): string[] {
  const named = namedAuctions(values)
  const own = LETTERS.filter(
    (letter) => values[`${prefixOf(letter)}_URL`] !== null || ownPreset(values, letter) !== null,
  )
  const problems: string[] = []
  const free = LETTERS.length - own.length
  if (named.length > free) {
    const taken = own.map((letter) => `source_${letter.toLowerCase()}`).join(', ')
    problems.push(
      `ONOMA_AUCTIONS names ${count(named.length, 'feed')}, but ${
        own.length === 0
          ? `there are ${LETTERS.length} sources`
          : `${taken} already has settings of its own, which leaves ${count(free, 'source')}`
      }; remove some.`,
    )
  }
  for (const letter of own) {
    const preset = ownPreset(values, letter)
    if (values[`${prefixOf(letter)}_URL`] !== null || preset === null || findPreset(preset).url !== null) continue
    problems.push(
      `${prefixOf(letter)}_URL is missing: the preset ${preset} needs your key, as in ${findPreset(preset).example}.`,
    )
  }
  if (problems.length > 0) return problems
  const sources = new Map<string, string>()
  for (const choice of auctionFeeds(values)) {
    const location = feedLocation(choice)
    const other = sources.get(location)
    if (other !== undefined)
      problems.push(
        `${other} and ${choice.source} would load the same feed${choice.preset ? ` (${choice.preset})` : ''}; remove it from ONOMA_AUCTIONS or from the settings of one source.`,
      )
    sources.set(location, choice.source)
  }
  return problems
}

const count = (number: number, what: string): string => `${number} ${what}${number === 1 ? '' : 's'}`

type Exposure = {
  readonly host: string
  readonly publicUrl: string
  readonly trustedProxies: readonly string[]
  readonly sandbox: boolean
  readonly auctions: readonly FeedChoice[]
  readonly saleFeeds: readonly SaleFeedChoice[]
  readonly aftermarket: { readonly sourceB: object | null }
  readonly auctionTermsAccepted: boolean
}

/** Why the service must not be reachable from other machines with these providers. Invented ones have no terms. */
export function termsProblems(config: Exposure): string[] {
  const reach = reachedFrom(config)
  if (reach === null || config.sandbox || config.auctionTermsAccepted) return []
  const problem = (what: string, provider: string, summary: string): string =>
    `The ${what} come from ${provider}, whose terms say that ${summary}, but others can reach this service (${reach}). ` +
    `Set ONOMA_AUCTIONS_TERMS=accepted if ${provider} allows it to you, listen on 127.0.0.1 only, or remove the source.`
  const { provider: marketplace, terms: apiTerms } = findPreset('dynadot')
  return [
    ...config.auctions.flatMap(({ source, preset }) => {
      const { provider, terms } = preset === null ? NO_PRESET : findPreset(preset)
      return terms.use === 'internal' ? [problem(`auctions of ${source}`, provider, terms.summary)] : []
    }),
    ...config.saleFeeds.flatMap(({ feed }) => {
      const { provider, terms } = SALE_PRESETS[feed]
      return terms.use === 'internal' ? [problem(`listings of ${feed}`, provider, terms.summary)] : []
    }),
    // The same API as that of its auctions.
    ...(config.aftermarket.sourceB === null ? [] : [problem('listings of source_b', marketplace, apiTerms.summary)]),
  ]
}

const NO_PRESET = { provider: '', terms: { use: 'unstated', summary: '' } } as const

/** The setting that lets other machines reach the service; null if none does. */
function reachedFrom({ host, publicUrl, trustedProxies }: Exposure): string | null {
  if (!isLoopback(host)) return `HOST is ${host}`
  if (trustedProxies.length > 0) return 'ONOMA_TRUSTED_PROXIES is set'
  return isLoopback(hostnameOf(publicUrl)) ? null : `ONOMA_PUBLIC_URL is ${publicUrl}`
}
