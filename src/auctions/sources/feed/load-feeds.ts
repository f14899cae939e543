import { readFileSync } from 'node:fs'
import * as z from 'zod'
import type { SourceId } from '../../auction.ts'
import { type FeedMap, feedMapSchema, type FORMATS } from './feed-map.ts'
import type { FeedSettings } from './feed-settings.ts'
import { findPreset, type PresetName, presetMap } from './presets.ts'

/** The settings of one source; null if not set. */
export type FeedChoice = {
  readonly source: SourceId
  /** http or https URL, or the path of a file; null for the preset's own. */
  readonly url: string | null
  readonly preset: PresetName | null
  readonly format: (typeof FORMATS)[number] | null
  /** The column map, as JSON or as the path of a JSON file. */
  readonly columns: string | null
  readonly currency: string | null
  readonly timeZone: string | null
  readonly intervalMinutes: number | null
  /** Sent with every request; may hold a key. */
  readonly header: FeedSettings['header']
}

/** Parses the settings of all feeds. Throws a message for the operator that names the setting but no secret value. */
export const loadFeeds = (choices: readonly FeedChoice[]): FeedSettings[] =>
  choices.map((choice) => {
    const preset = choice.preset === null ? null : findPreset(choice.preset)
    return {
      source: choice.source,
      location: feedLocation(choice),
      isPresetUrl: choice.url === null,
      provider: choice.preset ?? URL.parse(choice.url ?? '')?.host ?? 'file',
      map: createMap(choice),
      header: choice.header,
      intervalMs: (choice.intervalMinutes ?? preset?.intervalMinutes ?? DEFAULT_INTERVAL_MINUTES) * 60_000,
    }
  })

const DEFAULT_INTERVAL_MINUTES = 60

/** The URL or file of a feed, with the parameters that its preset adds. */
export function feedLocation({ source, url: given, preset: name }: FeedChoice): string {
  const preset = name === null ? null : findPreset(name)
  const location = given ?? preset?.url ?? null
  if (location === null) throw new Error(`Set ONOMA_AUCTIONS_${source.toUpperCase()}_URL: the feed has no address.`)
  const url = preset?.query && URL.parse(location)
  if (!url) return location
  for (const [parameter, value] of Object.entries(preset.query)) {
    if (!url.searchParams.has(parameter)) url.searchParams.set(parameter, value)
  }
  return url.href
}

const settingName = ({ source }: FeedChoice, suffix: string): string =>
  `ONOMA_AUCTIONS_${source.toUpperCase()}_${suffix}`

/** The preset, overridden by the columns, overridden by single settings. */
function createMap(choice: FeedChoice): FeedMap {
  const { preset, columns, format, currency, timeZone } = choice
  if (preset === null && columns === null) {
    throw new Error(
      `Set ${settingName(choice, 'PRESET')} or ${settingName(choice, 'COLUMNS')}: one of them must say how to parse the feed.`,
    )
  }
  const own = columns === null ? {} : loadColumnMap(columns, settingName(choice, 'COLUMNS'))
  const parsed = feedMapSchema.safeParse({
    ...(preset !== null && presetMap(preset)),
    ...own,
    ...(format !== null && { format }),
    ...(currency !== null && { currency }),
    ...(timeZone !== null && { timeZone }),
  })
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  const path = issue!.path.map(String).join('.') || 'it'
  throw new Error(`The feed settings ${settingName(choice, '*')} are not valid: ${path}: ${issue!.message}`)
}

function loadColumnMap(text: string, name: string): Record<string, unknown> {
  let json = text
  if (!text.trimStart().startsWith('{')) {
    try {
      json = readFileSync(text, 'utf8')
    } catch (cause) {
      throw new Error(`${name} names a file that cannot be read: ${text}`, { cause })
    }
  }
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(json))
  } catch (cause) {
    throw new Error(`${name} must be a JSON object or the path of a file that contains one.`, { cause })
  }
}
