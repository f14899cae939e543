import * as z from 'zod'
import { type Endpoint, pathParameters } from '../../kernel/endpoint.ts'

/** A field as a reader sees it. */
export type FieldRow = {
  /** With its parents: `results[].domain`. */
  readonly name: string
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
}

/** One form an answer can have. */
export type Shape = { readonly title: string | null; readonly rows: readonly FieldRow[] }

type Schema = {
  readonly $ref?: string
  readonly type?: string
  readonly format?: string
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly const?: unknown
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Schema[]
  readonly oneOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly additionalProperties?: Schema | boolean
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly maxItems?: number
}

type Definitions = Readonly<Record<string, Schema>>

/** Deeper fields are left to the example and to the OpenAPI document. */
const MAX_DEPTH = 2
const MAX_VALUES_IN_TYPE = 4
const MAX_VALUES_LISTED = 40

const toSchema = (schema: z.ZodType): { root: Schema; definitions: Definitions } => {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }) as Schema & {
    $defs?: Definitions
  }
  return { root, definitions: $defs }
}

/** The parameters of a request: those of the path first. */
export function inputRows({ input, path }: Pick<Endpoint, 'input' | 'path'>): FieldRow[] {
  const { root, definitions } = toSchema(input)
  const inPath = pathParameters(path)
  const rows = rowsOf(root, definitions, '', 0).map((row) =>
    inPath.includes(row.name) ? { ...row, isRequired: true } : row,
  )
  return rows.toSorted((one, other) => rank(one, inPath) - rank(other, inPath))
}

const rank = ({ name, isRequired }: FieldRow, inPath: readonly string[]): number =>
  inPath.includes(name) ? 0 : isRequired && !name.includes('.') ? 1 : 2

/** The forms of an answer; most endpoints have one. */
export function outputShapes({ output }: Pick<Endpoint, 'output'>): Shape[] {
  const { root, definitions } = toSchema(output)
  const variants = variantsOf(root) ?? [root]
  return variants.map((variant) => {
    const schema = resolve(variant, definitions)
    return {
      title: variants.length === 1 ? null : (schema.description ?? schema.title ?? null),
      rows: rowsOf(schema, definitions, '', 0),
    }
  })
}

function rowsOf(schema: Schema, definitions: Definitions, prefix: string, depth: number): FieldRow[] {
  return Object.entries(schema.properties ?? {}).flatMap(([field, given]) => {
    const name = prefix + field
    const property = resolve(given, definitions)
    const row = {
      name,
      type: typeOf(property, definitions),
      isRequired: schema.required?.includes(field) ?? false,
      description: describe(property, definitions),
    }
    if (depth >= MAX_DEPTH) return [row]
    const [inner, suffix] = innerOf(property, definitions)
    return inner ? [row, ...rowsOf(inner, definitions, `${name}${suffix}.`, depth + 1)] : [row]
  })
}

/** The object whose fields are listed below this one, and how its name continues. */
function innerOf(schema: Schema, definitions: Definitions): [Schema | undefined, string] {
  if (schema.type === 'array' && schema.items) {
    const [inner, suffix] = innerOf(resolve(schema.items, definitions), definitions)
    return [inner, `[]${suffix}`]
  }
  // A value that may also be null has one other variant.
  const objects = (variantsOf(schema) ?? [schema])
    .map((variant) => resolve(variant, definitions))
    .filter(({ type }) => type !== 'null')
  return objects.length === 1 && objects[0]!.properties ? [objects[0]!, ''] : [undefined, '']
}

const variantsOf = ({ anyOf, oneOf }: Schema): readonly Schema[] | undefined => anyOf ?? oneOf

/** What stands beside a reference (a description) wins over what is in the definition. */
const resolve = (schema: Schema, definitions: Definitions): Schema =>
  schema.$ref === undefined ? schema : { ...definitions[schema.$ref.split('/').at(-1)!], ...schema }

function typeOf(given: Schema, definitions: Definitions): string {
  const schema = resolve(given, definitions)
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.enum && schema.enum.length <= MAX_VALUES_IN_TYPE)
    return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  const variants = variantsOf(schema)?.map((variant) => resolve(variant, definitions))
  const kinds = variants && kindsOf(variants)
  if (kinds) return kinds
  if (variants) return [...new Set(variants.map((variant) => typeOf(variant, definitions)))].join(' or ')
  if (schema.type === 'array') return `${schema.items ? bracketed(typeOf(schema.items, definitions)) : 'any'}[]`
  if (schema.type === 'object' && typeof schema.additionalProperties === 'object' && !schema.properties)
    return `map to ${typeOf(schema.additionalProperties, definitions)}`
  if (schema.type === undefined) return 'any'
  return schema.format === undefined ? schema.type : `${schema.type}, ${schema.format}`
}

/** Objects that differ by one constant field: `object with state "known" or "unknown"`. */
function kindsOf(variants: readonly Schema[]): string | undefined {
  const [first, ...others] = variants
  if (!first || others.length === 0) return undefined
  const field = Object.keys(first.properties ?? {}).find((name) =>
    variants.every(({ properties }) => properties?.[name]?.const !== undefined),
  )
  if (field === undefined) return undefined
  const values = variants.map(({ properties }) => JSON.stringify(properties![field]!.const))
  return `object with ${field} ${values.join(' or ')}`
}

const bracketed = (type: string): string => (type.includes(' ') ? `(${type})` : type)

function describe(given: Schema, definitions: Definitions): string {
  const schema = resolve(given, definitions)
  const { description = '', enum: values = [], default: preset } = schema
  const sentences = [
    description === '' || /[.!?]$/.test(description) ? description : `${description}.`,
    values.length > MAX_VALUES_IN_TYPE ? `One of ${listed(values)}.` : '',
    boundsOf(schema),
    preset === undefined ? '' : `Default: \`${typeof preset === 'string' ? preset : JSON.stringify(preset)}\`.`,
  ]
  return sentences.filter((sentence) => sentence !== '').join(' ')
}

const listed = (values: readonly unknown[]): string => {
  const shown = values.slice(0, MAX_VALUES_LISTED).map((value) => `\`${String(value)}\``)
  return values.length > shown.length
    ? `${shown.join(', ')} and ${values.length - shown.length} more`
    : shown.join(', ')
}

function boundsOf({ minimum, maximum, maxLength, maxItems }: Schema): string {
  if (maxItems !== undefined) return `At most ${maxItems.toLocaleString('en')} entries.`
  if (maxLength !== undefined) return `At most ${maxLength} characters.`
  const isBound = (bound: number | undefined): bound is number =>
    bound !== undefined && Math.abs(bound) < Number.MAX_SAFE_INTEGER
  if (isBound(minimum) && isBound(maximum)) return `${minimum} to ${maximum}.`
  if (isBound(minimum) && minimum !== 0) return `At least ${minimum}.`
  return isBound(maximum) ? `At most ${maximum}.` : ''
}
