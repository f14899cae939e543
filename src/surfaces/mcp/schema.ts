import { z } from 'zod'

export type JsonSchema = { [keyword: string]: unknown }
export type ObjectSchema = JsonSchema & { type: 'object' }

const LONG_LIST = 8

/** What a tool takes, as an agent reads it: every description and limit, nothing that only a validator wants. */
export function inputSchema(schema: z.ZodObject): ObjectSchema {
  const { $defs = {}, ...root } = convert(schema, (json) => {
    // Where every value is listed, an example of one says nothing.
    if (json['enum'] !== undefined) delete json['examples']
    if (Array.isArray(json['examples'])) json['examples'] = json['examples'].slice(0, 1)
  })
  // Several model providers refuse references in the arguments of a tool.
  return inline(root, $defs as Record<string, JsonSchema>) as ObjectSchema
}

/**
 * What a tool gives back: the bare shape. An agent reads the answer itself, so descriptions here would only cost it
 * tokens. Fields not named stay allowed, so that a client with an older list takes a newer answer.
 */
export function outputSchema(schema: z.ZodType): ObjectSchema {
  const json = convert(schema, (json) => {
    for (const keyword of ['description', 'examples', 'title', 'default']) delete json[keyword]
    // A long list of values is data rather than shape, and the likeliest part to grow.
    if (Array.isArray(json['enum']) && json['enum'].length > LONG_LIST) delete json['enum']
  })
  const shapes = json['anyOf'] ?? json['oneOf'] ?? [json]
  if (!(shapes as JsonSchema[]).every((shape) => isObject(shape, json['$defs']))) {
    throw new Error('The answer of a tool must be a JSON object')
  }
  // The 2025 revisions want the root to say so itself, also where several shapes are possible.
  return { ...json, type: 'object' }
}

function convert(schema: z.ZodType, trim: (json: JsonSchema) => void): JsonSchema {
  const { $schema: _, ...json } = z.toJSONSchema(schema, {
    // Both ways it is what travels: what a caller sends, and what a route returns before anything is parsed.
    io: 'input',
    override({ jsonSchema }) {
      const json = jsonSchema as JsonSchema
      if (json['minimum'] === Number.MIN_SAFE_INTEGER) delete json['minimum']
      if (json['maximum'] === Number.MAX_SAFE_INTEGER) delete json['maximum']
      // The format says it in a word.
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
