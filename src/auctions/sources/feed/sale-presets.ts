import type { SaleFeedId } from '../../auction.ts'
import { type FeedMapInput, saleMapSchema } from './feed-map.ts'
import type { SaleFeedSettings } from './feed-settings.ts'
import type { Terms } from './presets.ts'

/** A feed of sale listings that the operator wants; null for the preset's own URL. */
export type SaleFeedChoice = { readonly feed: SaleFeedId; readonly url: string | null }

type SalePreset = {
  readonly provider: string
  readonly url: string
  readonly intervalMinutes: number
  readonly terms: Terms
  readonly map: FeedMapInput
}

/** None of them needs an account. `test/fixtures/auctions/PROVENANCE.md` says where each format is from. */
export const SALE_PRESETS: Readonly<Record<SaleFeedId, SalePreset>> = {
  'namecheap-buynow': {
    provider: 'Namecheap',
    url: 'https://d3ry1h4w5036x1.cloudfront.net/reports/Namecheap_Market_Sales_Buy_Now.csv',
    intervalMinutes: 360,
    terms: { use: 'unstated', summary: 'its servers must not get many requests in a short time' },
    map: {
      format: 'csv',
      url: 'https://www.namecheap.com/market/buynow/{domain}/',
      fields: { domain: 'domain', source_url: 'permalink', current_price: 'price' },
    },
  },
  'sedo-listings': {
    provider: 'Sedo',
    url: 'https://sedo.com/txt/topdomains_us.txt',
    intervalMinutes: 360,
    terms: { use: 'unstated', summary: 'nothing is known about showing its data to others' },
    map: {
      format: 'csv',
      encoding: 'iso-8859-1',
      entities: true,
      delimiter: '~',
      header: ['domain', 'price', 'end of line'],
      decimal: 'any',
      currency: 'EUR',
      url: 'https://sedo.com/search/details/?domain={domain}',
      fields: { domain: 'domain', current_price: 'price' },
    },
  },
}

export const loadSaleFeeds = (choices: readonly SaleFeedChoice[]): SaleFeedSettings[] =>
  choices.map(({ feed, url }) => {
    const { url: own, map, intervalMinutes } = SALE_PRESETS[feed]
    return {
      source: feed,
      location: url ?? own,
      isPresetUrl: url === null,
      provider: feed,
      map: saleMapSchema.parse(map),
      header: null,
      intervalMs: intervalMinutes * 60_000,
    }
  })
