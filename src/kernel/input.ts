import { inspect } from 'node:util'
import { z } from 'zod'
import type { Complaint, Endpoint } from './endpoint.ts'
import { ApiError } from './errors.ts'
import { canonicalValues, isListField, layersOf } from './field-values.ts'
import { hasControlCharacter } from './text.ts'

/**
 * Turns raw input (query, path, body, tool arguments, command line) into what the endpoint's schema promises,
 * or throws the error the contract names for the first field that is wrong.
 */
export function parseInput<I extends z.ZodObject>(
  { input, complaints }: Pick<Endpoint<I>, 'input' | 'complaints'>,
  given: Readonly<Record<string, unknown>>,
  /** How an example in a complaint is written: as the caller would send it. */
  style: 'text' | 'json' = 'text',
): z.output<I> {
  const raw = canonicalValues(input, given)
  for (const field in raw) {
    const value = raw[field]
    // No field of the contract may carry control characters; refusing them here keeps them out of every source.
    if (typeof value === 'string' && hasControlCharacter(value)) {
      throw refuse(complaints, field, 'invalid', `${field} contains a control character; leave it out.`)
    }
  }
  const parsed = input.safeParse(raw)
  if (parsed.success) return parsed.data
  // Asked again for the values themselves, which a complaint quotes; what is right need not carry them along.
  const issue = input.safeParse(raw, { reportInput: true }).error!.issues[0]!
  const field = String(issue.path[0] ?? '')
  const missing = issue.input === undefined && issue.path.length === 1
  if (missing) throw refuse(complaints, field, 'missing', `${field} is required${exampleOf(input, field, style)}.`)
  throw refuse(complaints, field, 'invalid', sentence(issue))
}

function refuse(
  complaints: Readonly<Record<string, Complaint | undefined>> | undefined,
  field: string,
  kind: 'missing' | 'invalid',
  message: string,
): ApiError {
  return new ApiError(complaints?.[field]?.[kind] ?? `${kind}_parameter`, message)
}

/** What was wrong with a field and what would be right, for a person. */
function sentence(issue: z.core.$ZodIssue): string {
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
    // A check written for a field words its own complaint, starting with what is wrong.
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

/** A value a caller sent, short enough to send back. */
function quote(value: unknown): string {
  const text = typeof value === 'string' ? `"${value}"` : typeof value === 'object' ? kindOf(value) : inspect(value)
  return text.length > 80 ? `${text.slice(0, 80)}…` : text
}

const kindOf = (value: object | null): string =>
  value === null ? 'null' : Array.isArray(value) ? 'a list' : 'an object'

function exampleOf(input: z.ZodObject, field: string, style: 'text' | 'json'): string {
  const examples = (input.shape[field] as z.ZodType | undefined)?.meta()?.['examples']
  if (!Array.isArray(examples) || examples.length === 0) return ''
  const [value] = examples as unknown[]
  return `; for example ${style === 'json' ? JSON.stringify({ [field]: value }) : `${field}=${String(value)}`}`
}

/** How each field is read from text: numbers and booleans arrive as words in a query or on a command line. */
export type TextReader = Readonly<Record<string, 'number' | 'boolean' | 'text' | 'list'>>

export const textReader = (input: z.ZodObject): TextReader =>
  Object.fromEntries(Object.entries(input.shape).map(([field, schema]) => [field, kindOfText(schema as z.ZodType)]))

/**
 * One field's text as the JSON value its schema expects. Text that is not plainly a number or a boolean is handed on
 * as it is, so that the schema refuses it. Empty text is the same as a field left out.
 */
export function readText(reader: TextReader, field: string, text: string): unknown {
  const trimmed = text.trim()
  if (trimmed === '') return undefined
  switch (reader[field]) {
    case 'number':
      return /^-?\d{1,15}(\.\d{1,15})?$/.test(trimmed) ? Number(trimmed) : trimmed
    case 'boolean':
      return trimmed === 'true' || trimmed === '1' ? true : trimmed === 'false' || trimmed === '0' ? false : trimmed
    default:
      return trimmed
  }
}

function kindOfText(schema: z.ZodType): TextReader[string] {
  if (isListField(schema)) return 'list'
  const core = layersOf(schema).at(-1)
  return core instanceof z.ZodNumber ? 'number' : core instanceof z.ZodBoolean ? 'boolean' : 'text'
}

/** A field that is given twice is refused, since no choice between the two would be right. */
export const givenTwice = (
  complaints: Readonly<Record<string, Complaint | undefined>> | undefined,
  field: string,
): ApiError => refuse(complaints, field, 'invalid', `${field} is given more than once; give it once.`)

/** Texts of one list as a single one; undefined where all are empty. */
export const joinLists = (...texts: readonly unknown[]): string | undefined =>
  texts.filter((text) => typeof text === 'string').join() || undefined

/** Some of a few words, comma-separated, each once and in the order of the choices. */
export function readChoices<Choice extends string>(field: string, text: string, choices: readonly Choice[]): Choice[] {
  const wanted = new Set(
    text
      .toLowerCase()
      .split(',')
      .map((word) => word.trim())
      .filter((word) => word !== ''),
  )
  const chosen = choices.filter((choice) => wanted.delete(choice))
  if (chosen.length > 0 && wanted.size === 0) return chosen
  const [stranger = ''] = wanted
  throw new ApiError(
    'invalid_parameter',
    `${field} must be some of ${choices.join(', ')}, comma-separated, not ${quote(stranger)}.`,
  )
}
