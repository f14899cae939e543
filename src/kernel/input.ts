import { inspect } from 'node:util'
import * as z from 'zod'
import type { Complaint, Endpoint } from './endpoint.ts'
import { ApiError } from './errors.ts'
import { canonicalValues, isListField, layersOf } from './field-values.ts'
import { hasControlCharacter } from './control-characters.ts'

/**
 * Validates raw input (query, path, body, tool arguments, command line) with the endpoint's schema. Throws the declared
 * error for the first invalid field.
 */
export function parseInput<I extends z.ZodObject>(
  { input, complaints }: Pick<Endpoint<I>, 'input' | 'complaints'>,
  given: Readonly<Record<string, unknown>>,
  /** How an example in a message is written: as the client would send it. */
  style: 'text' | 'json' = 'text',
): z.output<I> {
  const raw = canonicalValues(input, given)
  for (const field in raw) {
    const value = raw[field]
    // No field allows control characters; rejecting them here keeps them out of every source.
    if (typeof value === 'string' && hasControlCharacter(value)) {
      throw fieldError(complaints, field, 'invalid', `${field} contains a control character; leave it out.`)
    }
  }
  const parsed = input.safeParse(raw)
  if (parsed.success) return parsed.data
  // Parsed a second time to get the invalid value for the message; valid input does not pay for that.
  const issue = input.safeParse(raw, { reportInput: true }).error!.issues[0]!
  const field = String(issue.path[0] ?? '')
  const missing = issue.input === undefined && issue.path.length === 1
  if (missing)
    throw fieldError(complaints, field, 'missing', `${field} is required${formatExample(input, field, style)}.`)
  throw fieldError(complaints, field, 'invalid', formatIssue(issue))
}

function fieldError(
  complaints: Readonly<Record<string, Complaint | undefined>> | undefined,
  field: string,
  kind: 'missing' | 'invalid',
  message: string,
): ApiError {
  return new ApiError(complaints?.[field]?.[kind] ?? `${kind}_parameter`, message)
}

/** The message to a person: what is wrong with a field, and what would be right. */
function formatIssue(issue: z.core.$ZodIssue): string {
  const field = issue.path.map(String).join('.') || 'the request'
  const got = quote(issue.input)
  switch (issue.code) {
    case 'invalid_type':
      return `${field} must be ${article(issue.expected)}, not ${got}.`
    case 'invalid_value':
      return issue.values.length === 1
        ? `${field} must be ${String(issue.values[0])}, not ${got}.`
        : `${field} must be one of ${issue.values.map(String).join(', ')}, not ${got}.`
    case 'too_small':
      return `${field} must be ${bound(issue.origin, 'at least', issue.minimum)}, not ${size(issue.origin, issue.input)}.`
    case 'too_big':
      return `${field} must be ${bound(issue.origin, 'at most', issue.maximum)}, not ${size(issue.origin, issue.input)}.`
    case 'unrecognized_keys':
      return `${field} has fields it may not have: ${issue.keys.slice(0, 5).map(quote).join(', ')}.`
    // A custom check of a field has its own message.
    default:
      return `${field}: ${issue.message}`
  }
}

const article = (expected: string): string =>
  expected === 'int' ? 'a whole number' : /^[aeiou]/.test(expected) ? `an ${expected}` : `a ${expected}`

const bound = (origin: string, word: string, limit: number | bigint): string =>
  origin === 'string'
    ? `${word} ${limit} characters long`
    : origin === 'array'
      ? `${word} ${limit} entries long`
      : `${word} ${limit}`

const size = (origin: string, value: unknown): string =>
  (origin === 'string' || origin === 'array') && hasLength(value) ? String(value.length) : quote(value)

const hasLength = (value: unknown): value is { length: number } => typeof value === 'string' || Array.isArray(value)

/** A value from the caller, shortened for a message. */
function quote(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : typeof value === 'object' ? kindOf(value) : inspect(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

const kindOf = (value: object | null): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object'

function formatExample(input: z.ZodObject, field: string, style: 'text' | 'json'): string {
  const examples = (input.shape[field] as z.ZodType | undefined)?.meta()?.['examples']
  if (!Array.isArray(examples) || examples.length === 0) return ''
  const [value] = examples as unknown[]
  return `; for example ${style === 'json' ? JSON.stringify({ [field]: value }) : `${field}=${String(value)}`}`
}

/** How each field is parsed from text: in a query or on a command line, numbers and booleans are text. */
export type TextFieldKind = 'number' | 'boolean' | 'text' | 'list'
export type TextFieldKinds = Readonly<Record<string, TextFieldKind>>

export const textFieldKinds = (input: z.ZodObject): TextFieldKinds =>
  Object.fromEntries(Object.entries(input.shape).map(([field, schema]) => [field, kindOfText(schema as z.ZodType)]))

/**
 * Parses the text of one field to the JSON value its schema expects. Text that is not a number or a boolean is returned
 * unchanged, so that the schema rejects it. Empty text counts as a missing field.
 */
export function parseTextField(kind: TextFieldKind, text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  switch (kind) {
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(trimmed) ? Number(trimmed) : trimmed
    case 'boolean':
      return trimmed === 'true' || trimmed === '1' ? true : trimmed === 'false' || trimmed === '0' ? false : trimmed
    default:
      return trimmed
  }
}

function kindOfText(schema: z.ZodType): TextFieldKind {
  if (isListField(schema)) return 'list'
  const core = layersOf(schema).at(-1)
  return core instanceof z.ZodNumber ? 'number' : core instanceof z.ZodBoolean ? 'boolean' : 'text'
}

/** A field given twice is rejected, since either choice could be wrong. */
export const duplicateFieldError = (
  complaints: Readonly<Record<string, Complaint | undefined>> | undefined,
  field: string,
): ApiError => fieldError(complaints, field, 'invalid', `${field} is given more than once; give it once.`)

/** Joins the texts of one list; undefined if all are empty. */
export const joinLists = (...texts: readonly unknown[]): string | undefined =>
  texts.filter((text) => typeof text === 'string').join() || undefined

/** Parses a comma-separated selection. Returns each choice once, in the order of `choices`. */
export function parseChoices<Choice extends string>(field: string, text: string, choices: readonly Choice[]): Choice[] {
  const wanted = new Set(
    text
      .toLowerCase()
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  )
  const chosen = choices.filter((choice) => wanted.delete(choice))
  if (chosen.length > 0 && wanted.size === 0) return chosen
  const [unknown = ''] = wanted
  throw new ApiError(
    'invalid_parameter',
    `${field} must be some of ${choices.join(', ')}, comma-separated, not ${quote(unknown)}.`,
  )
}
