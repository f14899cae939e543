import type { Complaint } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import { duplicateFieldError, joinLists, parseTextField, type TextFieldKinds } from '../../kernel/input.ts'

/**
 * Parses a query string into `raw`, with the types of the endpoint's schema. A list given twice is joined; any other
 * duplicate parameter throws. Returns the names that the endpoint does not have, because a misspelt parameter would
 * otherwise change the answer silently.
 */
export function parseQuery(
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

/** Decodes a part of a query: forms encode a space as a plus sign. */
const decodeForm = (text: string): string => decode(text.includes('+') ? text.replaceAll('+', ' ') : text)

/** Decodes a part of a path. */
export function decode(text: string): string {
  if (!text.includes('%')) return text
  try {
    return decodeURIComponent(text)
  } catch (cause) {
    throw new ApiError('invalid_request', 'The address is not valid percent-encoded UTF-8.', { cause })
  }
}
