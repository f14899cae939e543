/** Settings of the search engines of `/v1/name-search-presence`. */
import { optional, type Setting } from './setting.ts'
import * as kinds from './kinds.ts'

/** Engines that need only a key, with their default URLs. */
const KEYED_ENGINE_URLS = {
  brave: 'https://api.search.brave.com/res/v1/web/search',
  serper: 'https://google.serper.dev/search',
  tavily: 'https://api.tavily.com/search',
  exa: 'https://api.exa.ai/search',
  mojeek: 'https://api.mojeek.com/search',
} as const
const GOOGLE_URL = 'https://www.googleapis.com/customsearch/v1'
const KEYED_ENGINES = Object.keys(KEYED_ENGINE_URLS) as readonly KeyedEngine[]

type KeyedEngine = keyof typeof KEYED_ENGINE_URLS

export type EngineSettings =
  /** `url` is a gateway in front of the open services; null to ask them directly. `key` is a GitHub token. */
  | { readonly kind: 'open'; readonly url: string | null; readonly key: string | null }
  | { readonly kind: 'searxng'; readonly url: string }
  | { readonly kind: KeyedEngine; readonly url: string; readonly key: string }
  | { readonly kind: 'google'; readonly url: string; readonly key: string; readonly cx: string }

const KINDS = ['open', 'searxng', ...KEYED_ENGINES, 'google', 'off'] as const

/** The values of these settings, as read. */
type EngineValues = {
  readonly [Name in `ONOMA_ENGINE_${'A' | 'B'}_KIND`]: (typeof KINDS)[number] | null
} & {
  readonly [Name in `ONOMA_ENGINE_${'A' | 'B'}_${'URL' | 'KEY' | 'CX'}`]: string | null
}

/** The settings of one search engine. */
// oxlint-disable-next-line typescript/no-unnecessary-type-parameters -- the letter is part of the returned names
export function engineTable<Letter extends 'A' | 'B'>(letter: Letter, which: string, unsetKind: string) {
  const settings = {
    KIND: optional(kinds.oneOf(...KINDS), {
      unset: unsetKind,
      meaning: `Kind of the ${which} search engine: ${KINDS.slice(0, -1).join(', ')}, or off.`,
    }),
    URL: optional(kinds.baseUrl, {
      unset: "the provider's own; searxng has none",
      meaning: `URL of the ${which} search engine; for open, of a gateway that is asked for /<host><path>.`,
    }),
    KEY: optional(kinds.text, {
      unset: 'none',
      meaning: `Token or key for the ${which} search engine; searxng needs none. For open, a GitHub token, which is optional.`,
      secret: true,
    }),
    CX: optional(kinds.text, {
      unset: 'none',
      meaning: `Search engine ID (cx) of the ${which} search engine, for google.`,
    }),
  } satisfies Readonly<Record<string, Setting>>
  return Object.fromEntries(
    Object.entries(settings).map(([suffix, setting]) => [`ONOMA_ENGINE_${letter}_${suffix}`, setting]),
  ) as {
    readonly [Suffix in keyof typeof settings as `ONOMA_ENGINE_${Letter}_${Suffix}`]: (typeof settings)[Suffix]
  }
}

/** Null for an engine that is not used. The first one needs no configuration. */
export function engineSettings(letter: 'A' | 'B', values: EngineValues): EngineSettings | null {
  const kind = values[`ONOMA_ENGINE_${letter}_KIND`] ?? (letter === 'A' ? 'open' : 'off')
  const url = values[`ONOMA_ENGINE_${letter}_URL`]
  const key = values[`ONOMA_ENGINE_${letter}_KEY`]
  switch (kind) {
    case 'off':
      return null
    case 'open':
      return Object.freeze({ kind, url, key })
    case 'searxng':
      return Object.freeze({ kind, url: url ?? '' })
    case 'google':
      return Object.freeze({
        kind,
        url: url ?? GOOGLE_URL,
        key: key ?? '',
        cx: values[`ONOMA_ENGINE_${letter}_CX`] ?? '',
      })
    default:
      return Object.freeze({ kind, url: url ?? KEYED_ENGINE_URLS[kind], key: key ?? '' })
  }
}

/** The settings that the chosen kind needs. */
export function engineNeeds(
  letter: 'A' | 'B',
  values: EngineValues,
): { readonly why: string; readonly names: string[] } {
  const prefix = `ONOMA_ENGINE_${letter}` as const
  const kind = values[`${prefix}_KIND`]
  const names =
    kind === null || kind === 'open' || kind === 'off'
      ? []
      : kind === 'searxng'
        ? [`${prefix}_URL`]
        : kind === 'google'
          ? [`${prefix}_KEY`, `${prefix}_CX`]
          : [`${prefix}_KEY`]
  return { why: `${prefix}_KIND is ${kind}`, names }
}
