/** Reading JSON that strangers wrote: whatever has another shape than expected is simply not there. */

export type Json = { readonly [member: string]: unknown }

export const record = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

/** Lists longer than any registry has reason to send are read up to here. */
const MAX_LIST_LENGTH = 200

/** A list; a single value where a list belongs is a list of one. */
export function list(value: unknown): readonly unknown[] {
  if (value === undefined || value === null) return []
  return Array.isArray(value) ? value.slice(0, MAX_LIST_LENGTH) : [value]
}

export const records = (value: unknown): readonly Json[] =>
  list(value)
    .map(record)
    .filter((one) => one !== undefined)

/** No name, address or status is longer. */
const MAX_TEXT_LENGTH = 500

/** A text that says something, on one line; numbers are written out. */
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

/** Letters and digits in lower case: how words are compared that servers spell in many ways. */
export const squash = (word: string): string => word.toLowerCase().replace(/[^a-z0-9]+/g, '')
