import { readFileSync } from 'node:fs'
import { z } from 'zod'
import type { SourceId } from '../../auction.ts'
import { type FeedMap, feedMapSchema, type FORMATS } from './feed-map.ts'
import type { FeedSettings } from './feed-settings.ts'
import { type PresetName, presetMap } from './presets.ts'

/** What an operator has set for one source; null where nothing. */
export type FeedChoice = {
  readonly source: SourceId
  /** http or https URL, or the path of a file. */
  readonly url: string
  readonly preset: PresetName | null
  readonly format: (typeof FORMATS)[number] | null
  /** The map, as JSON or in a file. */
  readonly columns: string | null
  readonly currency: string | null
  readonly timeZone: string | null
  readonly intervalMinutes: number
  /** Sent with every request; may hold a key. */
  readonly header: FeedSettings['header']
}

/** Feeds ready to be read. Throws a sentence for the operator that names the setting, and nothing of a secret one. */
export const loadFeeds = (choices: readonly FeedChoice[]): FeedSettings[] =>
  choices.map((choice) => ({
    source: choice.source,
    location: choice.url,
    map: mapOf(choice),
    header: choice.header,
    intervalMs: choice.intervalMinutes * 60_000,
  }))

const nameOf = ({ source }: FeedChoice, word: string): string => `ONOMA_AUCTIONS_${source.toUpperCase()}_${word}`

/** The preset, with what the columns say over it, and single settings over that. */
function mapOf(choice: FeedChoice): FeedMap {
  const { preset, columns, format, currency, timeZone } = choice
  if (preset === null && columns === null) {
    throw new Error(
      `Set ${nameOf(choice, 'PRESET')} or ${nameOf(choice, 'COLUMNS')}: without one the feed cannot be read.`,
    )
  }
  const own = columns === null ? {} : loadColumnMap(columns, nameOf(choice, 'COLUMNS'))
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
  throw new Error(`The feed of ${nameOf(choice, '*')} cannot be used: ${path}: ${issue!.message}`)
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
    throw new Error(`${name} must be a JSON object, or name a file that holds one.`, { cause })
  }
}
