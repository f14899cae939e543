import { z } from 'zod'
import { UpstreamError } from '../../kernel/errors.ts'
import type { Found } from '../search-engine.ts'

/** So many are looked at, however many come. */
const MOST = 30

const text = z
  .string()
  .nullish()
  .transform((value) => plain(value ?? ''))

/** A list of results in the words of one engine; entries that are none are passed over. */
export function readFound(list: readonly unknown[], fields: { title: string; url: string; snippet: string }): Found[] {
  const Entry = z.object({ [fields.title]: text, [fields.url]: z.url().max(2048), [fields.snippet]: text })
  return list.slice(0, MOST).flatMap((entry) => {
    const parsed = Entry.safeParse(entry)
    if (!parsed.success) return []
    const at = (field: string) => parsed.data[field] ?? ''
    return [{ title: at(fields.title), url: at(fields.url), snippet: at(fields.snippet) }]
  })
}

/** The wire's own mark-up (`<strong>`, `&amp;`) and control characters are no part of the words. */
const plain = (value: string): string =>
  value
    .slice(0, 2000)
    .replaceAll(/<[^<>]{0,200}>/g, '')
    .replaceAll(/&(amp|lt|gt|quot|#39|#x27|nbsp);/g, (_, name: string) => ENTITIES[name]!)
    .replaceAll(/\p{Cc}+/gu, ' ')
    .trim()

const ENTITIES: Readonly<Record<string, string>> = {
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
  '#x27': "'",
  nbsp: ' ',
}

export function mustFit<T>(schema: z.ZodType<T>, body: unknown): T {
  const parsed = schema.safeParse(body)
  if (parsed.success) return parsed.data
  throw new UpstreamError('unavailable', 'the engine sent JSON of another shape', { cause: parsed.error })
}
