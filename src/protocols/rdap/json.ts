/** Accessors for untrusted JSON: a value of an unexpected type counts as missing. */

export type Json = { readonly [member: string]: unknown }

export const record = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

/** Longer than any list of a registry; further entries are ignored. */
const MAX_LIST_LENGTH = 200

/** The value as a list; a single value becomes a list of one. */
export function list(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.slice(0, MAX_LIST_LENGTH) : [value]
}

export const records = (value: unknown): readonly Json[] =>
  list(value)
    .map(record)
    .filter((one) => one !== undefined)

/** Longer than any name, address or status; the rest is cut off. */
const MAX_TEXT_LENGTH = 500

/** The value as non-empty text on one line; a number becomes text. */
export function text(value: unknown): string | undefined {
  if (typeof value === 'number') return String(value)
  if (typeof value !== 'string') return undefined
  const tidy = value
    .slice(0, MAX_TEXT_LENGTH)
    // oxlint-disable-next-line no-control-regex -- control characters are what must go
    .replace(/[\u0000-\u0020\u007f-\u00a0\u2028\u2029\ufeff]+/g, ' ')
    .trim()
  return tidy === '' ? undefined : tidy
}

export const texts = (value: unknown): readonly string[] => list(value).flatMap((one) => text(one) ?? [])

/** Only letters and digits, in lower case, to compare words that servers spell in different ways. */
export const squash = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]+/g, '')
