/** Settings of external providers: search engines, screenshot storage. */
import type { Reading } from './read.ts'
import type { SETTINGS } from './table.ts'

export type Values = Reading<typeof SETTINGS>['values']

export type EngineSettings =
  | { readonly kind: 'searxng'; readonly url: string }
  | { readonly kind: 'brave'; readonly url: string; readonly key: string }
  | { readonly kind: 'google'; readonly url: string; readonly key: string; readonly cx: string }

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

/** Brave and Google have a default URL; a SearXNG instance has none. */
const ENGINE_URLS = {
  brave: 'https://api.search.brave.com/res/v1/web/search',
  google: 'https://www.googleapis.com/customsearch/v1',
}

export function engineSettings(letter: 'A' | 'B', values: Values): EngineSettings | null {
  const kind = values[`ONOMA_ENGINE_${letter}_KIND`]
  const given = values[`ONOMA_ENGINE_${letter}_URL`]
  const key = values[`ONOMA_ENGINE_${letter}_KEY`] ?? ''
  switch (kind) {
    case null:
      return null
    case 'searxng':
      return Object.freeze({ kind, url: given ?? '' })
    case 'brave':
      return Object.freeze({ kind, url: given ?? ENGINE_URLS.brave, key })
    case 'google':
      return Object.freeze({
        kind,
        url: given ?? ENGINE_URLS.google,
        key,
        cx: values[`ONOMA_ENGINE_${letter}_CX`] ?? '',
      })
  }
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
    const prefix = `ONOMA_ENGINE_${letter}` as const
    const kind = values[`${prefix}_KIND`]
    if (kind === null) return []
    const why = `${prefix}_KIND is ${kind}`
    if (kind === 'searxng') return missing(why, [`${prefix}_URL`])
    return missing(why, kind === 'google' ? [`${prefix}_KEY`, `${prefix}_CX`] : [`${prefix}_KEY`])
  }
  const s3 = ['BUCKET', 'ACCESS_KEY', 'SECRET_KEY'].map((part) => `ONOMA_SCREENSHOTS_S3_${part}` as keyof Values)
  return [
    ...missingForEngine('A'),
    ...missingForEngine('B'),
    ...(values.ONOMA_SCREENSHOTS_S3_URL === null ? [] : missing('ONOMA_SCREENSHOTS_S3_URL is set', s3)),
  ]
}
