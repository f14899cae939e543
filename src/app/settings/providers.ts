/** Settings of external providers: marketplaces, auction feeds, search engines, screenshot storage. */
import { SOURCE_IDS } from '../../auctions/auction.ts'
import type { FeedChoice } from '../../auctions/sources/feed/load-feeds.ts'
import { engineNeeds } from './engine-settings.ts'
import type { Reading } from './read.ts'
import type { SETTINGS } from './table.ts'

export type Values = Reading<typeof SETTINGS>['values']

/** Null for a marketplace that is not configured. */
export type AftermarketSettings = {
  readonly sourceA: {
    readonly url: string
    readonly partnerId: string
    readonly signKey: string
    readonly affiliateLink: string | null
  } | null
  readonly sourceB: {
    readonly url: string
    readonly header: { readonly name: string; readonly value: string } | null
    readonly name: string
    readonly link: string
    readonly affiliateLink: string | null
  } | null
  /** Whether the `_for-sale` record of every name is looked up. */
  readonly dns: boolean
}

export type ScreenshotSettings = {
  readonly days: number
  readonly megabytes: number
  /** Null if they are stored on disk. */
  readonly s3: {
    readonly endpoint: string
    readonly bucket: string
    readonly region: string
    readonly accessKey: string
    readonly secretKey: string
  } | null
}

export function aftermarketSettings(values: Values): AftermarketSettings {
  const { ONOMA_AFTERMARKET_SOURCE_A_PARTNER_ID: partnerId, ONOMA_AFTERMARKET_SOURCE_A_SIGN_KEY: signKey } = values
  const { ONOMA_AFTERMARKET_SOURCE_B_URL: url } = values
  return Object.freeze({
    sourceA:
      partnerId === null || signKey === null
        ? null
        : {
            url: values.ONOMA_AFTERMARKET_SOURCE_A_URL,
            partnerId,
            signKey,
            affiliateLink: values.ONOMA_AFTERMARKET_SOURCE_A_AFFILIATE_LINK,
          },
    sourceB:
      url === null
        ? null
        : {
            url,
            header: values.ONOMA_AFTERMARKET_SOURCE_B_HEADER,
            name: values.ONOMA_AFTERMARKET_SOURCE_B_NAME,
            link: values.ONOMA_AFTERMARKET_SOURCE_B_LINK,
            affiliateLink: values.ONOMA_AFTERMARKET_SOURCE_B_AFFILIATE_LINK,
          },
    dns: values.ONOMA_AFTERMARKET_DNS,
  })
}

/** The auction feeds that have a URL. */
export const auctionFeeds = (values: Values): readonly FeedChoice[] =>
  (['A', 'B', 'C'] as const).flatMap((letter, at): FeedChoice[] => {
    const prefix = `ONOMA_AUCTIONS_SOURCE_${letter}` as const
    const url = values[`${prefix}_URL`]
    if (url === null) return []
    const choice = {
      source: SOURCE_IDS[at]!,
      url,
      preset: values[`${prefix}_PRESET`],
      format: values[`${prefix}_FORMAT`],
      columns: values[`${prefix}_COLUMNS`],
      currency: values[`${prefix}_CURRENCY`],
      timeZone: values[`${prefix}_TIME_ZONE`],
      intervalMinutes: values[`${prefix}_INTERVAL`],
      header: values[`${prefix}_HEADER`],
    }
    return [Object.freeze(choice)]
  })

export function screenshotSettings(values: Values): ScreenshotSettings {
  const endpoint = values.ONOMA_SCREENSHOTS_S3_URL
  return Object.freeze({
    days: values.ONOMA_SCREENSHOTS_DAYS,
    megabytes: values.ONOMA_SCREENSHOTS_MEGABYTES,
    s3:
      endpoint === null
        ? null
        : {
            endpoint,
            bucket: values.ONOMA_SCREENSHOTS_S3_BUCKET ?? '',
            region: values.ONOMA_SCREENSHOTS_S3_REGION,
            accessKey: values.ONOMA_SCREENSHOTS_S3_ACCESS_KEY ?? '',
            secretKey: values.ONOMA_SCREENSHOTS_S3_SECRET_KEY ?? '',
          },
  })
}

/** Problems with settings that are required together. */
export function incompleteProviders(values: Values): string[] {
  const missing = (why: string, names: readonly (keyof Values)[]) =>
    names.filter((name) => values[name] === null).map((name) => `${name} is missing: ${why}.`)
  const missingForEngine = (letter: 'A' | 'B') => {
    const { why, names } = engineNeeds(letter, values)
    return missing(why, names as (keyof Values)[])
  }
  const s3 = ['BUCKET', 'ACCESS_KEY', 'SECRET_KEY'].map((part) => `ONOMA_SCREENSHOTS_S3_${part}` as keyof Values)
  return [
    ...missingForEngine('A'),
    ...missingForEngine('B'),
    ...(values.ONOMA_SCREENSHOTS_S3_URL === null ? [] : missing('ONOMA_SCREENSHOTS_S3_URL is set', s3)),
  ]
}
