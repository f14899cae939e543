import * as z from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Found } from '../search-engine.ts'

const MAX_RESULTS = 20
const MAX_TEXT_LENGTH = 2000
const MAX_URL_LENGTH = 2048

const text = z
  .string()
  .nullish()
  .catch(null)
  .transform((value) => plain(value ?? ''))

/** Parses a list of results by the field names of one engine. Invalid entries are skipped. */
export function parseResults(
  list: readonly unknown[],
  fields: { title: string; url: string; snippet: string },
): Found[] {
  const Entry = z.object({ [fields.title]: text, [fields.url]: z.string(), [fields.snippet]: text })
  return list.slice(0, MAX_RESULTS).flatMap((entry) => {
    const parsed = Entry.safeParse(entry)
    if (!parsed.success) return []
    const at = (field: string) => parsed.data[field] ?? ''
    const url = parseLink(at(fields.url))
    return url === null ? [] : [{ title: at(fields.title), url, snippet: at(fields.snippet) }]
  })
}

/** A link that is safe to return; otherwise null. The service never follows it. */
function parseLink(given: string): string | null {
  const url = given.length <= MAX_URL_LENGTH ? URL.parse(given) : null
  if (!url || (url.protocol !== 'https:' && url.protocol !== 'http:')) return null
  return url.username === '' && url.password === '' && url.href.length <= MAX_URL_LENGTH ? url.href : null
}

/**
 * Removes markup, decodes entities, and removes control and direction characters. Entities are decoded first, or encoded
 * markup would survive.
 */
const plain = (value: string): string =>
  value
    .slice(0, MAX_TEXT_LENGTH)
    .replaceAll(/&(?:(amp|lt|gt|quot|apos|nbsp)|#(\d{1,7})|#x([\da-f]{1,6}));/gi, (whole, name, decimal, hex) =>
      name === undefined
        ? character(Number.parseInt(decimal ?? hex, decimal ? 10 : 16))
        : (ENTITIES[name.toLowerCase()] ?? whole),
    )
    .replaceAll(/<\/?[a-z!][^<>]{0,500}>/gi, '')
    .replaceAll(/[<>]/g, ' ')
    .replaceAll(
      /[\p{Cc}\p{Zl}\p{Zp}\u00ad\u061c\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\ufeff\u{e0000}-\u{e007f}]+/gu,
      ' ',
    )
    .toWellFormed()
    .replaceAll(/\s+/g, ' ')
    .trim()

const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'", nbsp: ' ' }

const character = (code: number): string => (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : ' ')

export function mustFit<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new UpstreamError('unavailable', 'the engine sent unexpected JSON', { cause: parsed.error })
}
