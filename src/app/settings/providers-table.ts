import { FORMATS } from '../../auctions/sources/feed/feed-map.ts'
import { PRESET_NAMES } from '../../auctions/sources/feed/presets.ts'
import { engineTable } from './engine-settings.ts'
import * as kinds from './kinds.ts'
import { optional, type Setting, type SettingTable, used } from './setting.ts'

const prefixed = (prefix: string, settings: Readonly<Record<string, Setting>>) =>
  Object.fromEntries(Object.entries(settings).map(([suffix, setting]) => [prefix + suffix, setting]))

/** The settings of one auction feed; there are three feeds with the same settings. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the letter is part of the returned names
function auctionFeed<Letter extends 'A' | 'B' | 'C'>(letter: Letter, which: string) {
  const settings = {
    URL: optional(kinds.feedLocation, {
      unset: 'none',
      meaning: `URL or file of the ${which} auction feed.`,
      secret: true,
    }),
    PRESET: optional(kinds.oneOf(...PRESET_NAMES), {
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
    INTERVAL: used(kinds.wholeNumber(1, 10_080), { default: '60', meaning: 'Minutes between two syncs of the feed.' }),
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
  ONOMA_AFTERMARKET_SOURCE_A_URL: used(kinds.baseUrl, {
    default: 'https://api.sedo.com/api/v1/DomainStatus',
    meaning: 'URL of the first marketplace; it answers in XML.',
  }),
  ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID: optional(kinds.text, {
    unset: 'source_a is not used',
    meaning: 'Partner id at the first marketplace.',
  }),
  ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY: optional(kinds.text, {
    unset: 'source_a is not used',
    meaning: 'Sign key at the first marketplace.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_A_AFFILIATE_LINK: optional(kinds.linkTemplate, {
    unset: 'plain links',
    meaning: 'Link to a name at the first marketplace with your affiliate id; {domain} stands for the name.',
  }),
  ONOMA_AFTERMARKET_SOURCE_B_URL: optional(kinds.linkTemplate, {
    unset: 'source_b is not used',
    meaning: 'URL of the second marketplace; {domain} stands for the name. It answers in JSON.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_B_HEADER: optional(kinds.httpHeader, {
    unset: 'none',
    meaning: 'Header with your credentials for the second marketplace, such as Authorization: Bearer …',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_B_NAME: used(kinds.text, {
    default: 'Afternic',
    meaning: 'Display name of the second marketplace.',
  }),
  ONOMA_AFTERMARKET_SOURCE_B_LINK: used(kinds.linkTemplate, {
    default: 'https://www.afternic.com/forsale/{domain}',
    meaning: 'Page of a name at the second marketplace.',
  }),
  ONOMA_AFTERMARKET_SOURCE_B_AFFILIATE_LINK: optional(kinds.linkTemplate, {
    unset: 'plain links',
    meaning: 'Link to a name at the second marketplace with your affiliate id; {domain} stands for the name.',
  }),
  ONOMA_AFTERMARKET_DNS: used(kinds.onOrOff, {
    default: 'off',
    meaning: 'Look up the _for-sale record of every name (on), or only if `sources` includes dns_for_sale (off).',
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
