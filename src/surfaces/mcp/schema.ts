import * as z from 'zod'

export type JsonSchema = { [keyword: string]: unknown }
export type ObjectSchema = JsonSchema & { type: 'object' }

const MAX_ENUM_VALUES = 8

/** The input schema of a tool: descriptions and limits for the agent, without keywords that only validators use. */
export function inputSchema(schema: z.ZodObject): ObjectSchema {
  const { $defs = {}, ...root } = convert(schema, (json) => {
    // An enum already lists every value.
    if (json['enum'] !== undefined) delete json['examples']
    if (Array.isArray(json['examples'])) json['examples'] = json['examples'].slice(0, 1)
  })
  // Several model providers refuse references in the arguments of a tool.
  return inline(root, $defs as Record<string, JsonSchema>) as ObjectSchema
}

/**
 * The output schema of a tool, without descriptions, which would only cost the agent tokens. Further fields are allowed,
 * so that a client with an older tool list accepts a newer answer.
 */
export function outputSchema(schema: z.ZodType): ObjectSchema {
  const json = convert(schema, (json) => {
    for (const keyword of ['description', 'examples', 'title', 'default']) delete json[keyword]
    // Long enums are the part most likely to grow, and cost tokens.
    if (Array.isArray(json['enum']) && json['enum'].length > MAX_ENUM_VALUES) delete json['enum']
  })
  const shapes = json['anyOf'] ?? json['oneOf'] ?? [json]
  if (!(shapes as JsonSchema[]).every((shape) => isObject(shape, json['$defs']))) {
    throw new Error('The answer of a tool must be a JSON object')
  }
  // The 2025 revisions require `type` at the root, even beside `anyOf`.
  return { ...json, type: 'object' }
}

function convert(schema: z.ZodType, trim: (json: JsonSchema) => void): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    // The unparsed side in both directions: what a caller sends, and what a route returns.
    io: 'input',
    override({ jsonSchema }) {
      const json = jsonSchema as JsonSchema
      if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum']
      if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum']
      // `format` already says it.
      if (json['format'] !== undefined) delete json['pattern']
      trim(json)
    },
  })
  return json
}

function isObject(shape: JsonSchema, defs: unknown): boolean {
  const target = shape['$ref'] === undefined ? shape : definition(shape['$ref'], defs as Record<string, JsonSchema>)
  return target['type'] === 'object'
}

function inline(value: unknown, defs: Record<string, JsonSchema>): unknown {
  if (Array.isArray(value)) return value.map((entry) => inline(entry, defs))
  if (typeof value !== 'object' || value === null) return value
  const { $ref, ...rest } = value as JsonSchema
  const own = Object.fromEntries(Object.entries(rest).map(([key, entry]) => [key, inline(entry, defs)]))
  return $ref === undefined ? own : { ...(inline(definition($ref, defs), defs) as JsonSchema), ...own }
}

const definition = (ref: unknown, defs: Record<string, JsonSchema>): JsonSchema => {
  const { id: _, ...found } = defs[String(ref).replace('#/$defs/', '')] ?? {}
  return found
}
