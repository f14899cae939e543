import type { Complaint } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { duplicateFieldError, joinLists, parseTextField, type TextFieldKinds } from '../../kernel/input.ts'

/**
 * Reads a query string into `raw`, fields in the types the endpoint's schema expects. A list given twice is both lists
 * together, any other parameter given twice is refused. Gives back the names the endpoint does not have: a misspelt
 * parameter changes the answer silently, so the caller is told.
 */
export function readQuery(
  query: string,
  reader: TextFieldKinds,
  complaints: Readonly<Record<string, Complaint | undefined>> | undefined,
  raw: Record<string, unknown>,
): readonly string[] | undefined {
  if (query === '') return undefined
  let ignored: string[] | undefined
  for (const pair of query.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const field = decodeForm(equals < 0 ? pair : pair.slice(0, equals))
    if (!Object.hasOwn(reader, field)) {
      ;(ignored ??= []).push(field)
      continue
    }
    const value = parseTextField(reader, field, equals < 0 ? '' : decodeForm(pair.slice(equals + 1)))
    if (!Object.hasOwn(raw, field)) raw[field] = value
    else if (reader[field] === 'list') raw[field] = joinLists(raw[field], value)
    else throw duplicateFieldError(complaints, field)
  }
  return ignored
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
