import { type FeedMap, type FeedMapInput, feedMapSchema } from './feed-map.ts'

/** What a provider lets others do with its data, as far as we know. It may have changed: read the terms yourself. */
export type Terms = {
  /** `internal`: not to be shown to others. `unstated`: nothing that we know of forbids it, or grants it. */
  readonly use: 'internal' | 'unstated'
  /** Completes the sentence "The terms of … say that …". */
  readonly summary: string
}

type Preset = {
  readonly provider: string
  /** Null if the URL has a key of the operator's. */
  readonly url: string | null
  /** Parameters that are added to a URL without them. */
  readonly query?: Readonly<Record<string, string>>
  /** How the URL of a feed with a key looks. */
  readonly example?: string
  readonly intervalMinutes: number
  readonly terms: Terms
  readonly map: FeedMapInput
}

const UNSTATED: Terms = { use: 'unstated', summary: 'nothing is known about showing its data to others' }

/** Feeds with a known format. `test/fixtures/auctions/PROVENANCE.md` says where each format is from. */
const PRESETS = {
  namecheap: {
    provider: 'Namecheap',
    url: 'https://d3ry1h4w5036x1.cloudfront.net/reports/Namecheap_Market_Sales.csv',
    intervalMinutes: 60,
    terms: { use: 'unstated', summary: 'its servers must not get many requests in a short time' },
    map: {
      format: 'csv',
      fields: {
        id: 'url',
        domain: 'name',
        source_url: 'url',
        current_price: 'price',
        start_price: 'startPrice',
        bid_count: 'bidCount',
        started_at: 'startDate',
        ends_at: 'endDate',
        metric_a_dr: 'ahrefsDomainRating',
        metric_a_backlinks: 'ahrefsBacklinks',
        metric_b_score: 'semrushAScore',
        metric_b_backlinks: 'semrushBacklinks',
        metric_c_cf: 'majesticCitation',
        metric_c_tf: 'majesticTrustFlow',
        metric_c_backlinks: 'majesticBacklinks',
        appraisal_a_value: 'estibotValue',
        appraisal_b_value: 'goValue',
        keyword_search_volume: 'keywordSearchCount',
        extensions_taken: 'extensionsTaken',
        registered_date: 'registeredDate',
        last_sold_price: 'lastSoldPrice',
        last_sold_year: 'lastSoldYear',
        renewal_price: 'renewPrice',
      },
    },
  },
  sedo: {
    provider: 'Sedo',
    url: 'https://sedo.com/txt/auctions_us.txt',
    intervalMinutes: 60,
    terms: UNSTATED,
    map: {
      format: 'csv',
      encoding: 'iso-8859-1',
      entities: true,
      delimiter: ';',
      header: ['domain', 'start', 'end', 'price', 'currency', 'bids', 'end of line'],
      currency: 'EUR',
      url: 'https://sedo.com/search/details/?domain={domain}',
      fields: {
        domain: 'domain',
        started_at: 'start',
        ends_at: 'end',
        current_price: 'price',
        currency: 'currency',
        bid_count: 'bids',
      },
    },
  },
  godaddy: {
    provider: 'GoDaddy',
    url: 'https://inventory.auctions.godaddy.com/all_biddable_auctions.json.zip',
    // Published once a day.
    intervalMinutes: 360,
    terms: { use: 'internal', summary: 'its content is for internal use and must not be displayed or passed on' },
    map: {
      format: 'json',
      list: 'data',
      idPart: 'digits',
      fields: {
        id: 'link',
        domain: 'domainName',
        source_url: 'link',
        current_price: 'price',
        bid_count: 'numberOfBids',
        ends_at: 'auctionEndTime',
        metric_b_score: 'semrushAs',
        metric_b_backlinks: 'semrushBacklinks',
        metric_c_cf: 'majesticCf',
        metric_c_tf: 'majesticTf',
        metric_c_backlinks: 'majesticBacklinks',
        appraisal_b_value: 'valuation',
        keyword_search_volume: 'semrushSearchVolume',
        extensions_taken: 'exactMatchTlds',
        domain_age_years: 'domainAge',
      },
    },
  },
  'dynadot-csv': {
    provider: 'Dynadot',
    url: 'https://www.dynadot.com/market/auction/auctions.csv?currency=USD',
    intervalMinutes: 60,
    terms: UNSTATED,
    map: {
      format: 'csv',
      negativeIsMissing: true,
      url: 'https://www.dynadot.com/market/auction/{domain}',
      fields: {
        domain: 'Domain',
        current_price: 'Bid Price',
        currency: 'Bid Price Currency',
        bid_count: 'Bids',
        // `End Time` names a zone that is wrong for half of the year.
        ends_at: 'End Timestamp',
        inbound_links: 'Links',
        domain_age_years: 'Age',
        appraisal_a_value: 'Appraisal',
      },
    },
  },
  parkio: {
    provider: 'park.io',
    url: 'https://park.io/auctions.json',
    intervalMinutes: 60,
    terms: UNSTATED,
    map: {
      format: 'json',
      list: 'auctions',
      pages: { path: '/auctions/index/page:{page}.json', more: 'nextPage', intervalMs: 1000 },
      times: 'year-day-month',
      fields: { domain: 'name', current_price: 'price', ends_at: 'close_date' },
    },
  },
  dynadot: {
    provider: 'Dynadot',
    url: null,
    query: { command: 'get_open_auctions', type: 'expired', currency: 'usd', count_per_page: '1000' },
    example: 'https://api.dynadot.com/api3.json?key=…',
    // Hundreds of pages, one a second.
    intervalMinutes: 360,
    terms: { use: 'internal', summary: 'data of its API must not be given to third parties' },
    map: {
      format: 'json',
      list: 'auction_list',
      // 60 requests a minute are allowed for a regular account.
      pages: { parameter: 'page_index', size: 1000, sizeParameter: 'count_per_page', intervalMs: 1100 },
      negativeIsMissing: true,
      url: 'https://www.dynadot.com/market/auction/{domain}',
      fields: {
        id: 'auction_id',
        domain: 'domain',
        current_price: 'current_bid_price',
        currency: 'currency',
        bid_count: 'bids',
        ends_at: 'end_time_stamp',
        inbound_links: 'links',
        domain_age_years: 'age',
        appraisal_a_value: 'dyna_appraisal',
        renewal_price: 'renewal_price',
      },
    },
  },
  namesilo: {
    provider: 'NameSilo',
    url: null,
    query: { version: '1', type: 'json', typeId: '3', statusId: '2', pageSize: '500' },
    example: 'https://www.namesilo.com/public/apibatch/listAuctions?key=…',
    intervalMinutes: 360,
    terms: UNSTATED,
    map: {
      format: 'json',
      list: 'reply.body',
      pages: { parameter: 'page', size: 500, sizeParameter: 'pageSize', intervalMs: 2000 },
      fields: {
        id: 'id',
        domain: 'domain',
        source_url: 'url',
        current_price: 'currentBid',
        start_price: 'openingBid',
        bid_count: 'bidsQuantity',
        ends_at: 'auctionEndsOnUtc',
        registered_date: 'domainCreatedOn',
      },
    },
  },
} as const satisfies Record<string, Preset>

export type PresetName = keyof typeof PRESETS
const entries = Object.entries(PRESETS) as [PresetName, Preset][]
export const PRESET_NAMES = Object.keys(PRESETS) as [PresetName, ...PresetName[]]
/** Presets that need no account. */
export const KEYLESS_PRESETS = entries.filter(([, { url }]) => url !== null).map(([name]) => name)

/** Names that presets had before. */
export const FORMER_PRESET_NAMES = { 'namecheap-market': 'namecheap', 'godaddy-inventory': 'godaddy' } as const

export const findPreset = (name: PresetName): Preset => PRESETS[name]
export const presetMap = (name: PresetName): FeedMap => feedMapSchema.parse(PRESETS[name].map)
