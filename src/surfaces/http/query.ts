import type { Complaint } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { readText, type TextReader } from '../../kernel/input.ts'

/** What of a query string was not used: told to the caller, since a misspelt parameter changes the answer silently. */
export type QueryReading = { readonly ignored: readonly string[] }

/**
 * Reads a query string into `raw`, fields in the types the endpoint's schema expects. A parameter the endpoint does
 * not have is left out and reported; one given twice is refused, since no choice between the two would be right.
 */
export function readQuery(
  query: string,
  reader: TextReader,
  complaints: Readonly<Record<string, Complaint | undefined>> | undefined,
  raw: Record<string, unknown>,
): QueryReading {
  const ignored: string[] = []
  if (query === '') return { ignored }
  const seen = new Set<string>()
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const field = decodeForm(equals < 0 ? pair : pair.slice(0, equals))
    if (!Object.hasOwn(reader, field)) {
      ignored.push(field)
      continue
    }
    if (seen.has(field)) {
      const code = complaints?.[field]?.invalid ?? 'invalid_parameter'
      throw new ApiError(code, `${field} is given more than once; give it once.`)
    }
    seen.add(field)
    raw[field] = readText(reader, field, equals < 0 ? '' : decodeForm(pair.slice(equals + 1)))
  }
  return { ignored }
}

/** A part of a query as text: forms write a space as a plus sign. */
const decodeForm = (text: string): string => decode(text.includes('+') ? text.replaceAll('+', ' ') : text)

/** A part of a path as text. */
export function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new ApiError('invalid_request', 'The address is not valid percent-encoded UTF-8.', { cause })
  }
}
