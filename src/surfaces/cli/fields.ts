import * as z from 'zod'
import type { Endpoint } from '../../kernel/endpoint.ts'
import { pathParameters } from '../../kernel/endpoint.ts'
import { textFieldKinds } from '../../kernel/input.ts'

/** An input field as the command line sees it. */
export type Field = {
  readonly name: string
  /** The option without its dashes. */
  readonly option: string
  /** How its text is parsed; `json` for objects and lists. */
  readonly kind: 'text' | 'number' | 'boolean' | 'list' | 'json'
  /** Can be given without its option name, in this order: path parameters and required fields. */
  readonly positional: boolean
  readonly description: string
  readonly default: unknown
  readonly values: readonly unknown[]
}

/** The options of every command. */
export const COMMON_OPTIONS = {
  json: 'print the whole result as JSON',
  ndjson: 'print the rows of the result as JSON, one per line',
  csv: 'print the rows of the result as CSV; text that looks like a formula is prefixed with an apostrophe',
  'no-color': 'print without colors, like the environment variable NO_COLOR',
  help: 'print this help',
} as const

type Property = {
  readonly $ref?: string
  readonly type?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
}

/** The fields of an endpoint: positionals first, in the order they are given, then the rest. */
export function fieldsOf({ name, input, path }: Pick<Endpoint, 'name' | 'input' | 'path'>): Field[] {
  const schema = z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }) as {
    properties?: Record<string, Property>
    required?: string[]
    $defs?: Record<string, Property>
  }
  const readers = textFieldKinds(input)
  const inPath = pathParameters(path)
  const names = [...new Set([...inPath, ...(schema.required ?? []), ...Object.keys(input.shape)])]
  const fields = names.map((field): Field => {
    const property = schema.properties?.[field] ?? {}
    const about = { ...schema.$defs?.[property.$ref?.split('/').at(-1) ?? ''], ...property }
    return {
      name: field,
      option: kebab(field),
      kind: about.type === 'object' || about.type === 'array' ? 'json' : readers[field]!,
      positional: inPath.includes(field) || schema.required?.includes(field) === true,
      description: about.description ?? '',
      default: about.default,
      values: about.enum ?? [],
    }
  })
  const clash = fields.find(({ option }) => option === 'color' || option in COMMON_OPTIONS)
  if (clash)
    throw new Error(`The field ${clash.name} of ${name} cannot be an option: every command has --${clash.option}.`)
  return fields
}

/** `duration_years` and `durationYears` become `duration-years`. */
const kebab = (name: string): string =>
  name
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1-$2')
    .replaceAll('_', '-')
    .toLowerCase()
