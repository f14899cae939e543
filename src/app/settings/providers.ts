/** Settings of external providers: search engines, screenshot storage. */
import { engineNeeds } from './engine-settings.ts'
import type { Reading } from './read.ts'
import type { SETTINGS } from './table.ts'

export type Values = Reading<typeof SETTINGS>['values']

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
