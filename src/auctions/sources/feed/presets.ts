import { type FeedMap, type FeedMapInput, feedMapSchema } from './feed-map.ts'

/** Feeds with a known format, checked against what each provider documents or publishes. */
const PRESETS = {
  'namecheap-market': {
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
  dynadot: {
    format: 'json',
    list: 'auction_list',
    fields: {
      id: 'auction_id',
      domain: 'domain',
      current_price: 'bid_price',
      currency: 'bid_price_currency',
      bid_count: 'bids',
      ends_at: 'end_time_stamp',
      inbound_links: 'links',
      domain_age_years: 'age',
    },
  },
  sedo: {
    format: 'csv',
    delimiter: ';',
    header: ['domain', 'start', 'end', 'price', 'currency', 'extra_1', 'extra_2'],
    currency: 'EUR',
    fields: { domain: 'domain', started_at: 'start', ends_at: 'end', current_price: 'price', currency: 'currency' },
  },
  'godaddy-inventory': {
    format: 'json',
    list: 'data',
    fields: {
      domain: 'domainName',
      source_url: 'link',
      current_price: 'price',
      bid_count: 'numberOfBids',
      ends_at: 'auctionEndTime',
      metric_b_score: 'semrushAs',
      metric_c_tf: 'majesticTf',
      appraisal_b_value: 'valuation',
      keyword_search_volume: 'semrushSearchVolume',
      extensions_taken: 'exactMatchTlds',
      domain_age_years: 'domainAge',
    },
  },
} as const satisfies Record<string, FeedMapInput>

export type PresetName = keyof typeof PRESETS
export const PRESET_NAMES = Object.keys(PRESETS) as [PresetName, ...PresetName[]]

export const presetMap = (name: PresetName): FeedMap => feedMapSchema.parse(PRESETS[name])
