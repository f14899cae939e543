import * as z from 'zod'

/** Accepted spellings of field values, computed once per input schema. */

const lists = new WeakSet<z.ZodType>()

/** Marks a text field as a comma-separated list. A repeated parameter adds to the list; in JSON it may be an array. */
export function asList<Field extends z.ZodType>(field: Field): Field {
  lists.add(field)
  return field
}

export const isListField = (field: z.ZodType): boolean => layersOf(field).some((layer) => lists.has(layer))

type FieldSpelling = { readonly isList: boolean; readonly canonical: ReadonlyMap<string, string> }
type FieldSpellings = Readonly<Record<string, FieldSpelling | undefined>>

const spellingsBySchema = new WeakMap<z.ZodObject, FieldSpellings>()

/**
 * The input with enumeration values in their declared case, and arrays joined for list fields. Returns the same object if
 * nothing changes.
 */
export function canonicalValues(
  input: z.ZodObject,
  raw: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  let rules = spellingsBySchema.get(input)
  if (rules === undefined) spellingsBySchema.set(input, (rules = createSpellings(input)))
  let changed: Record<string, unknown> | undefined
  for (const field in raw) {
    const rule = rules[field]
    if (rule === undefined) continue
    const given = raw[field]
    const value = canonicalValue(rule, given)
    if (value !== given) (changed ??= { ...raw })[field] = value
  }
  return changed ?? raw
}

function canonicalValue({ isList, canonical }: FieldSpelling, value: unknown): unknown {
  if (typeof value === 'string') return canonical.get(value.trim().toLowerCase()) ?? value
  if (!Array.isArray(value)) return value
  if (isList && value.every((one) => typeof one === 'string')) return value.join()
  return value.map((one) => canonicalValue({ isList: false, canonical }, one))
}

function createSpellings({ shape }: z.ZodObject): FieldSpellings {
  const rules: Record<string, FieldSpelling> = Object.create(null) as Record<string, FieldSpelling>
  for (const [field, schema] of Object.entries<z.ZodType>(shape)) {
    const canonical = new Map(choicesOf(schema).map((word) => [word.toLowerCase(), word]))
    const isList = isListField(schema)
    if (isList || canonical.size > 0) rules[field] = { isList, canonical }
  }
  return rules
}

function choicesOf(schema: z.ZodType): string[] {
  const core = layersOf(schema).at(-1)!
  if (core instanceof z.ZodEnum) return core.options.filter((value) => typeof value === 'string')
  if (core instanceof z.ZodLiteral) return [...core.values].filter((value) => typeof value === 'string')
  return core instanceof z.ZodArray ? choicesOf(core.element as z.ZodType) : []
}

/** A schema and the schemas it wraps, outermost first; for a transformation, its input. */
export function layersOf(schema: z.ZodType): readonly z.ZodType[] {
  const layers = [schema]
  for (let at: z.ZodType | undefined = schema; (at = innerOf(at)) !== undefined;) layers.push(at)
  return layers
}

function innerOf(schema: z.ZodType): z.ZodType | undefined {
  if (
    schema instanceof z.ZodOptional ||
    schema instanceof z.ZodDefault ||
    schema instanceof z.ZodPrefault ||
    schema instanceof z.ZodNullable ||
    schema instanceof z.ZodReadonly
  ) {
    return schema.unwrap() as z.ZodType
  }
  return schema instanceof z.ZodPipe ? (schema.in as z.ZodType) : undefined
}
