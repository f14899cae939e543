import { SALE_FEED_IDS } from '../../auctions/auction.ts'
import { FORMATS } from '../../auctions/sources/feed/feed-map.ts'
import { FORMER_PRESET_NAMES, KEYLESS_PRESETS, PRESET_NAMES } from '../../auctions/sources/feed/presets.ts'
import { AFTERMARKET_SETTINGS } from './aftermarket-table.ts'
import { engineTable } from './engine-settings.ts'
import * as kinds from './kinds.ts'
import { PRICE_SETTINGS } from './prices-table.ts'
import { optional, type Setting, type SettingTable, used } from './setting.ts'

const FORMER_PRESETS = Object.keys(FORMER_PRESET_NAMES) as (keyof typeof FORMER_PRESET_NAMES)[]

const prefixed = (prefix: string, settings: Readonly<Record<string, Setting>>) =>
  Object.fromEntries(Object.entries(settings).map(([suffix, setting]) => [prefix + suffix, setting]))

/** The settings of one auction feed; there are three feeds with the same settings. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the letter is part of the returned names
function auctionFeed<Letter extends 'A' | 'B' | 'C'>(letter: Letter, which: string) {
  const settings = {
    URL: optional(kinds.feedLocation, {
      unset: "the preset's, if that needs no key",
      meaning: `URL or file of the ${which} auction feed.`,
      secret: true,
    }),
    PRESET: optional(kinds.oneOf(...PRESET_NAMES, ...FORMER_PRESETS), {
      unset: 'none',
      meaning: `Preset for the ${which} auction feed: ${PRESET_NAMES.join(', ')}.`,
    }),
    FORMAT: optional(kinds.oneOf(...FORMATS), {
      unset: "the preset's",
      meaning: `Format of the ${which} auction feed: ${FORMATS.join(', ')}.`,
    }),
    COLUMNS: optional(kinds.text, {
      unset: "the preset's",
      meaning: 'Column map: JSON such as {"fields": {"domain": "Name", …}}, or the path of a JSON file.',
    }),
    CURRENCY: optional(kinds.text, { unset: "the preset's", meaning: 'Currency of prices that do not name one.' }),
    TIME_ZONE: optional(kinds.text, { unset: 'UTC', meaning: 'Time zone of times that do not name one.' }),
    INTERVAL: optional(kinds.wholeNumber(1, 10_080), {
      unset: "the preset's, else 60",
      meaning: 'Minutes between two syncs of the feed.',
    }),
    HEADER: optional(kinds.httpHeader, {
      unset: 'none',
      meaning: 'HTTP header sent to the feed; may contain a key.',
      secret: true,
    }),
  }
  return prefixed(`ONOMA_AUCTIONS_SOURCE_${letter}_`, settings) as {
    readonly [Suffix in keyof typeof settings as `ONOMA_AUCTIONS_SOURCE_${Letter}_${Suffix}`]: (typeof settings)[Suffix]
  }
}

/** Settings of the external providers. */
export const PROVIDER_SETTINGS = {
  ...AFTERMARKET_SETTINGS,
  ...PRICE_SETTINGS,
  ONOMA_AUCTIONS: optional(kinds.someOf(...KEYLESS_PRESETS, ...SALE_FEED_IDS), {
    unset: 'none',
    meaning: `Public auction feeds that need no account, up to three, comma-separated: ${KEYLESS_PRESETS.join(', ')}. They become source_a, source_b and source_c, except for those with settings of their own. Besides them, lists of domains at a fixed price or open to offers, which /v1/aftermarket shows: ${SALE_FEED_IDS.join(', ')}.`,
  }),
  ONOMA_AUCTIONS_TERMS: optional(kinds.oneOf('accepted'), {
    unset: 'such providers are for this machine only',
    meaning:
      'accepted says that you may show others the auctions and listings of providers whose terms restrict it (GoDaddy, the API of Dynadot).',
  }),
  ONOMA_AUCTIONS_NAMECHEAP_BUYNOW_URL: optional(kinds.feedLocation, {
    unset: "Namecheap's, if ONOMA_AUCTIONS names namecheap-buynow",
    meaning: 'URL or file of the list of domains at a fixed price, in the format of Namecheap.',
    secret: true,
  }),
  ONOMA_AUCTIONS_SEDO_LISTINGS_URL: optional(kinds.feedLocation, {
    unset: "Sedo's, if ONOMA_AUCTIONS names sedo-listings",
    meaning: 'URL or file of the list of domains for sale, in the format of Sedo.',
    secret: true,
  }),
  ...auctionFeed('A', 'first'),
  ...auctionFeed('B', 'second'),
  ...auctionFeed('C', 'third'),
  ...engineTable('A', 'first', 'open: open registers, without a key'),
  ...engineTable('B', 'second', 'the engine is not used'),
  ONOMA_CONTACT: optional(kinds.contact, {
    unset: 'ONOMA_PUBLIC_URL, if that is set',
    meaning:
      'Mail address or URL of the operator, which open data services ask for; sent to them as part of the User-Agent.',
  }),
  ONOMA_CHROMIUM: optional(kinds.text, {
    unset: "found on PATH, in Playwright's store, or where the system has one",
    meaning: 'Path or name of the Chromium that visits pages; `onoma browser install` downloads one.',
  }),
  ONOMA_BROWSER_SANDBOX: used(kinds.onOrOff, {
    default: 'on',
    meaning:
      "Chromium's own sandbox, which does not work for root: with on, root visits no page. Off only on a machine without anything else to protect.",
  }),
  ONOMA_SCREENSHOTS_DAYS: used(kinds.wholeNumber(1, 3650), {
    default: '30',
    meaning: 'Days a screenshot is kept on disk.',
  }),
  ONOMA_SCREENSHOTS_MEGABYTES: used(kinds.wholeNumber(1, 10_000_000), {
    default: '2048',
    meaning: 'Maximum megabytes of screenshots on disk; the oldest are removed first.',
  }),
  ONOMA_SCREENSHOTS_S3_URL: optional(kinds.baseUrl, {
    unset: 'screenshots are kept on disk',
    meaning:
      'S3-compatible service that stores the screenshots instead, such as https://s3.eu-central-1.amazonaws.com.',
  }),
  ONOMA_SCREENSHOTS_S3_BUCKET: optional(kinds.text, { unset: 'none', meaning: 'S3 bucket for screenshots.' }),
  ONOMA_SCREENSHOTS_S3_REGION: used(kinds.text, { default: 'us-east-1', meaning: 'S3 region.' }),
  ONOMA_SCREENSHOTS_S3_ACCESS_KEY: optional(kinds.text, { unset: 'none', meaning: 'S3 access key.', secret: true }),
  ONOMA_SCREENSHOTS_S3_SECRET_KEY: optional(kinds.text, { unset: 'none', meaning: 'S3 secret key.', secret: true }),
} as const satisfies SettingTable
