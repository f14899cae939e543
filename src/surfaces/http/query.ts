import type { z } from 'zod'
import type { Complaint } from '../../kernel/endpoint.ts'
import { ApiError } from '../../kernel/errors.ts'
import {
  duplicateFieldError,
  joinLists,
  parseTextField,
  type TextFieldKind,
  textFieldKinds,
} from '../../kernel/input.ts'

/**
 * The fields of an endpoint by the name in the address. A map, and the name in its entries: V8 would look every name that is
 * cut out of an address up in its table of strings before it can be the key of an object.
 */
export type TextFields = ReadonlyMap<string, { readonly name: string; readonly kind: TextFieldKind }>

export const textFields = (input: z.ZodObject): TextFields =>
  new Map(Object.entries(textFieldKinds(input)).map(([name, kind]) => [name, { name, kind }]))

/**
 * Parses a query string into `raw`, with the types of the endpoint's schema. A list given twice is joined; any other
 * duplicate parameter throws. Returns the names that the endpoint does not have, because a misspelt parameter would
 * otherwise change the answer silently.
 */
export function parseQuery(
  query: string,
  fields: TextFields,
  complaints: Readonly<Record<string, Complaint | undefined>> | undefined,
  raw: Record<string, unknown>,
): readonly string[] | undefined {
  if (query === '') return undefined
  let ignored: string[] | undefined
  for (let start = 0, end = 0; start <= query.length; start = end + 1) {
    end = indexOrEnd(query, '&', start, query.length)
    if (start === end) continue
    const equals = indexOrEnd(query, '=', start, end)
    const given = decodeForm(query.slice(start, equals))
    const field = fields.get(given)
    if (field === undefined) {
      ;(ignored ??= []).push(given)
      continue
    }
    const { name, kind } = field
    const value = parseTextField(kind, decodeForm(query.slice(equals + 1, end)))
    if (!Object.hasOwn(raw, name)) raw[name] = value
    else if (kind === 'list') raw[name] = joinLists(raw[name], value)
    else throw duplicateFieldError(complaints, name)
  }
  return ignored
}

function indexOrEnd(text: string, character: string, start: number, end: number): number {
  const at = text.indexOf(character, start)
  return at < 0 || at > end ? end : at
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
