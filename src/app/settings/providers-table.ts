import { FORMATS } from '../../auctions/sources/feed/feed-map.ts'
import { PRESET_NAMES } from '../../auctions/sources/feed/presets.ts'
import * as kinds from './kinds.ts'
import { optional, type Setting, type SettingTable, used } from './setting.ts'

const prefixed = (prefix: string, words: Readonly<Record<string, Setting>>) =>
  Object.fromEntries(Object.entries(words).map(([word, setting]) => [prefix + word, setting]))

/** The settings of one auction feed. Three alike are told once. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the letter is in the names of what comes back
function auctionFeed<Letter extends 'A' | 'B' | 'C'>(letter: Letter, which: string) {
  const words = {
    URL: optional(kinds.feedLocation, {
      unset: 'none',
      meaning: `URL or file of the ${which} auction feed.`,
      secret: true,
    }),
    PRESET: optional(kinds.oneOf(...PRESET_NAMES), {
      unset: 'none',
      meaning: `Its shape: ${PRESET_NAMES.join(', ')}.`,
    }),
    FORMAT: optional(kinds.oneOf(...FORMATS), { unset: "the preset's", meaning: `Its format: ${FORMATS.join(', ')}.` }),
    COLUMNS: optional(kinds.text, {
      unset: "the preset's",
      meaning: 'Which column is what: JSON such as {"fields": {"domain": "Name", …}}, or a file that holds it.',
    }),
    CURRENCY: optional(kinds.text, { unset: "the preset's", meaning: 'Currency of prices that do not name one.' }),
    TIME_ZONE: optional(kinds.text, { unset: 'UTC', meaning: 'Time zone of moments that do not name one.' }),
    INTERVAL: used(kinds.wholeNumber(1, 10_080), { default: '60', meaning: 'Minutes from one reading to the next.' }),
    HEADER: optional(kinds.httpHeader, {
      unset: 'none',
      meaning: 'A header for it, which may hold a key.',
      secret: true,
    }),
  }
  return prefixed(`ONOMA_AUCTIONS_SOURCE_${letter}_`, words) as {
    readonly [Word in keyof typeof words as `ONOMA_AUCTIONS_SOURCE_${Letter}_${Word}`]: (typeof words)[Word]
  }
}

/** The settings of one search engine. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the letter is in the names of what comes back
function engine<Letter extends 'A' | 'B'>(letter: Letter, which: string) {
  const words = {
    KIND: optional(kinds.oneOf('searxng', 'brave', 'google'), {
      unset: 'the engine is not asked',
      meaning: `What the ${which} search engine is: searxng, brave or google.`,
    }),
    URL: optional(kinds.baseUrl, {
      unset: "the provider's own; searxng has none",
      meaning: `Where the ${which} search engine is asked.`,
    }),
    KEY: optional(kinds.text, {
      unset: 'none',
      meaning: `Token or key for the ${which} search engine; searxng needs none.`,
      secret: true,
    }),
    CX: optional(kinds.text, {
      unset: 'none',
      meaning: `Which of your search engines the ${which} one is, for google.`,
    }),
  }
  return prefixed(`ONOMA_ENGINE_${letter}_`, words) as {
    readonly [Word in keyof typeof words as `ONOMA_ENGINE_${Letter}_${Word}`]: (typeof words)[Word]
  }
}

/** Settings about those we ask for a part of our answers. */
export const PROVIDER_SETTINGS = {
  ONOMA_AFTERMARKET_SOURCE_A_URL: used(kinds.baseUrl, {
    default: 'https://api.sedo.com/api/v1/DomainStatus',
    meaning: 'Where the first marketplace is asked; it answers in XML.',
  }),
  ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID: optional(kinds.text, {
    unset: 'source_a is not asked',
    meaning: 'Partner id at the first marketplace.',
  }),
  ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY: optional(kinds.text, {
    unset: 'source_a is not asked',
    meaning: 'Sign key at the first marketplace.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_A_AFFILIATE_LINK: optional(kinds.linkTemplate, {
    unset: 'plain links',
    meaning: 'Link to a name at the first marketplace with your affiliate id; {domain} stands for the name.',
  }),
  ONOMA_AFTERMARKET_SOURCE_B_URL: optional(kinds.linkTemplate, {
    unset: 'source_b is not asked',
    meaning: 'Where the second marketplace is asked about {domain}; it answers in JSON.',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_B_HEADER: optional(kinds.httpHeader, {
    unset: 'none',
    meaning: 'Header with your credentials for the second marketplace, such as Authorization: Bearer …',
    secret: true,
  }),
  ONOMA_AFTERMARKET_SOURCE_B_NAME: used(kinds.text, {
    default: 'Afternic',
    meaning: "The second marketplace's name for people.",
  }),
  ONOMA_AFTERMARKET_SOURCE_B_LINK: used(kinds.linkTemplate, {
    default: 'https://www.afternic.com/forsale/{domain}',
    meaning: 'Page of a name at the second marketplace.',
  }),
  ONOMA_AFTERMARKET_SOURCE_B_AFFILIATE_LINK: optional(kinds.linkTemplate, {
    unset: 'plain links',
    meaning: 'The same with your affiliate id.',
  }),
  ONOMA_AFTERMARKET_DNS: used(kinds.onOrOff, {
    default: 'off',
    meaning:
      'Read the _for-sale record of every name asked about (on), or only where sources names dns_for_sale (off).',
  }),
  ...auctionFeed('A', 'first'),
  ...auctionFeed('B', 'second'),
  ...auctionFeed('C', 'third'),
  ...engine('A', 'first'),
  ...engine('B', 'second'),
  ONOMA_CHROMIUM: optional(kinds.text, {
    unset: 'found on PATH',
    meaning: 'Path or name of the Chromium that looks at pages.',
  }),
  ONOMA_SCREENSHOTS_DAYS: used(kinds.wholeNumber(1, 3650), {
    default: '30',
    meaning: 'Days a screenshot is kept on disk.',
  }),
  ONOMA_SCREENSHOTS_MEGABYTES: used(kinds.wholeNumber(1, 10_000_000), {
    default: '2048',
    meaning: 'Megabytes of screenshots kept on disk; the oldest go first.',
  }),
  ONOMA_SCREENSHOTS_S3_URL: optional(kinds.baseUrl, {
    unset: 'screenshots are kept on disk',
    meaning:
      'An S3-compatible service that keeps the screenshots instead, such as https://s3.eu-central-1.amazonaws.com.',
  }),
  ONOMA_SCREENSHOTS_S3_BUCKET: optional(kinds.text, { unset: 'none', meaning: 'Its bucket for screenshots.' }),
  ONOMA_SCREENSHOTS_S3_REGION: used(kinds.text, { default: 'us-east-1', meaning: 'Its region.' }),
  ONOMA_SCREENSHOTS_S3_ACCESS_KEY: optional(kinds.text, { unset: 'none', meaning: 'Its access key.', secret: true }),
  ONOMA_SCREENSHOTS_S3_SECRET_KEY: optional(kinds.text, { unset: 'none', meaning: 'Its secret key.', secret: true }),
} as const satisfies SettingTable
