import * as z from 'zod'

export type Json = { [key: string]: unknown }

export type Schemas = {
  /** The JSON Schema of each zod schema, by its key. */
  readonly byKey: Readonly<Record<string, Json>>
  /** Schemas with their own id, which others reference. */
  readonly named: Readonly<Record<string, Json>>
}

/**
 * Turns the schemas of all endpoints into JSON Schema together, so that two different ones with one id are an error.
 * `io` is `input` for answers too: a handler's answer is sent as it is, before any default or transform.
 */
export function toSchemas(schemas: Readonly<Record<string, z.ZodType>>): Schemas {
  const { properties = {}, $defs = {} } = z.toJSONSchema(z.object(schemas), { io: 'input', override: tidy })
  return {
    byKey: pointToComponents(properties) as Record<string, Json>,
    named: pointToComponents($defs) as Record<string, Json>,
  }
}

const COMPONENT = '#/components/schemas/'

/** The schema that a reference points to, or the schema itself. */
export function resolve(schema: Json, { named }: Schemas): Json {
  const { $ref } = schema
  return typeof $ref === 'string' ? named[$ref.slice(COMPONENT.length)]! : schema
}

/** Removes keywords that do not help a reader. */
function tidy({ jsonSchema: schema }: { jsonSchema: z.core.JSONSchema.BaseSchema }): void {
  if (schema.minimum === Number.MIN_SAFE_INTEGER) delete schema.minimum
  if (schema.maximum === Number.MAX_SAFE_INTEGER) delete schema.maximum
  // zod adds a long pattern for what the format already says.
  if (schema.format !== undefined) delete schema.pattern
}

function pointToComponents(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(pointToComponents)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      key === '$ref' && typeof inner === 'string' ? inner.replace(/^#\/\$defs\//, COMPONENT) : pointToComponents(inner),
    ]),
  )
}
